"""KNEO of words: what is drawn from, and that folds are apart."""

import pytest

from deidstream.models.kneo.words.word_vectors import WordModel
from deidstream.study.techniques.word_neighbours import (
    LearntWords,
    ShippedWords,
    WordNeighbours,
    WordShelf,
)
from deidstream.study.vectors.fit_vectors import VectorPlan
from support.study_notes import study_note

WAY = LearntWords("CBOW", WordModel.WORD2VEC, VectorPlan(dimension=8, epochs=1))
NOTES = [
    study_note("knee pain after fall", fold=0),
    study_note("wrist swelling since Tuesday", fold=1),
    study_note("elbow bruise 3 days", fold=1),
]


def test_words_become_words_of_other_folds() -> None:
    shelf = WordShelf(NOTES)
    technique = WordNeighbours(WAY, shelf, 3, 14, seed=1)
    assert technique.name == "KNEO words CBOW 3-14"
    outputs = list(technique.anonymize(NOTES))
    # What no other fold holds has no vector.
    assert outputs[0].text == "[UNK] [UNK] [UNK] [UNK]"
    assert shelf.read(WAY, 0).vectors.places.keys() == {
        *("wrist", "swelling", "since", "tuesday", "elbow", "bruise", "days"),
    }
    assert outputs[2].text == "[UNK] [UNK] [NUMBER] [UNK]"


def test_settings_of_one_way_share_their_vectors() -> None:
    shelf = WordShelf(NOTES)
    assert shelf.read(WAY, 0) is shelf.read(WAY, 0)
    assert shelf.read(WAY, 0) is not shelf.read(WAY, 1)


@pytest.mark.slow
def test_shipped_vectors_are_loaded_once_for_all_folds() -> None:
    shelf = WordShelf(NOTES)
    assert shelf.read(ShippedWords(), 0) is shelf.read(ShippedWords(), 1)


def test_a_known_word_becomes_one_of_its_n_nearest() -> None:
    notes = [
        study_note("knee pain knee swelling hip fracture bruise", fold=0),
        study_note("knee pain hip swelling shoulder fracture", fold=1),
    ]
    shelf = WordShelf(notes)
    output = next(WordNeighbours(WAY, shelf, 3, 3, seed=1).anonymize(notes))
    near = shelf.read(WAY, 0)
    for before, after in zip(notes[0].text.split(), output.text.split(), strict=True):
        known = near.of(before)[:3]
        assert after in known if known else after == "[UNK]"
        assert after != before
