"""The port of a measure: it is given the outputs of a technique, and returns a figure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from deidstream.schemas.label import is_direct
from deidstream.study.attacks.word_rows import split_words
from deidstream.study.measures.levenshtein import find_dissimilarities
from deidstream.study.scoring.cells import NORMAL_95, wilson
from deidstream.study.techniques.technique import Output, StudyNote, Technique


class Side(StrEnum):
    """What a measure speaks of."""

    SENSITIVITY = "sensitivity"
    """Whether identifiers are gone."""
    REIDENTIFICATION = "re-identification"
    """Whether somebody who holds the originals finds the own one of an output."""
    INFORMATION = "information"
    """Whether what a note is about is still there."""
    UTILITY = "utility"
    """What a model learns from the outputs."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, with its 95 % interval where there is one."""

    value: float
    of: int
    """Items that it is the share or mean of."""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier of a note; the same words again are the same identifier."""

    words: tuple[str, ...] = field(repr=False)
    """Folded runs of letters and digits."""
    direct: bool
    """Whether it singles a person out alone; somewhere in the note, if it has several labels."""
    dissimilarity: float
    """How far, from 0 to 1, the nearest words of the output are from it."""


@dataclass(slots=True)
class Judged:
    """The outputs of a technique beside the notes they were made from."""

    notes: Sequence[StudyNote] = field(repr=False)
    outputs: Sequence[Output] = field(repr=False)
    technique: Technique | None = field(default=None, repr=False)
    """What made them; a measure may ask it for more."""
    _identifiers: list[tuple[Identifier, ...]] = field(
        default_factory=list[tuple[Identifier, ...]], repr=False
    )

    def identifiers(self) -> Sequence[tuple[Identifier, ...]]:
        """Return for each output the identifiers of its notes; they are compared once."""
        if not self._identifiers:
            self._identifiers = [self._compare(output) for output in self.outputs]
        return self._identifiers

    def _compare(self, output: Output) -> tuple[Identifier, ...]:
        directs: dict[tuple[str, ...], bool] = {}
        for number in sorted(output.members):
            note = self.notes[number]
            for span in note.spans:
                words = tuple(split_words(note.text[span.start : span.end]))
                if words:
                    directs[words] = directs.get(words, False) or is_direct(span.label)
        found = find_dissimilarities(list(directs), split_words(output.text))
        pairs = zip(directs.items(), found, strict=True)
        return tuple(Identifier(words, direct, far) for (words, direct), far in pairs)


class Measure(Protocol):
    """One measure."""

    @property
    def name(self) -> str:
        """Its short name, such as ``LRDI``."""
        ...

    @property
    def side(self) -> Side:
        """What it speaks of."""
        ...

    @property
    def meaning(self) -> str:
        """What it is, in a sentence, with its source."""
        ...

    def measure(self, judged: Judged) -> Figure | None:
        """Measure outputs; ``None`` if there is nothing to measure, as without identifiers."""
        ...


def share_of(part: int, whole: int) -> Figure | None:
    """Return a share with Wilson's interval."""
    bounds = wilson(part, whole)
    return None if bounds is None else Figure(part / whole, whole, *bounds)


def mean_of(values: Sequence[float]) -> Figure | None:
    """Return a mean with the interval of the normal distribution; none for a single value."""
    if not values:
        return None
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return Figure(mean, 1)
    spread = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    half = NORMAL_95 * math.sqrt(spread / len(values))
    return Figure(mean, len(values), mean - half, mean + half)
