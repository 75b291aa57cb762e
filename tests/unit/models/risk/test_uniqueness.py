from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from deidstream.models.risk.contexts import FREE, snap_to_grid
from deidstream.models.risk.measured import make_report
from deidstream.models.risk.uniqueness import RiskQuery, measure_uniqueness
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.outcome import RiskLevel, RiskReport
from deidstream.schemas.ports import Embedder
from deidstream.schemas.risk_policy import RiskMeasure, RiskPolicy
from deidstream.schemas.span import Replacement, Span
from support.embedding import HashEmbedder

EMBEDDER = HashEmbedder(dimension=384)
COMMON = "was seen by today for follow"
REFERENCES = snap_to_grid(EMBEDDER.embed([COMMON]))
RARE = "kept an otter in the bath"


@dataclass(slots=True)
class CountingEmbedder:
    """Counts the characters that it embeds."""

    letters: int = 0
    dimension: int = EMBEDDER.dimension
    digest: str = EMBEDDER.digest

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.letters += sum(map(len, texts))
        return EMBEDDER.embed(texts)


def query(*parts: tuple[str, PhiLabel | None]) -> RiskQuery:
    """Join parts; a part with a label is a landed replacement."""
    text, landed = "", list[Replacement]()
    for part, label in parts:
        if label:
            span = Span(len(text), len(text) + len(part), label)
            landed.append(Replacement(span, part, "surrogate", span.start, span.end))
        text += part
    return RiskQuery(text, tuple(landed))


def common(label: PhiLabel = PhiLabel.DOCTOR) -> tuple[tuple[str, PhiLabel | None], ...]:
    return (("was seen by ", None), ("Ada", label), (" today for follow", None))


def rare(label: PhiLabel) -> tuple[tuple[str, PhiLabel | None], ...]:
    return ((f"{RARE} ", None), ("Ada", label), (" badger heron weasel stoat polecat", None))


def assess(
    batch: Sequence[RiskQuery],
    references: NDArray[np.float32],
    embedder: Embedder,
    policy: RiskPolicy,
) -> list[RiskReport]:
    """The reports under a policy in which the uniqueness of contexts alone counts."""
    alone = replace(policy, measures=(RiskMeasure.CONTEXT_UNIQUENESS,))
    return [
        make_report({RiskMeasure.CONTEXT_UNIQUENESS: one}, alone, len(query.replacements))
        for query, one in zip(
            batch, measure_uniqueness(batch, references, embedder, policy), strict=True
        )
    ]


def level(*queries: RiskQuery) -> list[RiskLevel]:
    return [report.level for report in assess(queries, REFERENCES, EMBEDDER, RiskPolicy())]


def test_a_common_context_is_green() -> None:
    (report,) = assess([query(*common())], REFERENCES, EMBEDDER, RiskPolicy())
    assert (report.level, report.score, report.reasons) == (RiskLevel.GREEN, 0.0, ())
    assert report.measures == {"context_uniqueness": 0.0, "entities": 1.0}


def test_a_unique_context_is_red_and_says_its_label() -> None:
    (report,) = assess([query(*rare(PhiLabel.DATE))], REFERENCES, EMBEDDER, RiskPolicy())
    assert (report.level, report.score) == (RiskLevel.RED, 1.0)
    assert report.reasons == ("UNIQUE_CONTEXT:DATE",)


def test_half_unique_is_yellow() -> None:
    far = (" . " + "owl " * 9, None)
    assert level(query(*common(), far, *rare(PhiLabel.DATE))) == [RiskLevel.YELLOW]


def test_reasons_come_by_count() -> None:
    parts = [*rare(PhiLabel.DATE), *rare(PhiLabel.AGE), *rare(PhiLabel.DATE)]
    (report,) = assess([query(*parts)], REFERENCES, EMBEDDER, RiskPolicy())
    assert report.reasons == ("UNIQUE_CONTEXT:DATE", "UNIQUE_CONTEXT:AGE")


def test_no_entity_is_green() -> None:
    (report,) = assess([query(("all well", None))], REFERENCES, EMBEDDER, RiskPolicy())
    assert (report.level, report.score) == (RiskLevel.GREEN, 0.0)
    assert report.reasons == ("NO_ENTITY",)


def test_a_context_without_words_singles_nobody_out() -> None:
    assert level(query(("Ada", PhiLabel.PATIENT))) == [RiskLevel.GREEN]


def test_without_references_every_context_is_unique() -> None:
    empty = np.empty((0, EMBEDDER.dimension), np.float32)
    (report,) = assess([query(*common())], empty, EMBEDDER, RiskPolicy())
    assert report.level is RiskLevel.RED


@dataclass(frozen=True, slots=True)
class Fixed:
    """Gives every text the same row."""

    row: tuple[float, ...]
    dimension: int = 2
    digest: str = "fixed"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self.row for _ in texts], np.float32)


def test_cosines_are_taken_on_the_grid_and_rounded() -> None:
    # 0.49935 lies on the grid at 1023/2048, which is 0.500 in three digits.
    references = np.array([[1, 0]], np.float32)
    asked = [query(*common())]
    for cosine, expected in ((0.49935, RiskLevel.GREEN), (0.4985, RiskLevel.RED)):
        embedder = Fixed((cosine, (1 - cosine**2) ** 0.5))
        assert assess(asked, references, embedder, RiskPolicy())[0].level is expected


def test_the_surrogate_itself_does_not_count() -> None:
    parts = [("was seen by ", None), ("Zebedee Quux", PhiLabel.DOCTOR), (" today for follow", None)]
    assert level(query(*parts)) == [RiskLevel.GREEN]


def test_a_note_is_scored_the_same_whatever_is_beside_it() -> None:
    notes = [query(*rare(PhiLabel.DATE), *common()), query(*common()), query(("x", None))]
    together = assess(notes, REFERENCES, EMBEDDER, RiskPolicy())
    assert together == [assess([n], REFERENCES, EMBEDDER, RiskPolicy())[0] for n in notes]


def test_all_contexts_are_embedded_in_one_call() -> None:
    embedder = HashEmbedder(dimension=384)
    assess([query(*common()), query(*rare(PhiLabel.AGE))], REFERENCES, embedder, RiskPolicy())
    assert embedder.calls == [2]


@pytest.mark.parametrize(
    ("similarity", "expected"), [(0.9, RiskLevel.GREEN), (1.01, RiskLevel.RED)]
)
def test_similarity_is_the_policy_s(similarity: float, expected: RiskLevel) -> None:
    policy = RiskPolicy(similarity=similarity)
    assert assess([query(*common())], REFERENCES, EMBEDDER, policy)[0].level is expected


def test_of_a_text_of_little_but_spans_some_contexts_are_assessed() -> None:
    counted = CountingEmbedder()
    parts = [part for n in range(2_000) for part in ((f" {n}q ", None), ("Ada", PhiLabel.DATE))]
    dense = query(*parts)
    (report,) = assess([dense], REFERENCES, counted, RiskPolicy())
    assert report.measures == {"context_uniqueness": 1.0, "entities": 2_000.0}
    assert report.reasons == ("UNIQUE_CONTEXT:DATE",)
    assert len(dense.text) < FREE * 0.8
    assert FREE * 0.9 < counted.letters <= FREE
