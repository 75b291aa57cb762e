"""Read the folders of real prose, and turn their notes into templates.

The PHI of a note becomes slots, doubtful sentences are left out. The texts cannot be copied into
the project; the caller says where they are.

The two classification tasks of MTSamples divide its notes; near-duplicates are on one side. What a
task tests with is never trained on, nor is a note of no task, which may be the twin of one.
"""

import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from string import punctuation
from types import MappingProxyType
from typing import Self

import orjson

from deidstream.models.text.sentences import Sentence, split_sentences
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.corpus.frames import Template, TemplateSlot
from deidstream.study.corpus.prose.doubts import Vocabulary, hides_work, is_clear
from deidstream.study.corpus.prose.layout import PlacedSlot, lines_of, replace_placeholders
from deidstream.study.corpus.prose.spans import Finder

Row = Mapping[str, object]


def rows(data: Path, name: str) -> Iterator[Row]:
    """Yield the JSON lines of the file ``name`` below ``data``, packed with xz or not.

    Raises:
        MissingArtefact: The file is not there.
    """
    path = data / name
    if not path.is_file():
        msg = f"{path} is not there: training prose is read from a folder of your own"
        raise MissingArtefact(msg)
    with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as lines:
        yield from (orjson.loads(line) for line in lines if line.strip())


def text_of(row: Row, name: str) -> str:
    """Return a field that is text, every line end a line feed."""
    return str(row.get(name) or "").replace("\r\n", "\n").replace("\r", "\n")


_TASKS = ("task_specialty.jsonl", "task_note_type.jsonl")
# Punctuation separates words.
_APART = dict.fromkeys(map(ord, punctuation), " ")
_SHINGLE = 8


class Side(StrEnum):
    """A side of the division."""

    TRAIN = "train"
    TEST = "test"


def sides(data: Path) -> Mapping[str, Side]:
    """Return the side of each MTSamples note that is on one side only, by its id.

    Raises:
        MissingArtefact: A task's file is not there.
    """
    splits_of: defaultdict[str, set[str]] = defaultdict(set)
    for task in _TASKS:
        for row in rows(data, f"mtsamples/{task}"):
            splits_of[str(row["id"])].add(str(row["split"]))
    test = {note: Side.TEST for note, splits in splits_of.items() if "test" in splits}
    train = {note: Side.TRAIN for note, splits in splits_of.items() if splits == {"train"}}
    return train | test


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


_MTSAMPLES = "mtsamples/mtsamples_shared.jsonl.xz"
_MTS_DIALOG = "mts_dialog/mts_dialog.jsonl.xz"
_FAMILY = "FAM"


