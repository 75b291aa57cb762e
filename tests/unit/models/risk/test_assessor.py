"""Which measures a report holds, and what the assessment of a batch embeds."""

from dataclasses import replace

from deidstream.models.risk.assessor import Assessor
from deidstream.models.risk.contexts import snap_to_grid
from deidstream.models.risk.uniqueness import ContextUniqueness
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.risk_policy import RiskMeasure, RiskPolicy
from deidstream.schemas.span import Span
from support.embedding import HashEmbedder
from support.risk import emitted, policy

TEXT = "was seen by Ada today for follow up then"
NOTE = emitted(TEXT, [Span(12, 15, PhiLabel.DOCTOR)])
OTHER = emitted(f"{TEXT} and Zzyzx", [Span(12, 15, PhiLabel.DOCTOR)])
CHEAP = {"residual", "quasi", "entities"}


def counting(embedder: HashEmbedder, risk: RiskPolicy) -> Assessor:
    """An assessor that measures the uniqueness of contexts too."""
    references = snap_to_grid(embedder.embed(["a far context"]))
    embedder.calls.clear()
    unique = ContextUniqueness(references, embedder, risk)
    return Assessor(policy(risk=risk), uniqueness=unique)


def test_the_cheap_measures_alone_are_taken_by_default() -> None:
    (report,) = Assessor(policy()).assess([NOTE])
    assert report.measures.keys() == CHEAP


def test_the_uniqueness_of_contexts_is_reported_where_it_is_measured() -> None:
    risk = RiskPolicy(measures=(RiskMeasure.CONTEXT_UNIQUENESS,))
    (report,) = counting(HashEmbedder(), risk).assess([NOTE])
    assert report.measures.keys() == CHEAP | {"context_uniqueness"}
    assert (report.method, report.score) == ("context-uniqueness", 1.0)
    assert report.measures["entities"] == 1.0


def test_what_is_measured_beside_changes_no_other_figure() -> None:
    risk = RiskPolicy()
    (with_it,) = counting(HashEmbedder(), risk).assess([NOTE])
    (without,) = Assessor(policy(risk=risk)).assess([NOTE])
    assert with_it.measures == {"context_uniqueness": 1.0, **without.measures}
    assert replace(with_it, measures=without.measures) == without


def test_a_context_that_notes_share_is_embedded_once() -> None:
    embedder = HashEmbedder()
    assessor = counting(embedder, RiskPolicy(measures=(RiskMeasure.CONTEXT_UNIQUENESS,)))
    assessor.assess([NOTE, OTHER, NOTE])
    assert embedder.calls == [1]
