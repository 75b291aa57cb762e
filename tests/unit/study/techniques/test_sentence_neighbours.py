"""KNEO of sentences: the nearest five of other folds, never the sentence itself."""

from collections.abc import Sequence

from deidstream.schemas.label import PhiLabel
from deidstream.study.techniques.sentence_neighbours import (
    Embed,
    SentenceNeighbours,
    find_nearest,
)
from deidstream.study.techniques.technique import StudyNote
from support.embedding import HashEmbedder
from support.study_notes import study_note

EMBED = HashEmbedder().embed


def _read_embedder(_notes: Sequence[StudyNote], _fold: int) -> Embed:
    return EMBED


def test_the_nearest_are_found_and_never_itself() -> None:
    pool = ["no fever", "no fever today", "left knee pain", "right knee pain"]
    fever, knee = find_nearest(["no fever", "left knee"], pool, EMBED)
    assert fever[0] == "no fever today"
    assert "no fever" not in fever
    assert set(knee[:2]) == {"left knee pain", "right knee pain"}


def test_without_a_pool_nothing_is_near() -> None:
    assert find_nearest(["one"], [], EMBED) == [[]]


def test_sentences_come_from_other_folds_with_labels_for_identifiers() -> None:
    notes = [
        study_note("Mr. Zyx coughs at night.", ("Zyx", PhiLabel.PATIENT), fold=0),
        study_note("Mr. Wvu coughs at work.", ("Wvu", PhiLabel.PATIENT), fold=1),
    ]
    outputs = list(SentenceNeighbours("hash", _read_embedder, seed=1).anonymize(notes))
    assert [(one.own, one.text) for one in outputs] == [
        (0, "Mr. [PATIENT] coughs at work."),
        (1, "Mr. [PATIENT] coughs at night."),
    ]


def test_a_note_without_others_keeps_no_sentence() -> None:
    (output,) = SentenceNeighbours("hash", _read_embedder, seed=1).anonymize(
        [study_note("He coughs.")]
    )
    assert output.text == "[...]"
