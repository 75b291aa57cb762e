"""The ways of comparing notes, as one kind of function."""

from collections.abc import Callable, Sequence

from deidstream.study.attacks.dense import compare_vectors, embed_notes
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.ranking import Ranked
from deidstream.study.attacks.sentence_alignment import (
    compare_alignments,
    compare_by_vectors,
    compare_by_words,
    embed_whole,
    list_sentences,
)
from deidstream.study.attacks.sentence_table import read_sentences
from deidstream.study.attacks.tfidf import compare_rare_words
from deidstream.study.attacks.word_rows import Similarities
from support.embedding import HashEmbedder

Compare = Callable[[Sequence[str], Sequence[str]], list[Similarities]]
Attack = Callable[[Sequence[str], Sequence[str], Sequence[int]], list[Ranked]]


def compare_dense(candidates: Sequence[str], outputs: Sequence[str]) -> list[Similarities]:
    embedder = HashEmbedder()
    table = read_sentences([*candidates, *outputs])
    vectors = embed_notes(table, embedder.embed, embedder.dimension)
    return list(compare_vectors(vectors[: len(candidates)], vectors[len(candidates) :]))


def align(
    candidates: Sequence[str], outputs: Sequence[str], *, by_words: bool = False
) -> list[Similarities]:
    table = read_sentences([*candidates, *outputs])
    notes = table.notes[: len(candidates)], table.notes[len(candidates) :]
    one, other = map(list_sentences, notes)
    rows = (
        compare_by_words(table, one, other)
        if by_words
        else compare_by_vectors(embed_whole(table, HashEmbedder().embed), one, other)
    )
    return list(compare_alignments(*notes, rows))


COMPARE: dict[str, Compare] = {
    "jaccard": lambda candidates, outputs: list(compare_word_sets(candidates, outputs)),
    "tfidf": lambda candidates, outputs: list(compare_rare_words(candidates, outputs)),
    "dense": compare_dense,
    "align": align,
    "align-words": lambda candidates, outputs: align(candidates, outputs, by_words=True),
}
