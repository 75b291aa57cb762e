"""What gensim learns is embedded without it, and near to what it would infer itself."""

import random

import numpy as np
import pytest
from gensim.models import doc2vec

from deidstream.models.kneo.documents.document_embedder import DocumentEmbedder
from deidstream.schemas.errors import Refused
from deidstream.study.vectors.fit_documents import fit_document_vectors
from deidstream.study.vectors.fit_vectors import VectorPlan, hash_word
from support.pipeline import LetterCounter

LETTERS = [one + other for one in "abcdefgh" for other in "klmnopqr"]
TOPICS = [[f"{topic}{pair}" for pair in LETTERS] for topic in ("knee", "lung", "skin")]
PLAN = VectorPlan(dimension=24, window=5, epochs=40)


def sentences(seed: int, count: int) -> list[tuple[int, list[str]]]:
    rng = random.Random(seed)
    drawn = []
    for _ in range(count):
        topic = rng.randrange(len(TOPICS))
        drawn.append((topic, rng.sample(TOPICS[topic], 9)))
    return drawn


LEARNT = sentences(1, 400)
ASKED = sentences(2, 60)
VECTORS = fit_document_vectors([words for _, words in LEARNT], PLAN)


def nearest(queries: np.ndarray, rows: np.ndarray) -> list[int]:
    found: list[int] = (queries @ rows.T).argmax(axis=1).tolist()
    return found


def test_neighbours_agree_with_those_of_gensim() -> None:
    tagged = [doc2vec.TaggedDocument(words, [at]) for at, (_, words) in enumerate(LEARNT)]
    theirs = doc2vec.Doc2Vec(
        tagged, dm=0, vector_size=24, window=5, min_count=1, negative=5, epochs=40, seed=1,
        workers=1, sample=0.001, hashfxn=hash_word,
    )  # fmt: skip
    ours = DocumentEmbedder(VECTORS, LetterCounter())
    texts = [" ".join(words) for _, words in (*LEARNT, *ASKED)]
    rows = ours.embed(texts)
    inferred = np.array([theirs.infer_vector(text.split()) for text in texts])
    inferred /= np.linalg.norm(inferred, axis=1, keepdims=True)
    split = len(LEARNT)
    topics = [topic for topic, _ in LEARNT]
    asked = [topic for topic, _ in ASKED]
    by_us = [topics[at] for at in nearest(rows[split:], rows[:split])]
    by_them = [topics[at] for at in nearest(inferred[split:], inferred[:split])]
    assert np.mean(np.array(by_them) == asked) > 0.95
    assert np.mean(np.array(by_us) == asked) > 0.95
    # The cosines of all pairs go together, though each side draws negative examples of its own.
    mine, others = rows[split:] @ rows[:split].T, inferred[split:] @ inferred[:split].T
    assert np.corrcoef(mine.ravel(), others.ravel())[0, 1] > 0.8


def test_the_same_texts_are_learnt_as_the_same_bytes() -> None:
    again = fit_document_vectors([words for _, words in LEARNT], PLAN)
    assert np.array_equal(again.outputs, VECTORS.outputs)
    assert again.words == VECTORS.words


def test_too_few_words_are_refused() -> None:
    with pytest.raises(Refused, match="too few"):
        fit_document_vectors([], PLAN)
