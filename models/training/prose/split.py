"""Tell which notes of MTSamples may be trained on.

Its two classification tasks divide the notes; near-duplicates stand on one side. What a task tests
with is never trained on, nor is a note of no task, which may be the twin of one.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from string import punctuation

from deidstream.models.training.prose.folders import rows

_TASKS = ("task_specialty.jsonl", "task_note_type.jsonl")
# What parts words.
_APART = dict.fromkeys(map(ord, punctuation), " ")
_SHINGLE = 8


class Side(StrEnum):
    """A side of the division."""

    TRAIN = "train"
    TEST = "test"


def sides(data: Path) -> Mapping[str, Side]:
    """Return the side of each MTSamples note that is wholly on one, by its id.

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
    """Return every run of eight words of ``texts``."""
    return frozenset(each for text in texts for each in _runs(text))


def shares(text: str, known: frozenset[str]) -> bool:
    """Tell whether a run of eight words of ``text``, or all of a shorter one, is ``known``."""
    return not known.isdisjoint(_runs(text))


def _runs(text: str) -> list[str]:
    words = text.casefold().translate(_APART).split()
    last = max(len(words) - _SHINGLE, 0)
    return [" ".join(words[at : at + _SHINGLE]) for at in range(last + 1)]
