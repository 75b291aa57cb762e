"""Learn Doc2Vec by gensim; the same texts, plan and seed give the same bytes."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import numpy as np
from gensim.models import doc2vec

from deidstream.models.kneo.documents.document_vectors import (
    DocumentFacts,
    DocumentVectors,
    build_document_vectors,
)
from deidstream.schemas.errors import Refused
from deidstream.study.vectors.fit_vectors import VectorPlan, cut_runs, hash_word

_ALPHA: Final = 0.025
_LEAST_ALPHA: Final = 0.0001
_SAMPLE: Final = 0.001


def fit_document_vectors(texts: Sequence[Sequence[str]], plan: VectorPlan) -> DocumentVectors:
    """Learn Doc2Vec with ``dm = 0`` from texts as lists of words, on one thread.

    Learning rates and the downsampling of frequent words are gensim's defaults.

    Raises:
        Refused: The texts have too few words.
    """
    tagged = [doc2vec.TaggedDocument(run, [at]) for at, run in enumerate(cut_runs(texts))]
    try:
        learnt = doc2vec.Doc2Vec(
            tagged,
            dm=0,
            vector_size=plan.dimension,
            window=plan.window,
            min_count=plan.min_count,
            negative=plan.negative,
            epochs=plan.epochs,
            alpha=_ALPHA,
            min_alpha=_LEAST_ALPHA,
            sample=_SAMPLE,
            seed=plan.seed,
            workers=1,
            hashfxn=hash_word,
        )
    except RuntimeError:
        msg = "the notes have too few words to learn vectors from"
        raise Refused(msg) from None
    words: tuple[str, ...] = tuple(map(str, learnt.wv.index_to_key))
    counts = np.array([learnt.wv.get_vecattr(word, "count") for word in words], np.int64)
    facts = DocumentFacts(
        dimension=plan.dimension,
        words=len(words),
        negative=plan.negative,
        epochs=plan.epochs,
        alpha=_ALPHA,
        least_alpha=_LEAST_ALPHA,
        sample=_SAMPLE,
        training=asdict(plan),
    )
    return build_document_vectors(facts, words, counts, learnt.syn1neg)
