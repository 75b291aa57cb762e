"""How far two readers agree beyond chance: Cohen's kappa, for all labels and for each.

Source: J. Cohen, Educational and Psychological Measurement 20 (1960), 37-46; its standard error
there, formula 7.
"""

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Protocol, TypeVar

from deidstream.schemas.label import PhiLabel

_WORD = re.compile(r"\w+")
Label = TypeVar("Label", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Kappa of two readers over the same units."""

    units: int
    agreed: float
    """Share of the units of which both say the same."""
    kappa: float | None
    """1: always the same; 0: as by chance; ``None`` where both give all units one and the same
    label, so that chance explains everything."""
    low: float | None
    high: float | None


def measure_agreement(
    pairs: Mapping[tuple[Label, Label], int], confidence: float = 0.95
) -> Agreement:
    """Measure the agreement of two readers.

    Args:
        pairs: How many units have these two labels, the first reader's and the second's.
        confidence: Of the interval.
    """
    units = sum(pairs.values())
    if not units:
        return Agreement(0, 1.0, None, None, None)
    agreed = sum(count for (one, other), count in pairs.items() if one == other) / units
    firsts, seconds = Counter[Label](), Counter[Label]()
    for (one, other), count in pairs.items():
        firsts[one] += count
        seconds[other] += count
    chance = sum(firsts[label] * seconds[label] for label in firsts) / units**2
    if chance == 1:
        return Agreement(units, agreed, None, None, None)
    kappa = (agreed - chance) / (1 - chance)
    error = math.sqrt(agreed * (1 - agreed) / units) / (1 - chance)
    half = NormalDist().inv_cdf(0.5 + confidence / 2) * error
    return Agreement(units, agreed, kappa, max(-1.0, kappa - half), min(1.0, kappa + half))


def single_out(
    pairs: Mapping[tuple[Label, Label], int], label: Label
) -> dict[tuple[bool, bool], int]:
    """Return pairs in which only one label is told from all others."""
    singled = Counter[tuple[bool, bool]]()
    for (one, other), count in pairs.items():
        singled[one == label, other == label] += count
    return dict(singled)


class Stretch(Protocol):
    """A part of a text, in code points."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where the text goes on."""
        ...


class LabelledStretch(Stretch, Protocol):
    """A part of a text that a reader takes for an identifier."""

    @property
    def label(self) -> PhiLabel:
        """Of which kind."""
        ...


def pair_words(
    text: str,
    first: Sequence[LabelledStretch],
    second: Sequence[LabelledStretch],
    hidden: Sequence[Stretch] = (),
) -> Iterator[tuple[PhiLabel | None, PhiLabel | None]]:
    """Yield what two readers say of each word; ``None``: it is no part of an identifier.

    Args:
        text: What both have read.
        first: What one of them marked.
        second: What the other one marked.
        hidden: Words of these stretches do not count.
    """
    for word in _WORD.finditer(text):
        start, end = word.span()
        if not any(one.start < end and start < one.end for one in hidden):
            yield _find_label(first, start, end), _find_label(second, start, end)


def _find_label(marks: Sequence[LabelledStretch], start: int, end: int) -> PhiLabel | None:
    return next((one.label for one in marks if one.start < end and start < one.end), None)
