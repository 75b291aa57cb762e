"""Laws of the measures of risk."""

from hypothesis import given
from hypothesis import strategies as st

from deidstream.models.records import Substituted
from deidstream.models.risk.assessor import Assessor
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.quasi import QuasiLoad
from deidstream.models.risk.residual import ResidualRisk
from deidstream.models.risk.uniqueness import ContextUniqueness
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName
from deidstream.schemas.span import POSSIBLE, Span
from support.embedding import HashEmbedder
from support.risk import TABLE, emitted, policy

WORDS = ("pain", "Zzyzx", "Rose", "4471203", "and", "Quillfeather", "XK47-PL", "12", "the", "mrs")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12)
scores = st.floats(0, 1, allow_nan=False)
operators = st.sampled_from([OperatorName.REDACT, OperatorName.SURROGATE, OperatorName.KEEP])


@st.composite
def notes(draw: st.DrawFn) -> tuple[str, list[Span], list[Span]]:
    """A text, spans that were found and doubts beside them, by words."""
    words = draw(texts)
    found: list[Span] = []
    doubts: list[Span] = []
    at = 0
    for word in words:
        kind = draw(st.sampled_from(["", "found", "doubt"]))
        if kind == "found":
            label = draw(st.sampled_from([PhiLabel.PATIENT, PhiLabel.AGE, PhiLabel.SSN]))
            found.append(Span(at, at + len(word), label))
        elif kind:
            doubts.append(Span(at, at + len(word), PhiLabel.PATIENT, draw(scores), POSSIBLE))
        at += len(word) + 1
    return " ".join(words), found, doubts


def residual(item: Substituted) -> float:
    return ResidualRisk(policy(), TABLE).measure(item, LeftWords.of_output(item)).value


@given(notes(), operators)
def test_every_measure_is_a_probability(
    note: tuple[str, list[Span], list[Span]], operator: OperatorName
) -> None:
    made = policy(operator)
    item = emitted(*note, operator=str(operator))
    for measure in (ResidualRisk(made, TABLE), QuasiLoad(made, lambda _: False)):
        assert 0 <= measure.measure(item, LeftWords.of_output(item)).value <= 1


@given(notes(), scores)
def test_one_more_doubt_never_lowers_the_residual_risk(
    note: tuple[str, list[Span], list[Span]], score: float
) -> None:
    text, found, doubts = note
    start = len(text) + 1
    longer = f"{text} and"
    more = [*doubts, Span(start, start + 3, PhiLabel.PATIENT, score, POSSIBLE)]
    fewer = residual(emitted(longer, found, doubts))
    assert residual(emitted(longer, found, more)) >= fewer


@given(notes(), st.data())
def test_a_doubt_that_the_tagger_is_surer_of_never_lowers_it(
    note: tuple[str, list[Span], list[Span]], data: st.DataObject
) -> None:
    text, found, doubts = note
    before = residual(emitted(text, found, doubts))
    surer = [
        Span(one.start, one.end, one.label, data.draw(st.floats(one.score, 1)), POSSIBLE)
        for one in doubts
    ]
    assert residual(emitted(text, found, surer)) >= before


@given(st.lists(notes(), max_size=4))
def test_a_report_depends_on_its_note_alone(
    batch: list[tuple[str, list[Span], list[Span]]],
) -> None:
    embedder = HashEmbedder(dimension=32)
    made = policy()
    references = embedder.embed(["a common context"])
    assessor = Assessor(made, uniqueness=ContextUniqueness(references, embedder, made.risk))
    items = [emitted(*note) for note in batch]
    assert assessor.assess(items) == [assessor.assess([item])[0] for item in items]
    assert assessor.assess(items[::-1]) == assessor.assess(items)[::-1]
