"""Mean sentence vectors: what they are the mean of, and what is embedded."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from deidstream.study.attacks.dense import compare_vectors, embed_notes
from deidstream.study.attacks.sentence_table import read_sentences
from support.embedding import HashEmbedder

EMBEDDER = HashEmbedder()


def vectors_of(*texts: str) -> NDArray[np.float64]:
    return embed_notes(read_sentences(texts), EMBEDDER.embed, EMBEDDER.dimension)


def test_a_note_is_the_mean_of_its_sentences() -> None:
    note, one, other = vectors_of(
        "Knee hurts. Lungs clear. Lungs clear.", "Knee hurts.", "Lungs clear."
    )
    mean = one + 2 * other
    assert np.allclose(note, mean / np.linalg.norm(mean), atol=1e-6)


def test_a_sentence_is_embedded_once() -> None:
    embedder = HashEmbedder()
    table = read_sentences(["Lungs clear. Knee hurts."] * 300 + ["Lungs clear."])
    embed_notes(table, embedder.embed, embedder.dimension)
    assert embedder.calls == [2]


def test_many_sentences_are_embedded_in_several_calls() -> None:
    embedder = HashEmbedder()
    table = read_sentences([f"Number {number} is here." for number in range(600)])
    embed_notes(table, embedder.embed, embedder.dimension)
    assert embedder.calls == [256, 256, 88]


def test_a_note_without_sentences_is_alike_to_none() -> None:
    empty, note = vectors_of("", "Knee hurts.")
    (row,) = compare_vectors(np.stack([empty, note]), empty[None])
    assert row.tolist() == [0, 0]


@given(notes=st.lists(st.permutations(["Knee hurts.", "Lungs clear.", "He walks."]), min_size=2))
def test_the_order_of_sentences_does_not_matter(notes: Sequence[Sequence[str]]) -> None:
    rows = vectors_of(*map("\n\n".join, notes))
    assert (rows == rows[0]).all()


def test_sentences_have_one_order_whatever_the_notes() -> None:
    numbered = [f"Number {number} is here." for number in range(100, 120)]
    table = read_sentences([" ".join(numbered[::-1]), "Cough. " + numbered[3]])
    assert table.sentences == [*numbered, "Cough."]


def test_equal_notes_tie_wherever_they_stand() -> None:
    rows = np.random.default_rng(0).normal(size=(3, 383)).astype(np.float32)
    vectors = {f"Number {n} is here.": row / np.linalg.norm(row) for n, row in enumerate(rows)}
    text = " ".join(vectors)
    texts = [" ".join([text] * times) for times in (1, 3, 5, 6, 7)] * 5

    def embed(sentences: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([vectors[sentence] for sentence in sentences])

    notes = embed_notes(read_sentences(texts), embed, 383)
    assert [set(row.tolist()) for row in compare_vectors(notes, notes)] == [{1.0}] * len(texts)
