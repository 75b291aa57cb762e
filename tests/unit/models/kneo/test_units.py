from deidstream.models.kneo.unit_kinds import UnitKind
from deidstream.models.kneo.units import cut_units, write_labels
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Replacement, Span


def landed(text: str, part: str, label: PhiLabel = PhiLabel.PATIENT) -> Replacement:
    start = text.index(part)
    end = start + len(part)
    return Replacement(Span(start, end, label), part, "surrogate", start, end)


def test_each_sentence_is_a_unit() -> None:
    text = "No fever or cough. Seen in clinic today."
    assert [text[u.start : u.end] for u in cut_units(text, [], 3)] == [
        "No fever or cough.",
        "Seen in clinic today.",
    ]


def test_the_query_holds_labels_on_one_line() -> None:
    text = "Seen with Ada  Lane\nin clinic on Monday."
    marked = [landed(text, "Ada  Lane"), landed(text, "Monday", PhiLabel.DATE)]
    queries = [unit.query for unit in cut_units(text, marked, 1)]
    assert " ".join(queries) == "Seen with PATIENT in clinic on DATE."


def test_a_span_across_a_sentence_end_holds_both_together() -> None:
    text = "Seen by Lane. Ada was here. No fever at all."
    first, second = cut_units(text, [landed(text, "Lane. Ada")], 3)
    assert text[first.start : first.end] == "Seen by Lane. Ada was here."
    assert first.query == "Seen by PATIENT was here."
    assert text[second.start : second.end] == "No fever at all."


def test_a_span_that_takes_in_a_list_marker_widens_its_unit() -> None:
    text = "1. May 2024 was a better month"
    (unit,) = cut_units(text, [landed(text, "1. May 2024", PhiLabel.DATE)], 3)
    assert (unit.start, unit.query) == (0, "DATE was a better month")


def test_headings_and_short_sentences_are_not_open() -> None:
    text = "HOSPITAL COURSE ON WARD\nDoing well.\nNo fever or cough."
    kinds = [UnitKind.HEADING, UnitKind.SHORT, UnitKind.PROSE]
    assert [unit.kind for unit in cut_units(text, [], 3)] == kinds
    assert [unit.open for unit in cut_units(text, [], 3)] == [False, False, True]


def test_cells_of_a_row_are_not_open() -> None:
    text = "Wound looks clean today | no signs of infection\nWound looks clean today.\n"
    assert [unit.kind for unit in cut_units(text, [], 3)] == [
        UnitKind.CELL,
        UnitKind.CELL,
        UnitKind.PROSE,
    ]


def test_a_heading_of_allergies_heads_what_follows_up_to_a_heading_or_blank_line() -> None:
    for end in ("\n\n", "\nPLAN: "):
        text = f"ALLERGIES:\n\nPeanuts give him hives.\n- latex gives a rash{end}See him next week."
        units = [unit for unit in cut_units(text, [], 3) if unit.kind is not UnitKind.HEADING]
        assert [unit.kind for unit in units] == [UnitKind.ALLERGY, UnitKind.ALLERGY, UnitKind.PROSE]


def test_labels_stand_for_the_spans_of_a_part() -> None:
    text = "Seen by Ada Lane and Bo Pike."
    inside = [landed(text, "Ada Lane"), landed(text, "Bo Pike", PhiLabel.DOCTOR)]
    assert write_labels(text, (0, 29), inside, "[{}]") == "Seen by [PATIENT] and [DOCTOR]."
    assert write_labels(text, (8, 29), inside, "<{}>") == "<PATIENT> and <DOCTOR>."
    (unit,) = cut_units(text, inside, 3)
    assert unit.inside == tuple(inside)


def test_a_span_outside_all_units_is_left_alone() -> None:
    text = "No fever or cough.\n- \nSeen in clinic today."
    marked = [Replacement(Span(19, 20, PhiLabel.AGE), "-", "redact", 19, 20)]
    assert [unit.query for unit in cut_units(text, marked, 3)] == [
        "No fever or cough.",
        "Seen in clinic today.",
    ]
