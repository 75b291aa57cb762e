"""Words that are composed of names of the note are found, and not what holds their letters."""

import pytest

from deidstream.models.detection.composed_names import find_composed_names
from deidstream.models.detection.repeated_mentions import raise_repeated_scores
from deidstream.models.detection.sweep import sweep
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span

NAMES = {
    "Giulia Zambonelli": PhiLabel.PATIENT,
    "Phaedra Okun": PhiLabel.DOCTOR,
    "Dalisay": PhiLabel.DOCTOR,
    "Tran Thi Hong Nhung": PhiLabel.PATIENT,
}


def find_names(text: str, score: float = 0.99) -> list[Span]:
    return sorted(
        Span(start, start + len(name), label, score, "tagger")
        for name, label in NAMES.items()
        if (start := text.find(name)) >= 0
    )


def found_in(text: str, score: float = 0.99) -> list[tuple[str, PhiLabel]]:
    found = find_composed_names(text, find_names(text, score))
    return [(text[one.start : one.end], one.label) for one in found]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Giulia Zambonelli. photo_gzambonelli_R_heel.jpg", "gzambonelli"),
        ("Giulia Zambonelli. photo_zambonelligiulia_R.jpg", "zambonelligiulia"),
        ("Giulia Zambonelli. Scan ZAMBONELLIGIULIA pg 2", "ZAMBONELLIGIULIA"),
        ("Giulia Zambonelli. Portal: GZambonelli, reset", "GZambonelli"),
        ("Giulia Zambonelli. wrote as zambonellig at 0200", "zambonellig"),
        ("Dr Zambonelli, was Giulia Zambonelli. zambonellipaola_R.jpg", "zambonellipaola"),
        ("Phaedra Okun MD, pokun", "pokun"),
        ("','Dr Dalisay','edalisay'),", "edalisay"),
        ("Tran Thi Hong Nhung | nhungtth | 4471", "nhungtth"),
        ("Dalisay. by dalisayrn 0400", "dalisayrn"),
    ],
)
def test_a_word_that_is_composed_of_names_is_found(text: str, word: str) -> None:
    assert found_in(text) == [(word, PhiLabel.USERNAME)]
    assert word in {text[one.start : one.end] for one in sweep(text, find_names(text))}


def test_the_plural_of_a_name_is_a_person() -> None:
    text = "Giulia Zambonelli. The Zambonellis moved"
    assert found_in(text) == [("Zambonellis", PhiLabel.PATIENT)]


@pytest.mark.parametrize(
    "text",
    [
        "Phaedra Okun MD, tokunx level, okunic acid",
        "Phaedra Okun MD. rokun",
        "Tran Thi Hong Nhung. hongkong flu, thionamide",
        "Giulia Zambonelli. zambonellioma was excluded, prezambonelli",
        "Giulia Zambonelli and zambonelli, GIULIA",
        "no name at all: gzambonelli",
    ],
)
def test_letters_within_another_word_are_no_name(text: str) -> None:
    assert found_in(text) == []


def test_an_unsure_name_is_looked_for_in_no_word() -> None:
    assert found_in("Giulia Zambonelli. gzambonelli", score=0.6) == []


@pytest.mark.parametrize("name", ["zambonelli_donor", "dr.zambonelli", "gzambonelli.pdf"])
def test_a_user_name_is_as_sure_as_the_name_that_it_holds(name: str) -> None:
    text = f"Giulia Zambonelli. file {name}"
    user = Span(text.index(name), len(text), PhiLabel.USERNAME, 0.4, "tagger")
    other = Span(19, 23, PhiLabel.USERNAME, 0.4, "tagger")
    spans = [*find_names(text), other, user]
    assert [one.score for one in raise_repeated_scores(text, spans)] == [0.99, 0.4, 0.99]
