import pytest

from deidstream.models.detection.sweep import SHARE, sweep
from deidstream.models.phi.terms import leak_terms
from deidstream.models.text.search import find_occurrences
from deidstream.schemas.errors import InvalidSpan
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span


def swept(text: str, original: str, label: PhiLabel, *allow: str) -> list[str]:
    start = text.index(original)
    spans = sweep(text, [Span(start, start + len(original), label, 1.0, "tagger")], allow)
    return [text[span.start : span.end] for span in spans]


def test_nothing_is_swept_without_spans() -> None:
    assert sweep("Smith", []) == ()


@pytest.mark.parametrize(
    ("text", "original", "label", "expected"),
    [
        ("Ada Quill. QUILL; ada's", "Ada Quill", PhiLabel.PATIENT, ["Ada Quill", "QUILL", "ada"]),
        ("Quill-Frost, Frost", "Quill-Frost", PhiLabel.DOCTOR, ["Quill-Frost", "Frost"]),
        ("Dr. Ng: ng tube. Dr Ng", "Ng", PhiLabel.DOCTOR, ["Ng", "Ng"]),
        ("Li Wu, LI WU", "Li Wu", PhiLabel.PATIENT, ["Li Wu"]),
        ("COLON, IDA. Mr. Colon. Colon ca. COLON", "COLON, IDA", PhiLabel.PATIENT,
         ["COLON, IDA", "Colon"]),
        ("Wilson. Wilson disease", "Wilson", PhiLabel.PATIENT, ["Wilson"]),
        ("MRN 44-710-938, 44710938", "44-710-938", PhiLabel.MEDICALRECORD,
         ["44-710-938", "44710938"]),
        ("+1 410 555 0163; (410) 555-0163", "+1 410 555 0163", PhiLabel.PHONE,
         ["+1 410 555 0163", "(410) 555-0163"]),
        ("410-555-0163 x7; 4105550163", "410-555-0163 x7", PhiLabel.FAX,
         ["410-555-0163 x7", "4105550163"]),
        ("07700 900123, +44 7700 900123", "07700 900123", PhiLabel.PHONE,
         ["07700 900123", "7700 900123"]),
        ("a.b@x.org, A.B@X.ORG", "a.b@x.org", PhiLabel.EMAIL, ["a.b@x.org", "A.B@X.ORG"]),
        ("Pat Flood. A flood of calls; FLOOD, pat.flood@", "Pat Flood", PhiLabel.DOCTOR,
         ["Pat Flood", "FLOOD", "flood"]),
        ("STONE, PEARL. Pearl-like calcification; Pearl slept", "STONE, PEARL", PhiLabel.PATIENT,
         ["STONE, PEARL", "Pearl"]),
        ("Long Ward; a long ward", "Long Ward", PhiLabel.HOSPITAL, ["Long Ward"]),
        ("B2 O'D, LUMBARS: O'D. No o'd", "O'D", PhiLabel.PATIENT, ["O'D", "O'D"]),
        ("Zoar Hospital; zoar hospital", "Zoar Hospital", PhiLabel.HOSPITAL,
         ["Zoar Hospital", "zoar hospital"]),
    ],
)  # fmt: skip
def test_other_occurrences_are_found(
    text: str, original: str, label: PhiLabel, expected: list[str]
) -> None:
    assert swept(text, original, label) == expected


@pytest.mark.parametrize(
    ("text", "original", "label"),
    [
        ("age 58; 58", "58", PhiLabel.AGE),
        ("Boston; Boston", "Boston", PhiLabel.CITY),
        ("3 May; 3 May", "3 May", PhiLabel.DATE),
        ("pager 4471; 4471", "4471", PhiLabel.PHONE),
        ("J. R.; J. R.", "J. R.", PhiLabel.DOCTOR),
        ("Ada MD; MD", "Ada MD", PhiLabel.DOCTOR),
        ("718 of Kiln Rd; LOINC 718-7", "718", PhiLabel.STREET),
    ],
)
def test_what_would_be_found_by_chance_is_not_sought(
    text: str, original: str, label: PhiLabel
) -> None:
    assert swept(text, original, label) == [original]


