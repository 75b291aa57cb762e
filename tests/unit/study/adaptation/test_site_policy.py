"""Lists, patterns and allowed words of a site, and what keeps them harmless."""

from collections.abc import Sequence

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span
from deidstream.study.adaptation.allowed_words import SiteWords, find_allowed
from deidstream.study.adaptation.check_patterns import NotesToCheck, choose_patterns
from deidstream.study.adaptation.choose_terms import choose_terms
from deidstream.study.adaptation.identifier_forms import learn_forms, make_pattern
from deidstream.study.adaptation.master_data import MasterData
from deidstream.study.adaptation.measure import Measured, compare
from deidstream.study.corpus.marked import parse_marked_text
from deidstream.study.scoring.totals import total

DOCTOR, HOSPITAL = PhiLabel.DOCTOR, PhiLabel.HOSPITAL
NUMBERS = [f"TO/{at:03}-{at * 7:04}" for at in range(20)]


def read(*marked: str) -> list[LabelledNote]:
    return [parse_marked_text(text, f"n{at}") for at, text in enumerate(marked)]


def staff(*names: str) -> MasterData:
    master = MasterData()
    for name in names:
        given, family = name.split()
        master.add_person(given=given, family=family)
    return master


def place(note: LabelledNote, text: str) -> Span:
    start = note.note.text.index(text)
    return Span(start, start + len(text), PhiLabel.PATIENT)


def test_an_ordinary_word_is_listed_with_others_alone() -> None:
    master = staff("Ruan Trezillah", "Ysella Young")
    master.add(HOSPITAL, "Harbour")
    master.add(HOSPITAL, "Ptarmigan")
    chosen = choose_terms(master, [])
    names, wards = (chosen.lists[f"site_{label}"].terms for label in ("doctor", "hospital"))
    assert {"Trezillah", "Ruan Trezillah", "Y. Young", "Young, Ysella"} <= set(names)
    assert "Young" not in names
    assert set(wards) == {"Ptarmigan", "Harbour ward", "Harbour unit", "ward Harbour"}
    assert chosen.ordinary == 2


def test_a_term_that_readers_let_stand_is_not_listed() -> None:
    master = MasterData()
    master.add(HOSPITAL, "Trezel")
    master.add(HOSPITAL, "Skerry")
    notes = read("Trezel score 3", "trezel score 4", "to [[HOSPITAL|Skerry]]")
    chosen = choose_terms(master, notes)
    assert chosen.lists["site_hospital"].terms == ("Skerry",)
    assert chosen.let_stand == 1


def test_signatures_are_learnt_from_marks_and_listed_for_all_staff() -> None:
    master = staff("Ruan Trezillah", "Cador Keast", "Hedra Opie", "Nessa Uren", "Mor Cartwright")
    notes = read("d/w [[DOCTOR|RTR]]", "d/w [[DOCTOR|CKE]]", "[[DOCTOR|HOP]] aware")
    signed = choose_terms(master, notes).lists["site_signatures"]
    assert "NUR" in signed.terms
    assert "MCA" not in signed.terms  # an artery
    assert "site_signatures" not in choose_terms(master, notes[:2]).lists


def test_the_form_of_numbers_is_learnt() -> None:
    (form,) = learn_forms({PhiLabel.MEDICALRECORD: NUMBERS})
    assert form.expression == r"TO/\d{3}\-\d{4}"
    pattern = make_pattern(form)
    assert pattern is not None
    assert not any(number in text for text in pattern.examples for number in NUMBERS)


def test_letters_that_vary_are_any_letters_and_lengths_a_range() -> None:
    values = ["AQ12", "BW345", "CE6789", "DR1", "ET22", "FY333", "GU4444", "HI55"]
    (form,) = learn_forms({PhiLabel.IDNUM: values})
    assert form.expression == r"[A-Z]{2}\d{1,4}"
    assert not learn_forms({PhiLabel.IDNUM: values[:3]})
    assert not learn_forms({PhiLabel.IDNUM: ["ab", "cd", "ef", "gh"]})


def check(marked: Sequence[str], foreign: Sequence[str] = ()) -> NotesToCheck:
    return NotesToCheck(read(*marked), read(*foreign), [])


def test_plain_digits_are_found_behind_a_word_of_the_notes_alone() -> None:
    values = ["2210", "3345", "2981", "3117", "2765"]
    forms = learn_forms({PhiLabel.PHONE: values})
    marked = [f"call bleep [[PHONE|{value}]] or the ward" for value in values]
    chosen, left_out = choose_patterns(forms, check([*marked, "platelets 2210", "lot 4410 used"]))
    assert [one.pattern.before for one in chosen] == [("bleep",)]
    assert left_out == 0
    chosen, left_out = choose_patterns(forms, check(["platelets 2210", "lot 4410"]))
    assert (chosen, left_out) == ([], 1)


def test_a_pattern_that_flags_notes_of_other_hospitals_is_left_out() -> None:
    forms = learn_forms({PhiLabel.IDNUM: [f"mg{at}00" for at in range(1, 9)]})
    foreign = ["given mg250 and mg500", "mg100"]
    assert choose_patterns(forms, check([], foreign)) == ([], 1)
    assert len(choose_patterns(forms, check([], []))[0]) == 1


@pytest.mark.parametrize(
    ("texts", "found", "allowed"),
    [
        (["Zorvex done"] * 3, "Zorvex", ["zorvex"]),
        (["Zorvex done"] * 2, "Zorvex", []),
        (["Zorvex done"] * 3 + ["Mr [[PATIENT|Zorvex]]"], "Zorvex", []),
        (["Merlin chart"] * 3, "Merlin", ["merlin chart"]),
        (["Merlin chart"] * 3 + ["Dr [[DOCTOR|Merlin]]"], "Merlin", []),
        (["Merlin Smith"] * 3, "Merlin", []),
        (["12/15 done"] * 3, "12/15", []),
    ],
)
def test_what_readers_let_stand_is_allowed_unless_it_may_be_a_name(
    texts: list[str], found: str, allowed: list[str]
) -> None:
    notes = read(*texts)
    spans = [[place(note, found)] for note in notes]
    assert find_allowed(notes, spans, SiteWords.gather(MasterData(), notes)) == allowed


def test_words_of_one_patient_and_of_master_files_are_not_allowed() -> None:
    notes = read(*["Zorvex done"] * 3)
    spans = [[place(note, "Zorvex")] for note in notes]
    listed = SiteWords.gather(staff("Ruan Zorvex"), notes)
    assert find_allowed(notes, spans, listed) == []
    one = [parse_marked_text("Zorvex done, Zorvex, Zorvex", "n1")]
    nothing = SiteWords.gather(MasterData(), one)
    assert find_allowed(one, [[place(one[0], "Zorvex")]], nothing) == []


def test_identifiers_that_are_gained_and_lost_are_counted() -> None:
    (note,) = read("[[DOCTOR|Keast]] saw [[PATIENT|Uren]] of [[CITY|Sancrow]]")
    first, second, _ = note.spans
    before, after = Measured([[first]], total([])), Measured([[second]], total([]))
    changes = compare([note], before, after)
    assert (changes.gained, changes.lost) == (1, 1)
