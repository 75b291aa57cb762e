"""Alignment of sentences: merged and shuffled notes are found, unrelated ones are not."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.study.attacks.ranking import rank_originals
from deidstream.study.attacks.sentence_alignment import compare_by_vectors, embed_whole
from deidstream.study.attacks.sentence_table import read_sentences
from support.attacks import COMPARE, Compare
from support.embedding import HashEmbedder

DRAWS = random.Random(5)
WORDS = [f"w{number}" for number in range(400)]
NOTES = [
    [" ".join(DRAWS.choices(WORDS, k=6)).capitalize() + "." for _ in range(8)] for _ in "1234567890"
]


@pytest.fixture(params=["align", "align-words"])
def align(request: pytest.FixtureRequest) -> Compare:
    return COMPARE[request.param]


def texts(notes: list[list[str]]) -> list[str]:
    return ["\n\n".join(note) for note in notes]


def test_a_note_merged_with_others_and_shuffled_is_found(align: Compare) -> None:
    outputs = [
        [*NOTES[n][:3], *NOTES[(n + 3) % 10][:2], *NOTES[(n + 6) % 10][4:6]] for n in range(10)
    ]
    for output in outputs:
        DRAWS.shuffle(output)
    ranked = rank_originals(align(texts(NOTES), texts(outputs)), range(10))
    assert [one.rank for one in ranked] == [1] * 10


def test_other_notes_are_not_found(align: Compare) -> None:
    others = [[" ".join(DRAWS.choices(WORDS, k=6)) + "." for _ in note] for note in NOTES * 3]
    own = [number % 10 for number in range(30)]
    ranks = [one.rank for one in rank_originals(align(texts(NOTES), texts(others)), own)]
    assert 2 < sum(ranks) / len(ranks) < 9


def test_it_is_the_mean_of_the_nearest_sentences() -> None:
    rows = COMPARE["align"](
        ["Knee hurts.\n\nLungs clear.", "Lungs clear."], ["Lungs clear.\n\nKnee hurts."]
    )
    embedder = HashEmbedder()
    one, other = embedder.embed(["Lungs clear.", "Knee hurts."])
    assert rows[0].tolist() == pytest.approx([1, (1 + float(one @ other)) / 2], abs=1e-3)


def test_a_sentence_counts_as_often_as_it_stands_there(align: Compare) -> None:
    (row,) = align(["Knee hurts.", "Lungs clear."], ["Knee hurts.\n\nKnee hurts.\n\nLungs clear."])
    assert row[0] > row[1]


def test_notes_without_sentences_are_alike_to_none(align: Compare) -> None:
    one, other = align(["", "Knee hurts."], ["", "Knee hurts."])
    assert (one.tolist(), other[0]) == ([0, 0], 0)
    assert [row.tolist() for row in align(["", ""], ["Knee hurts."])] == [[0, 0]]


@given(seed=st.integers(0, 99))
def test_products_are_exact_whatever_is_compared_beside_them(seed: int) -> None:
    table = read_sentences(["\n\n".join(note) for note in NOTES])
    vectors = embed_whole(table, HashEmbedder(dimension=384).embed)
    every = list(range(len(vectors)))
    exact = vectors.astype(np.float64)
    some = random.Random(seed).sample(every, 5)
    rows = np.stack(list(compare_by_vectors(vectors, every, some))).astype(np.float64)
    assert (np.round(rows * 2048**2) == exact[some] @ exact.T).all()