def test_what_is_added_tells_where_it_comes_from() -> None:
    spans = sweep("Quill; Quill", [Span(0, 5, PhiLabel.DOCTOR, 0.8, "tagger")])
    assert spans[1] == Span(7, 12, PhiLabel.DOCTOR, SHARE * 0.8, "sweep")


def test_the_surest_span_gives_the_label() -> None:
    spans = [
        Span(0, 5, PhiLabel.DOCTOR, 0.5, "tagger"),
        Span(7, 12, PhiLabel.PATIENT, 0.9, "tagger"),
    ]
    assert sweep("Quill, Quill, Quill", spans)[2].label is PhiLabel.PATIENT


def test_an_occurrence_inside_a_span_leaves_it_as_it_is() -> None:
    text = "Quill at Quill Clinic"
    clinic = Span(9, 21, PhiLabel.HOSPITAL, 0.1, "tagger")
    assert sweep(text, [Span(0, 5, PhiLabel.PATIENT, 1.0, "rules:x"), clinic])[1] == clinic


def test_an_allowed_word_is_not_sought_unless_the_sender_knows_it() -> None:
    assert swept("Ada Quill. Quill", "Ada Quill", PhiLabel.PATIENT, "quill") == ["Ada Quill"]
    known = sweep("Ada Quill. Quill", [Span(0, 9, PhiLabel.PATIENT, 1.0, "known")], ["quill"])
    assert len(known) == 2


def test_a_span_beyond_the_text_is_refused() -> None:
    with pytest.raises(InvalidSpan):
        sweep("Ada", [Span(0, 4, PhiLabel.PATIENT)])


def test_leak_terms_find_what_a_blind_substitution_left() -> None:
    text = "Ada Quill, MRN 44-710-938."
    spans = [Span(0, 9, PhiLabel.PATIENT), Span(15, 25, PhiLabel.MEDICALRECORD)]
    terms = leak_terms(spans, text)
    assert find_occurrences("quill 44710938", terms)
    assert not find_occurrences("Bea Fenn, MRN 99-111-000.", terms)
    assert "Quill" not in repr(terms)


def test_a_doubtful_name_found_once_is_not_swept_and_is_no_leak() -> None:
    text = "Started Rifinah on Monday. Rifinah stopped; rifinah again"
    start = text.index("Rifinah")
    doubtful = Span(start, start + len("Rifinah"), PhiLabel.PATIENT, 0.49, "tagger")
    assert sweep(text, [doubtful]) == (doubtful,)
    assert leak_terms([doubtful], text) == ()


def test_a_doubtful_name_is_swept_where_it_was_found_twice_or_is_denied() -> None:
    text = "Zelquin on Monday. Zelquin stopped; zelquin again"
    start = text.index("Zelquin", 1)
    first = Span(0, len("Zelquin"), PhiLabel.PATIENT, 0.4, "tagger")
    second = Span(start, start + len("Zelquin"), PhiLabel.DOCTOR, 0.4, "tagger")
    denied = Span(0, len("Zelquin"), PhiLabel.PATIENT, 0.4, "dictionary:deny")
    assert [span.start for span in sweep(text, [first, second])] == [0, start, 36]
    assert [span.start for span in sweep(text, [denied])] == [0, start, 36]


def test_what_was_swept_is_no_evidence_for_its_name() -> None:
    text = "Rifinah on Monday. Rifinah stopped"
    found = Span(0, len("Rifinah"), PhiLabel.PATIENT, 0.4, "tagger")
    echo = Span(19, 26, PhiLabel.PATIENT, 0.4, "sweep")
    assert leak_terms([found, echo], text) == ()


def test_a_surname_is_found_with_the_particles_before_it() -> None:
    text = "Dr Maria van den Berg rang. Van den Berg agrees; den Berg too, in a van."
    name = Span(3, 21, PhiLabel.DOCTOR, 0.99, "tagger")
    found = [text[span.start : span.end] for span in sweep(text, [name])]
    assert found == ["Maria van den Berg", "Van den Berg", "den Berg"]
