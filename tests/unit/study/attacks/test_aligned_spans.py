"""What became of a span, by the words around it."""

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.attacks.aligned_spans import MOST_WORDS, align_spans

TEXT = "Vanterpool, Ida was seen by Dr. Quill on 3/4 at 34yo; lives in Ames, IA."


def spans(*parts: str) -> list[Span]:
    starts = [TEXT.index(part) for part in parts]
    return [
        Span(start, start + len(part), PhiLabel.PATIENT)
        for start, part in zip(starts, parts, strict=True)
    ]


def align(output: str, *parts: str) -> list[tuple[str, str] | None]:
    aligned = align_spans(TEXT, output, spans(*parts))
    return [None if each is None else (each.original, each.output) for each in aligned]


def test_what_stands_between_the_same_words_has_replaced_a_span() -> None:
    output = "Marlowe, Ann was seen by Dr. O'Neil on 5/6 at 33yo; lives in Troy, NY."
    assert align(output, "Vanterpool, Ida", "Quill", "3/4", "34", "Ames", "IA") == [
        ("Vanterpool, Ida", "Marlowe, Ann"),
        ("Quill", "O'Neil"),
        ("3/4", "5/6"),
        ("34yo", "33yo"),
        ("Ames", "Troy"),
        ("IA", "NY"),
    ]


def test_what_was_kept_or_dropped_is_seen() -> None:
    output = TEXT.replace("Quill ", "")
    assert align(output, "Vanterpool, Ida", "Quill") == [
        ("Vanterpool, Ida", "Vanterpool, Ida"),
        ("Quill", ""),
    ]


def test_a_span_whose_neighbours_are_gone_is_lost() -> None:
    assert align("Nothing of it is here", "Quill", "Ames") == [None, None]


def test_a_comma_between_identifiers_of_a_long_note_is_found() -> None:
    prose = " ".join(f"word{number}, and" for number in range(400))
    text, output = (f"{prose} {a}, {b}, {c} end. {prose}" for a, b, c in ("ABC", "XYZ"))
    start = text.index(" B,") + 1
    (aligned,) = align_spans(text, output, [Span(start, start + 1, PhiLabel.CITY)])
    assert aligned is not None
    assert (aligned.original, aligned.output) == ("B", "Y")


def test_a_very_long_note_is_not_aligned() -> None:
    text = "a " * (MOST_WORDS + 1)
    assert list(align_spans(text, text, [Span(0, 1, PhiLabel.CITY)])) == [None]


def test_no_record_shows_text() -> None:
    (aligned,) = align_spans(TEXT, TEXT, spans("Quill"))
    assert "Quill" not in repr(aligned)
