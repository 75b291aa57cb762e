"""What the words of a span tell where the tagger alone found it."""

import pytest

from deidstream.models.detection.calibration import Calibration
from deidstream.models.detection.word_evidence import describe_words
from deidstream.models.neural.weights import shipped_tagger
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

SHIPPED = Calibration.read(shipped_tagger())


def found(text: str, word: str, label: PhiLabel = PhiLabel.DOCTOR) -> Span:
    start = text.rindex(word)
    return Span(start, start + len(word), label, 0.7, "tagger")


@pytest.mark.parametrize(
    ("text", "word", "told"),
    [
        ("ask okonkwo please", "okonkwo", {"listed"}),
        ("with violet edge", "violet edge", {"listed", "ordinary"}),
        ("well.\nFamly updated", "Famly", {"unlisted"}),
        ("flushed with 100 ml NS and capped", "NS", {"letters", "clinical"}),
        ("checked by NS and capped", "NS", {"signed", "clinical"}),
        ("1620 wound dry. QL\n", "QL", {"signed"}),
        ("CABG June 2004; MI July 2006", "MI", {"letters", "clinical"}),
        ("bed 4412", "4412", set[str]()),
    ],
)
def test_a_name_is_described_by_lists_and_by_its_place(
    text: str, word: str, told: set[str]
) -> None:
    assert set(describe_words(text, found(text, word))) == {f"words:{one}" for one in told}


@pytest.mark.parametrize(
    ("written", "undated"),
    [("Sinemet", True), ("Diwali", False), ("mid-february", False), ("4th", False)],
)
def test_a_date_has_a_number_or_a_word_of_the_calendar(written: str, *, undated: bool) -> None:
    span = found(written, written, PhiLabel.DATE)
    assert list(describe_words(written, span)) == ["words:undated"] * undated


@pytest.mark.parametrize(
    ("written", "jobless"),
    [("pony", True), ("va tarjeta", True), ("old welders", False), ("Ffermwr", False)],
)
def test_an_occupation_has_a_word_of_one(written: str, *, jobless: bool) -> None:
    span = found(written, written, PhiLabel.PROFESSION)
    assert list(describe_words(written, span)) == ["words:jobless"] * jobless


def test_what_tells_no_occupation_is_less_probably_one() -> None:
    spans = [found(word, word, PhiLabel.PROFESSION) for word in ("welder", "lizard")]
    welder, lizard = (
        SHIPPED.calibrate(word, (span,), (span,))[0].score
        for word, span in zip(("welder", "lizard"), spans, strict=True)
    )
    assert lizard < welder


def test_of_other_labels_nothing_is_told() -> None:
    assert not list(describe_words("NS", found("NS", "NS", PhiLabel.STATE)))


def probability(text: str, word: str) -> float:
    span = found(text, word)
    (judged,) = SHIPPED.calibrate(text, (span,), (span,))
    return judged.score


def test_the_less_words_look_like_a_name_the_less_probable_is_it() -> None:
    assert probability("flushed with NS and", "NS") < probability("checked by NS and", "NS")
    assert probability("checked by NS and", "NS") < probability("ask Okonkwo and", "Okonkwo")
    assert probability("a violet edge", "violet") < probability("ask Okonkwo and", "Okonkwo")


def test_words_count_only_where_nothing_else_supports_a_span() -> None:
    text, word = "flushed with NS and", "NS"
    span = found(text, word)
    ruled = Span(span.start, span.end, span.label, 0.9, "rules:name.titled")
    (one,) = SHIPPED.calibrate(text, (span,), (span, ruled))
    (other,) = SHIPPED.calibrate("ask Okonkwo and " + text, (span,), (span, ruled))
    assert one.score == other.score


@pytest.mark.parametrize(
    ("text", "word", "score", "sure"),
    [
        ("LASIK 2003 <- cornea", "2003", 0.99, True),
        ("LASIK 2003 <- cornea", "2003", 0.9, False),
        ("neg Jan, CMV", "Jan", 0.99, True),
        ("lap 1/5 neg", "1/5", 0.99, False),
    ],
)
def test_the_tagger_makes_a_word_of_the_calendar_certain(
    text: str, word: str, score: float, *, sure: bool
) -> None:
    span = found(text, word, PhiLabel.DATE).scored(score)
    (judged,) = SHIPPED.calibrate(text, [span], [span])
    assert (judged.score >= 0.9) is sure
