"""Compare notes by what an attack goes by; a model is loaded where one is needed."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.settings import read_settings
from deidstream.schemas.ports import Embedder
from deidstream.study.attacks.dense import compare_vectors, embed_notes
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.sentence_alignment import (
    compare_alignments,
    compare_by_vectors,
    compare_by_words,
    embed_whole,
    list_sentences,
)
from deidstream.study.attacks.sentence_table import Embed, SentenceTable, read_sentences
from deidstream.study.attacks.tfidf import compare_rare_words
from deidstream.study.attacks.word_rows import Similarities

Texts = Sequence[str]


class Likeness(StrEnum):
    """By what an attack compares notes."""

    JACCARD = "jaccard"
    TFIDF = "tfidf"
    DENSE = "dense"
    ALIGN = "align"
    """Sentences, by their vectors."""
    ALIGN_WORDS = "align-words"
    """Sentences, by their words."""


@dataclass(frozen=True, slots=True)
class NoteComparison:
    """Outputs beside candidates."""

    rows: Iterator[Similarities] = field(repr=False)
    """For each output, its similarity to every candidate; nothing is computed before its turn."""
    facts: Mapping[str, object] = field(
        default_factory=lambda: MappingProxyType({"embedder": None})
    )
    """What is to be said beside the figures, such as the digest of the embedder."""


def compare_notes(likeness: Likeness, candidates: Texts, outputs: Texts) -> NoteComparison:
    """Compare each output with all candidates.

    Raises:
        MissingArtefact: The embedder is needed and cannot be loaded.
    """
    match likeness:
        case Likeness.JACCARD:
            return NoteComparison(compare_word_sets(candidates, outputs))
        case Likeness.TFIDF:
            return NoteComparison(compare_rare_words(candidates, outputs))
        case Likeness.DENSE:
            return _compare_dense(candidates, outputs)
        case Likeness.ALIGN | Likeness.ALIGN_WORDS:
            return _align(candidates, outputs, by_words=likeness is Likeness.ALIGN_WORDS)


def show_progress(rows: Iterator[Similarities], outputs: int) -> Iterator[Similarities]:
    """Yield rows and show how many outputs are done."""
    with progress() as bar:
        task = bar.add_task("attack", total=outputs)
        for row in rows:
            yield row
            bar.advance(task)


def _compare_dense(candidates: Texts, outputs: Texts) -> NoteComparison:
    embedder = _load_embedder()
    table = read_sentences([*candidates, *outputs])
    vectors = embed_notes(table, _showing(embedder, table), embedder.dimension)
    ends = len(candidates)
    return NoteComparison(
        compare_vectors(vectors[:ends], vectors[ends:]), {"embedder": embedder.digest}
    )


def _align(candidates: Texts, outputs: Texts, *, by_words: bool) -> NoteComparison:
    table = read_sentences([*candidates, *outputs])
    notes = table.notes[: len(candidates)], table.notes[len(candidates) :]
    one, other = map(list_sentences, notes)
    if by_words:
        return NoteComparison(compare_alignments(*notes, compare_by_words(table, one, other)))
    embedder = _load_embedder()
    vectors = embed_whole(table, _showing(embedder, table))
    rows = compare_by_vectors(vectors, one, other)
    return NoteComparison(compare_alignments(*notes, rows), {"embedder": embedder.digest})


def _load_embedder() -> Embedder:
    # It brings the model libraries, which the other attacks do without.
    from deidstream.agents.runtime.load_embedder import load_embedder  # noqa: PLC0415

    return load_embedder(read_settings(os.environ))


def _showing(embedder: Embedder, table: SentenceTable) -> Embed:
    """Return the embedder's function, which shows how many sentences of the table are done."""
    bar = progress("sentences")
    task = bar.add_task("embed", total=len(table.sentences))

    def embed_and_advance(sentences: Sequence[str]) -> NDArray[np.float32]:
        bar.start()
        vectors = embedder.embed(sentences)
        bar.advance(task, len(sentences))
        if bar.finished:
            bar.stop()
        return vectors

    return embed_and_advance