@dataclass(frozen=True, slots=True)
class ProseLine:
    """A line of a note: its heading, which may be empty, and its sentences."""

    heading: str = field(repr=False)
    sentences: tuple[Template, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Passage:
    """A note of real prose."""

    source: str
    """Name of its folder."""
    lines: tuple[ProseLine, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ProseReader:
    """Reads texts as passages."""

    finder: Finder = field(repr=False)

    @classmethod
    def of(cls, data: Path) -> Self:
        """Learn the words of the prose below ``data``.

        Raises:
            MissingArtefact: A folder is not there.
        """
        texts = [*load_mtsamples(data).values(), *(note for note, _ in _dialogs(data))]
        return cls(Finder(Vocabulary.of(texts)))

    def passage(
        self,
        source: str,
        text: str,
        known: tuple[PlacedSlot, ...] = (),
        doubts: tuple[Span, ...] = (),
    ) -> Passage:
        """Return the usable sentences of ``text``, in lines.

        Args:
            source: Name of its folder.
            text: A note.
            known: Slots that are certain beforehand, sorted and disjoint.
            doubts: Places whose sentences are to be left out.
        """
        slots, found = self.finder.find_slots(text, known)
        view = _View(text, slots, (*found, *doubts))
        lines = (self._line(view, pieces) for pieces in _by_line(text))
        return Passage(source, tuple(line for line in lines if line.sentences))

    def _line(self, view: "_View", pieces: list[Sentence]) -> ProseLine:
        heading = ""
        if pieces[0].heading:
            heading = self._heading(view, pieces.pop(0))
        family = _FAMILY in heading.upper() or heading.upper().startswith("FH")
        written = (self._sentence(view, piece, family=family) for piece in pieces)
        return ProseLine(heading, tuple(sentence for sentence in written if sentence))

    def _heading(self, view: "_View", piece: Sentence) -> str:
        words = view.text[piece.start : piece.end].rstrip(": ")
        clear = self._sentence(view, piece, family=False) == (view.text[piece.start : piece.end],)
        return words if clear else ""

    def _sentence(self, view: "_View", piece: Sentence, *, family: bool) -> Template:
        """Return a sentence with its slots; an empty one if anything in it is doubtful."""
        if view.is_cut(piece):
            return ()
        template = tuple(view.pieces(piece))
        words = "".join(each if isinstance(each, str) else "." for each in template)
        labels = {each.label for each in template if isinstance(each, TemplateSlot)}
        hidden = hides_work(words, labelled=PhiLabel.PROFESSION in labels)
        clear = is_clear(words, self.finder.vocabulary, family=family)
        return template if clear and not hidden else ()


@dataclass(frozen=True, slots=True)
class _View:
    """A text with its slots and doubts."""

    text: str = field(repr=False)
    slots: tuple[PlacedSlot, ...]
    doubts: tuple[Span, ...]

    def is_cut(self, piece: Sentence) -> bool:
        """Return whether a doubt overlaps ``piece`` or a slot crosses its edge."""
        touched = any(d.start < piece.end and piece.start < d.end for d in self.doubts)
        crossing = (s for s in self.slots if s.start < piece.end and piece.start < s.end)
        return touched or any(s.start < piece.start or piece.end < s.end for s in crossing)

    def pieces(self, piece: Sentence) -> Iterator[str | TemplateSlot]:
        done = piece.start
        for held in self.slots:
            if piece.start <= held.start and held.end <= piece.end:
                if done < held.start:
                    yield self.text[done : held.start]
                yield held.slot
                done = held.end
        if done < piece.end:
            yield self.text[done : piece.end]


def _by_line(text: str) -> Iterator[list[Sentence]]:
    line: list[Sentence] = []
    for piece in split_sentences(text):
        if line and "\n" in text[line[-1].end : piece.start]:
            yield line
            line = []
        line.append(piece)
    if line:
        yield line


@lru_cache(maxsize=1)
def load_mtsamples(data: Path) -> Mapping[str, str]:
    """Return the notes of MTSamples with their lines restored, by id.

    Raises:
        MissingArtefact: The file is not there.
    """
    read = {str(row["id"]): lines_of(text_of(row, "text")) for row in rows(data, _MTSAMPLES)}
    return MappingProxyType(read)


def read_mtsamples(data: Path, reading: ProseReader, side: Side) -> Iterator[Passage]:
    """Yield the MTSamples notes of one side, in the order of the file."""
    where = sides(data)
    for note, text in load_mtsamples(data).items():
        if where.get(note) is side:
            yield reading.passage("mtsamples", *replace_placeholders(text))


def read_mts_dialog(data: Path, reading: ProseReader) -> Iterator[Passage]:
    """Yield the sections and the dialogues of MTS-Dialog that hold no prose of the test side."""
    where = sides(data)
    held = shingles(
        t for note, t in load_mtsamples(data).items() if where.get(note) is not Side.TRAIN
    )
    for note, dialogue in _dialogs(data):
        if not shares(note, held):
            yield reading.passage("mts_dialog", *replace_placeholders(note))
            yield reading.passage("mts_dialog", *replace_placeholders(dialogue))


def _dialogs(data: Path) -> Iterable[tuple[str, str]]:
    chosen = (row for row in rows(data, _MTS_DIALOG) if not str(row["split"]).startswith("test"))
    return ((text_of(row, "note"), text_of(row, "dialogue")) for row in chosen)
