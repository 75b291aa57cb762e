"""Read notes that nobody labelled; those that something is tested with are held out.

A held-out note is never written again, not in parts either; its words teach nevertheless which
words are no names.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from string import punctuation
from typing import Self

from deidstream.study.corpus.prose.layout import lines_of, replace_placeholders
from deidstream.study.corpus.prose.prose import Passage, ProseReader
from deidstream.study.corpus.prose.rows import Row, read_rows, read_source_rows
from deidstream.study.corpus.sources import ProseSource, Splits

# Punctuation separates words.
_APART = dict.fromkeys(map(ord, punctuation), " ")
_SHINGLE = 8


@dataclass(frozen=True, slots=True)
class UnlabelledNotes:
    """The notes of a source."""

    name: str
    source: ProseSource
    kept: tuple[Row, ...] = field(repr=False)
    held_out: tuple[Row, ...] = field(repr=False)

    @classmethod
    def read(cls, name: str, source: ProseSource) -> Self:
        """Read them, in the order of the files.

        Raises:
            MissingArtefact: A file cannot be read.
            Refused: A line is not a JSON object, or lacks a field.
        """
        rows = tuple(read_source_rows(source))
        if source.splits is None:
            return cls(name, source, rows, ())
        learnt, key = _find_training_notes(source.splits), source.splits.id
        kept = tuple(row for row in rows if row.key(key) in learnt)
        held_out = tuple(row for row in rows if row.key(key) not in learnt)
        return cls(name, source, kept, held_out)

    def read_written(self) -> Iterator[str]:
        """Yield the texts that are no speech, those of held-out notes too.

        Raises:
            Refused: A line lacks a field.
        """
        for row in (*self.kept, *self.held_out):
            yield from self.written(row)

    def find_held_out(self) -> frozenset[str]:
        """Return every eight words in a row of the held-out notes.

        Raises:
            Refused: A line lacks a field.
        """
        return shingles(text for row in self.held_out for text in self.written(row))

    def read_passages(self, reading: ProseReader, apart: frozenset[str]) -> Iterator[Passage]:
        """Yield the texts that are not held out.

        Args:
            reading: Reads the texts.
            apart: Words in a row; a note with any of them is left out.

        Raises:
            Refused: A line lacks a field.
        """
        for row in self.kept:
            written = self.written(row)
            if not any(shares(text, apart) for text in written):
                for text in (*written, *map(row.text, self.source.spoken)):
                    yield reading.passage(self.name, *replace_placeholders(text))

    def written(self, row: Row) -> list[str]:
        """Return the texts of a note that are no speech, with their lines.

        Raises:
            Refused: The line lacks a field.
        """
        texts = list(map(row.text, self.source.text))
        return list(map(lines_of, texts)) if self.source.restore_lines else texts


def _find_training_notes(splits: Splits) -> set[str]:
    """Return the notes that are nowhere on another side than that of training."""
    splits_of: defaultdict[str, set[str]] = defaultdict(set)
    for path in splits.path:
        for row in read_rows(path):
            splits_of[row.key(splits.id)].add(row.key(splits.split))
    return {note for note, sides in splits_of.items() if sides == {splits.train}}


def shingles(texts: Iterable[str]) -> frozenset[str]:
    """Return every eight words in a row of ``texts``."""
    return frozenset(each for text in texts for each in _runs(text))


def shares(text: str, known: frozenset[str]) -> bool:
    """Return whether eight words in a row of ``text``, or all of a shorter one, are ``known``."""
    return not known.isdisjoint(_runs(text))


def _runs(text: str) -> list[str]:
    words = text.casefold().translate(_APART).split()
    last = max(len(words) - _SHINGLE, 0)
    return [" ".join(words[at : at + _SHINGLE]) for at in range(last + 1)]
