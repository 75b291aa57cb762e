import random
from collections import Counter
from pathlib import Path

import pytest
import re2

from deidstream.schemas.errors import Refused
from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.frames import Draft, Point, Template, TemplateSlot, points, template
from deidstream.study.corpus.inject.cast import Cast
from deidstream.study.corpus.inject.inject import inject, inject_notes
from deidstream.study.corpus.inject.name_forms import Person
from deidstream.study.corpus.inject.style import apply_points, name_patient, sentence_for
from deidstream.study.corpus.prose.prose import Passage, ProseLine
from deidstream.study.corpus.sources import read_sources
from support.filling import SmallFilling, transcription, write_prose

PASSAGE = Passage(
    "mtsamples",
    (
        ProseLine(
            "HISTORY", (template("The patient was seen with her husband."), ("He is well.",))
        ),
        ProseLine("", (("No fever.",), ("Lungs are clear.",))),
    ),
)


def cast(seed: int = 0) -> Cast:
    return Cast.draw(SmallFilling(), random.Random(seed))


def said(speaker: Cast, text: str) -> str:
    draft = Draft()
    draft.write(template(text), speaker)
    return "".join(draft.parts)


def text_of(sentence: Template) -> str:
    shown = (f"{{{p.name}}}" if isinstance(p, TemplateSlot) else str(p) for p in sentence)
    return "".join(shown)


def test_the_patient_stays_the_same() -> None:
    someone = cast()
    full = said(someone, "{PATIENT.full}")
    assert said(someone, "{PATIENT.last}") in full
    assert said(someone, "{PATIENT.first_upper}") == full.split()[0].upper()
    assert said(someone, "{PATIENT.full}") == full


def test_kin_share_the_surname_and_strangers_need_not() -> None:
    someone = cast()
    last = said(someone, "{PATIENT.last}")
    assert said(someone, "{PATIENT:kin.last}") == last
    assert said(someone, "{DOCTOR:2.full}") == said(someone, "{DOCTOR:2.full}")


@pytest.mark.parametrize("seed", range(20))
def test_a_part_asks_for_a_form(seed: int) -> None:
    someone = cast(seed)
    assert said(someone, "{DATE.year}").isdigit()
    assert said(someone, "{HOSPITAL.named}") == "Elmhurst General Hospital"
    assert said(someone, "{HOSPITAL:2.unit}") == "4 West"
    assert len(said(someone, "{PHONE.short}")) == 4
    assert said(someone, "{AGE.number}").isdigit()


def test_an_age_of_the_prose_is_a_number_again_or_stays() -> None:
    number = TemplateSlot(PhiLabel.AGE, "AGE", "*", "number", "45")
    words = TemplateSlot(PhiLabel.AGE, "AGE", "*", "", "26 months")
    assert all(cast(seed).say(number).isdigit() for seed in range(30))
    assert {cast(seed).say(words) for seed in range(30)} == {"26 months"}


def test_names_in_pieces_make_a_person() -> None:
    person = Person.draw(SmallFilling(), PhiLabel.PATIENT, random.Random(1))
    assert person.first.isalpha()
    assert person.write("caret", random.Random(0)).startswith(f"{person.last}^".upper())
    assert "," in person.write("turned", random.Random(0))


def test_the_patient_is_named_where_prose_speaks_of_him() -> None:
    way, rng = template("{PATIENT.last}"), random.Random(0)
    sentence = ("The patient and the patient population, as the patient says.",)
    named = name_patient(sentence, way, 1.0, rng)
    assert text_of(named) == "{PATIENT} and the patient population, as {PATIENT} says."
    assert text_of(name_patient(sentence, way, 0.0, rng)) == sentence[0]


def test_what_a_pattern_found_is_written_again() -> None:
    point = Point(re2.compile(r"\b(was) (seen)\b"), 1.0, "$1 $2 on {DATE}")
    changed = apply_points(("She was seen here.",), [point], random.Random(0))
    assert text_of(changed) == "She was seen on {DATE} here."


def test_a_point_of_no_share_is_left_alone() -> None:
    point = Point(re2.compile("seen"), 0.0, "{DATE}")
    assert apply_points(("seen",), [point], random.Random(0)) == ("seen",)


def test_every_point_can_be_written() -> None:
    someone = cast()
    for point in points():
        filled = point.replacement
        for number in range(1, 10):
            filled = filled.replace(f"${number}", "x")
        assert "$" not in said(someone, filled)


def test_a_heading_chooses_the_sentences_below_it() -> None:
    kinds = {sentence_for("FAMILY HISTORY", random.Random(seed)).kind for seed in range(60)}
    assert "family" in kinds
    assert "social" not in kinds


@pytest.mark.parametrize("seed", range(40))
def test_spans_lie_within_a_note_of_prose(seed: int) -> None:
    note = inject(PASSAGE, SmallFilling(), random.Random(seed), "n")
    assert all(note.note.text[s.start : s.end].strip() for s in note.spans)


@pytest.mark.slow
def test_prose_becomes_notes(tmp_path: Path) -> None:
    kept = transcription(1, "HISTORY:, The patient is a 45-year-old man seen in March 2011.")
    held = transcription(2, "HISTORY:, The zebrafish exam was quite normal today.")
    file = write_prose(tmp_path, [kept, held], {"m-1": "train", "m-2": "test"})
    sources = read_sources(file)
    notes = list(inject_notes(sources, SmallFilling(), 3, 30))
    assert notes == list(inject_notes(sources, SmallFilling(), 3, 30))
    assert any("45" in note.note.text for note in notes)
    assert not any("zebrafish" in note.note.text for note in notes)
    assert all(note.note.text for note in notes)


def test_sources_are_drawn_by_their_shares(tmp_path: Path) -> None:
    dialog = {"split": "train", "note": "Lungs are clear.", "dialogue": ""}
    kept = transcription(1, "HISTORY:, The patient is seen.")
    sources = read_sources(write_prose(tmp_path, [kept], {"m-1": "train"}, dialogs=[dialog]))
    drawn = Counter(n.note.note_type for n in inject_notes(sources, SmallFilling(), 3, 400))
    assert set(drawn) == {"transcripts", "dialogs"}
    assert 260 < drawn["transcripts"] < 340


def test_sources_without_a_usable_sentence_are_refused(tmp_path: Path) -> None:
    sources = read_sources(write_prose(tmp_path, [], {}))
    with pytest.raises(Refused, match="no sentence of the sources"):
        next(inject_notes(sources, SmallFilling(), 3, 1))
