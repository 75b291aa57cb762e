"""Small word vectors that need no training: letters of groups of words hashed to rows."""

from functools import cache

import numpy as np

from deidstream.models.kneo.words.word_vectors import (
    WordFacts,
    WordModel,
    WordVectors,
    build_word_vectors,
)
from support.embedding import HashEmbedder

WORDS = tuple(
    """
    pain ache fever cough rash knee elbow shoulder ankle wrist hip liver spleen kidney lung
    heart patient woman man boy girl nurse doctor surgeon today yesterday tomorrow weekly
    monthly the of with without and or denies reports notes states left right upper lower
    mild severe moderate smith rose may tablets capsules injections swelling tenderness
    redness warmth numbness
    """.split()  # noqa: SIM905
)
NGRAMS = 64


@cache
def small_vectors(model: WordModel = WordModel.WORD2VEC) -> WordVectors:
    """Vectors of ``WORDS``; those of FastText have n-grams of three letters too."""
    embedder = HashEmbedder(dimension=16)
    rows = embedder.embed([f"{word} {word[:1]}" for word in WORDS])
    count = NGRAMS if model is WordModel.FASTTEXT else 0
    ngrams = embedder.embed([f"row {number}" for number in range(count)])
    facts = WordFacts(model, 16, len(WORDS), count, 3 if count else 0, 4 if count else 0, {})
    return build_word_vectors(facts, WORDS, rows, np.asarray(ngrams, np.float32))
