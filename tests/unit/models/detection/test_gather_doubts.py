"""What was seen and stays in the text is doubtful."""

from deidstream.models.detection.gather_doubts import gather_doubts
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span

TEXT = "seen by Ruth Quill, Ward 4\nQuill left"


def possible(word: str, score: float = 0.1, after: int = 0) -> Span:
    start = TEXT.index(word, after)
    return Span(start, start + len(word), PhiLabel.PATIENT, score, POSSIBLE)


def told(*reports: Span, found: tuple[Span, ...] = ()) -> list[tuple[str, float, str]]:
    doubts = gather_doubts(TEXT, reports, found)
    return [(TEXT[one.start : one.end], one.score, one.source) for one in doubts]


def test_possible_words_beside_each_other_are_one_doubt_with_the_highest_score() -> None:
    assert told(possible("Ruth", 0.02), possible("Quill", 0.3)) == [("Ruth Quill", 0.3, POSSIBLE)]


def test_words_on_two_lines_are_two_doubts() -> None:
    assert [one[0] for one in told(possible("4"), possible("Quill", after=20))] == ["4", "Quill"]


def test_what_is_replaced_is_cut_out() -> None:
    name = Span(8, 12, PhiLabel.DOCTOR, 0.9, "tagger")
    whole = Span(8, 18, PhiLabel.DOCTOR, 0.5, "rules:x")
    assert told(whole, possible("Ruth"), found=(name,)) == [("Quill", 0.0, "rules:x")]
    assert told(possible("Ruth"), found=(name,)) == []


def test_the_source_is_the_rule_and_the_score_the_tagger_s() -> None:
    rule = Span(8, 18, PhiLabel.DOCTOR, 0.8, "dictionary:person")
    assert told(rule, possible("Quill", 0.04)) == [("Ruth Quill", 0.04, "dictionary:person")]


def test_the_order_of_the_reports_does_not_count() -> None:
    reports = [possible("Ruth"), possible("Quill"), Span(20, 26, PhiLabel.HOSPITAL, 0.2, "rules:y")]
    assert told(*reports) == told(*reversed(reports))
    assert [one[0] for one in told(*reports)] == ["Ruth Quill, Ward 4"]


def test_signs_alone_are_no_doubt() -> None:
    assert told(Span(18, 20, PhiLabel.DATE, 0.9, "rules:z")) == []
