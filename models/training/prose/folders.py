"""Read the folders of real prose, and choose the notes of MTSamples that may be trained on.

The two classification tasks of MTSamples divide its notes; near-duplicates are on one side. What a
task tests with is never trained on, nor is a note of no task, which may be the twin of one.
"""

import lzma
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from string import punctuation

import orjson

from deidstream.schemas.errors import MissingArtefact

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
    said: defaultdict[str, set[str]] = defaultdict(set)
    for task in _TASKS:
        for row in rows(data, f"mtsamples/{task}"):
            said[str(row["id"])].add(str(row["split"]))
    held = {note: Side.TEST for note, splits in said.items() if "test" in splits}
    kept = {note: Side.TRAIN for note, splits in said.items() if splits == {"train"}}
    return kept | held


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
