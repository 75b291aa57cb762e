"""Mentions of one original, and whether what stands in their place shows it."""

from collections.abc import Sequence

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Replacement, Span
from deidstream.study.scoring.one_surrogate import (
    Agreement,
    Comparison,
    Relation,
    compare_mentions,
    count_agreements,
)
from deidstream.study.scoring.written_words import Writing, cut_words, write_words

LEFT = "left"
Given = tuple[str, PhiLabel, str]
NAME, DOCTOR, HOSPITAL = PhiLabel.PATIENT, PhiLabel.DOCTOR, PhiLabel.HOSPITAL


def compare(*given: Given) -> tuple[Comparison, ...]:
    """Compare mentions that stand in a note one behind the other, each with its surrogate."""
    text, spans, replaced = "", list[Span](), list[Replacement]()
    for original, label, surrogate in given:
        span = Span(len(text), len(text) + len(original), label)
        spans.append(span)
        text += original + " ; "
        if surrogate != LEFT:
            replaced.append(Replacement(span, surrogate, "surrogate"))
    return compare_mentions(LabelledNote(RawNote("n", "p", text), tuple(spans)), replaced)


def judge(relation: Relation, *given: Given) -> list[Agreement]:
    return [one.agreement for one in compare(*given) if one.relation is relation]


@pytest.mark.parametrize(
    ("relation", "first", "second", "right", "wrong"),
    [
        (Relation.NAME, ("Jane Hollis", NAME), ("HOLLIS", NAME), "WEIR", "BAIN"),
        (Relation.NAME, ("Jane Hollis", NAME), ("Hollis, Jane", NAME), "Weir, Ada", "Ada, Weir"),
        (Relation.INITIALS, ("Jane Hollis", NAME), ("JH", DOCTOR), "AW", "AB"),
        (Relation.INITIALS, ("Jane Hollis", NAME), ("H.J.", DOCTOR), "W.A.", "A.W."),
        (Relation.SHORT_FORM, ("Jane Hettiarachchi", NAME), ("Hetti", NAME), "Weir", "Bain"),
        (Relation.SLIP, ("Tomasz Wielgosz", NAME), ("Wielgoz", NAME), "Weir", "Bain"),
        (
            Relation.HANDLE,
            ("Jane Hollis", NAME),
            ("jhollis2", PhiLabel.USERNAME),
            "aweir4",
            "abain4",
        ),
        (
            Relation.HANDLE,
            ("Jane Hollis", NAME),
            ("j.hollis@quill.example", PhiLabel.EMAIL),
            "a.weir@example.com",
            "a.bain@example.com",
        ),
    ],
)
def test_mentions_of_one_person_agree_or_differ(
    relation: Relation,
    first: tuple[str, PhiLabel],
    second: tuple[str, PhiLabel],
    right: str,
    wrong: str,
) -> None:
    whole = (*first, "Ada Weir")
    assert set(judge(relation, whole, (*second, right))) == {Agreement.AGREES}
    assert Agreement.DIFFERS in judge(relation, whole, (*second, wrong))
    label = f"[{second[1]}]"
    assert set(judge(relation, whole, (*second, label))) <= {Agreement.LABEL, Agreement.DIFFERS}
    assert Agreement.AGREES not in judge(relation, whole, (*second, label))


@pytest.mark.parametrize(
    ("relation", "short", "right", "wrong"),
    [
        (Relation.PLACE, "Brigid", "Colman", "Finbar"),
        (Relation.ACRONYM, "BGH", "CGH", "FGH"),
    ],
)
def test_mentions_of_one_hospital(relation: Relation, short: str, right: str, wrong: str) -> None:
    whole = ("Brigid General Hospital", HOSPITAL, "Colman General Hospital")
    assert judge(relation, whole, (short, HOSPITAL, right)) == [Agreement.AGREES]
    assert judge(relation, whole, (short, HOSPITAL, wrong)) == [Agreement.DIFFERS]
    assert judge(relation, whole, (short, HOSPITAL, LEFT)) == [Agreement.LEFT]


def test_numbers_with_and_without_zeros_and_within_longer_ones() -> None:
    mrn, account = PhiLabel.MEDICALRECORD, PhiLabel.ACCOUNT
    whole = ("0047711", mrn, "0083360")
    assert judge(Relation.NUMBER, whole, ("47711", mrn, "83360")) == [Agreement.AGREES]
    assert judge(Relation.NUMBER, whole, ("47711", mrn, "10000")) == [Agreement.DIFFERS]
    assert judge(Relation.NUMBER, whole, ("47711", mrn, "[MEDICALRECORD]")) == [Agreement.LABEL]
    longer = ("KB-47711", account, "QT-83360")
    assert judge(Relation.NUMBER_PART, whole, longer) == [Agreement.AGREES]
    other = ("KB-47711", account, "QT-83361")
    assert judge(Relation.NUMBER_PART, whole, other) == [Agreement.DIFFERS]
    short = ("4711", mrn, "1"), ("4711", mrn, "2")
    assert not judge(Relation.NUMBER, *short)


def test_two_people_must_not_have_one_surrogate() -> None:
    hollis, moran = ("Hollis", NAME, "Weir"), ("Moran", DOCTOR, "Weir")
    assert judge(Relation.APART, hollis, moran) == [Agreement.DIFFERS]
    assert judge(Relation.APART, hollis, ("Moran", DOCTOR, "Bain")) == [Agreement.AGREES]
    assert not judge(Relation.APART, hollis, ("Holliss", DOCTOR, "Weir"))


@pytest.mark.parametrize(
    "given",
    [
        (("Jane Hollis", NAME, "Ada Weir"), ("JM", DOCTOR, "QT")),
        (("Hansen", NAME, "Weir"), ("Hanson", NAME, "Bain")),
        (("Jane Hollis", NAME, LEFT), ("JH", DOCTOR, LEFT)),
    ],
)
def test_what_only_may_be_one_or_was_not_replaced_is_not_compared(given: Sequence[Given]) -> None:
    assert not [one for one in compare(*given) if one.relation is not Relation.APART]


def test_counts_are_of_relations_and_hold_no_text() -> None:
    found = compare(("Jane Hollis", NAME, "Ada Weir"), ("Hollis", NAME, "Bain"))
    counts = count_agreements(found)
    assert counts[Relation.NAME] == {Agreement.DIFFERS: 1}
    assert "Bain" not in repr(found)


def test_words_are_written_word_by_word() -> None:
    text = "saw Jane Hollis-Frost's son Ed at Quill"
    replaced = [
        Replacement(Span(4, 23, NAME), "Ada Weir-Bain's", "surrogate"),
        Replacement(Span(28, 30, NAME), "[PATIENT]", "redact"),
        Replacement(Span(34, 39, HOSPITAL), "Bain Moor", "surrogate"),
    ]
    found = write_words(text, replaced)
    assert [(one.text, one.written, one.writing) for one in found] == [
        ("saw", "saw", Writing.LEFT),
        ("Jane", "Ada", Writing.DRAWN),
        ("Hollis", "Weir", Writing.DRAWN),
        ("Frost", "Bain", Writing.DRAWN),
        ("son", "son", Writing.LEFT),
        ("Ed", "", Writing.LABEL),
        ("at", "at", Writing.LEFT),
        ("Quill", "", Writing.MIXED),
    ]
    assert all(text[one.start : one.end] == one.text for one in found)
    assert "Hollis" not in repr(found)
    assert [word for _, word in cut_words("KB-20 O\u2019Dea\u2019s")] == ["KB", "20", "O\u2019Dea"]
