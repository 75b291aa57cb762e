"""The three ways of comparing notes, as one kind of function."""

from collections.abc import Callable, Sequence

from deidstream.models.attacks.dense import compare_vectors, embed_notes, read_sentences
from deidstream.models.attacks.jaccard import compare_word_sets
from deidstream.models.attacks.ranking import Ranked
from deidstream.models.attacks.tfidf import compare_rare_words
from deidstream.models.attacks.word_rows import Similarities
from support.embedding import HashEmbedder

Compare = Callable[[Sequence[str], Sequence[str]], list[Similarities]]
Attack = Callable[[Sequence[str], Sequence[str], Sequence[int]], list[Ranked]]


def compare_dense(candidates: Sequence[str], outputs: Sequence[str]) -> list[Similarities]:
    embedder = HashEmbedder()
    table = read_sentences([*candidates, *outputs])
    vectors = embed_notes(table, embedder.embed, embedder.dimension)
    return list(compare_vectors(vectors[: len(candidates)], vectors[len(candidates) :]))


COMPARE: dict[str, Compare] = {
    "jaccard": lambda candidates, outputs: list(compare_word_sets(candidates, outputs)),
    "tfidf": lambda candidates, outputs: list(compare_rare_words(candidates, outputs)),
    "dense": compare_dense,
}
