"""Learn vectors of words by gensim; the same corpus, plan and seed give the same bytes."""

import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
from gensim.models import FastText, Word2Vec

from deidstream.models.kneo.words.word_vectors import (
    WordFacts,
    WordModel,
    WordVectors,
    build_word_vectors,
)
from deidstream.schemas.errors import Refused

_LONGEST_RUN: Final = 10_000
"""Words of a list that gensim reads; it leaves the rest out."""


@dataclass(frozen=True, slots=True)
class VectorPlan:
    """How vectors of words are learnt; the default is that of Alves et al., section 4.3."""

    dimension: int = 256
    window: int = 15
    min_count: int = 1
    """Occurrences below which a word is left out."""
    negative: int = 5
    """Words drawn as negative examples of each pair."""
    epochs: int = 100
    skip_gram: bool = False
    """Skip-gram; else continuous bag of words."""
    shortest: int = 3
    longest: int = 6
    """FastText: characters of n-grams."""
    ngrams: int = 50_000
    """FastText: rows that n-grams share."""
    seed: int = 1


def fit_word_vectors(
    notes: Sequence[Sequence[str]], plan: VectorPlan, model: WordModel
) -> WordVectors:
    """Learn the vectors of the words of notes, on one thread.

    Raises:
        Refused: The notes have too few words.
    """
    learnt = _fit(cut_runs(notes), plan, model)
    words = tuple(learnt.wv.index_to_key)
    by_ngram = model is WordModel.FASTTEXT
    ngrams = learnt.wv.vectors_ngrams if by_ngram else np.zeros((0, plan.dimension), np.float32)
    facts = WordFacts(
        model=model,
        dimension=plan.dimension,
        words=len(words),
        ngrams=len(ngrams),
        shortest=plan.shortest if by_ngram else 0,
        longest=plan.longest if by_ngram else 0,
        training=asdict(plan),
    )
    return build_word_vectors(facts, words, learnt.wv.vectors, ngrams)


def _fit(runs: list[list[str]], plan: VectorPlan, model: WordModel) -> Any:  # noqa: ANN401
    settings: dict[str, Any] = {
        "sentences": runs,
        "vector_size": plan.dimension,
        "window": plan.window,
        "min_count": plan.min_count,
        "negative": plan.negative,
        "epochs": plan.epochs,
        "sg": int(plan.skip_gram),
        "seed": plan.seed,
        "workers": 1,
        "hashfxn": hash_word,
    }
    kind = Word2Vec
    if model is WordModel.FASTTEXT:
        kind = FastText
        settings |= {"min_n": plan.shortest, "max_n": plan.longest, "bucket": plan.ngrams}
    try:
        return kind(**settings)
    except RuntimeError:
        msg = "the notes have too few words to learn vectors from"
        raise Refused(msg) from None


def hash_word(word: str) -> int:
    """Hash a word the same way in every process, unlike ``hash``."""
    return zlib.crc32(word.encode())


def cut_runs(notes: Sequence[Sequence[str]]) -> list[list[str]]:
    """Cut notes into lists of words that gensim reads to their end."""
    return [
        list(words[begin : begin + _LONGEST_RUN])
        for words in notes
        for begin in range(0, len(words), _LONGEST_RUN)
    ]
