from typing import Any

import numpy as np
import pytest

from deidstream.models.references.common_lines import CommonLines
from deidstream.models.references.number_lists import NumberLists
from deidstream.models.references.own_attack import (
    ComparedNotes,
    NoteTrace,
    attack_output,
    rank_own,
)
from deidstream.models.references.reference_notes import ReferenceNotes, mean_vector
from deidstream.models.references.word_sketch import sketch_text
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.ranking import rank_originals
from support.embedding import HashEmbedder

SALT = bytes(16)
NO_LINES = CommonLines.gather([], SALT)
EMBEDDER = HashEmbedder(dimension=64)
TEXTS = [
    "fever cough rash",
    "fever cough and a swollen left knee",
    "chest pain at night, better by day",
    "no pain at all today",
    "rash on the left arm, no fever",
]
OUTPUT = "no fever, rash on the left knee"


def trace(text: str) -> NoteTrace:
    return NoteTrace(sketch_text(text, SALT), mean_vector(EMBEDDER.embed([text])))


def references(texts: list[str]) -> ReferenceNotes:
    vectors = np.stack([trace(text).vector for text in texts])
    words = NumberLists.pack([trace(text).words for text in texts])
    kinds = np.zeros(len(texts), np.uint64)
    rows = NumberLists.pack([np.zeros(0, np.uint32)] * len(texts))
    return ReferenceNotes(("",) * len(texts), vectors, rows, words, kinds, NO_LINES, SALT)


@pytest.mark.parametrize("own", range(len(TEXTS)))
def test_the_rank_is_that_of_the_attack_among_all(own: int) -> None:
    others = TEXTS[:own] + TEXTS[own + 1 :]
    compared = ComparedNotes.choose(references(others))
    found = attack_output(trace(TEXTS[own]), trace(OUTPUT), compared).jaccard
    (expected,) = rank_originals(compare_word_sets(TEXTS, [OUTPUT]), [own])
    assert (found.rank, found.own, found.of) == (expected.rank, expected.own, len(others))


def test_notes_that_are_left_out_do_not_count() -> None:
    compared = ComparedNotes.choose(references(TEXTS[1:]))
    before = attack_output(trace(TEXTS[0]), trace(OUTPUT), compared).jaccard
    after = attack_output(trace(TEXTS[0]), trace(OUTPUT), compared, [3]).jaccard
    assert (before.rank - after.rank, before.of - after.of) == (1, 1)
    assert after.best < before.best


def test_a_copy_is_found_first_by_both() -> None:
    compared = ComparedNotes.choose(references(TEXTS[1:]))
    found = attack_output(trace(TEXTS[0]), trace(TEXTS[0]), compared)
    assert (found.rank, found.jaccard.own, found.dense.own) == (1, 1.0, 1.0)
    assert found.dense.margin > 0


def test_the_rank_of_both_is_the_better_one() -> None:
    words, vector = trace(TEXTS[0]), trace(TEXTS[2])
    output = NoteTrace(words.words, vector.vector)
    found = attack_output(words, output, ComparedNotes.choose(references(TEXTS[1:])))
    assert (found.jaccard.rank, found.rank) == (1, 1)
    assert found.dense.rank > 1


@pytest.mark.parametrize(
    ("own", "others", "rank"),
    [(0.5, [0.5, 0.6, 0.1], 2), (0.0, [0.0, 0.0], 3), (0.2, [], 1), (0.0, [0.0, 0.1], 2)],
)
def test_ties_go_to_the_attacker_unless_all_tie(own: float, others: Any, rank: int) -> None:
    assert rank_own(own, np.array(others, np.float64)).rank == rank


def test_the_compared_notes_are_chosen_at_equal_steps() -> None:
    notes = references(TEXTS)
    assert ComparedNotes.choose(notes, 2).chosen.tolist() == [0, 2]
    assert ComparedNotes.choose(notes, 9).chosen.tolist() == [0, 1, 2, 3, 4]
    assert len(ComparedNotes.choose(ReferenceNotes.none(64)).chosen) == 0


def test_left_out_counts_numbers_of_notes_not_places() -> None:
    compared = ComparedNotes.choose(references(TEXTS), 2)
    assert compared.keep_but([2]).tolist() == [True, False]
