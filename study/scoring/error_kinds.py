"""Classify the errors of a note: missed, wrong label, boundary, spurious."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from deidstream.schemas.label import PhiLabel
from deidstream.study.scoring.match import Extent


class ErrorKind(StrEnum):
    """How a predicted span differs from gold."""

    MISSED = "missed"
    """Nothing was predicted on the gold span."""
    WRONG_LABEL = "wrong label"
    """Something was, under another label; its extent may be wrong too."""
    BOUNDARY = "boundary"
    """The label is right, the extent is not."""
    SPURIOUS = "spurious"
    """A predicted span that touches no gold span: a false alarm."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One error of one note."""

    kind: ErrorKind
    gold: Extent | None
    """``None`` for the spurious."""
    predicted: Extent | None
    """``None`` for the missed. Where several touch the gold span: of its label before others, then
    the one that shares most characters with it."""

    @property
    def place(self) -> tuple[int, int]:
        """``[start, end)`` of both together."""
        sides = [side for side in (self.gold, self.predicted) if side is not None]
        return min(side.start for side in sides), max(side.end for side in sides)

    @property
    def labels(self) -> tuple[PhiLabel | None, PhiLabel | None]:
        """Labels of gold and predicted."""
        return self.gold and self.gold.label, self.predicted and self.predicted.label


def find_mistakes(gold: Sequence[Extent], predicted: Sequence[Extent]) -> tuple[Mistake, ...]:
    """List the errors of one note in order of place: at most one a gold span, and the spurious.

    Predicted spans that overlap each other count as the longest of them, stretched over all, unless
    one is just a gold span: what is redacted twice is redacted once.

    Args:
        gold: Disjoint, in order.
        predicted: Distinct, in order.
    """
    exact = {one[:2]: one for one in predicted}
    exact |= {one[:2]: one for one in set(gold).intersection(predicted)}
    parts = _disjoint(predicted)
    mistakes = [*_on_gold(gold, parts, exact), *_spurious(gold, parts)]
    return tuple(sorted(mistakes, key=lambda mistake: mistake.place))


def _on_gold(
    gold: Sequence[Extent],
    predicted: Sequence[Extent],
    exact: dict[tuple[int, int], Extent],
) -> Iterator[Mistake]:
    for one, touching in zip(gold, _touching(gold, predicted), strict=True):
        best = exact.get((one.start, one.end)) or _best(one, touching)
        if best is None:
            yield Mistake(ErrorKind.MISSED, one, None)
        elif best.label is not one.label:
            yield Mistake(ErrorKind.WRONG_LABEL, one, best)
        elif best != one:
            yield Mistake(ErrorKind.BOUNDARY, one, best)


def _best(one: Extent, touching: Sequence[Extent]) -> Extent | None:
    return max(
        touching,
        key=lambda other: (
            other.label is one.label,
            min(one.end, other.end) - max(one.start, other.start),
            -other.start,
        ),
        default=None,
    )


def _spurious(gold: Sequence[Extent], predicted: Sequence[Extent]) -> Iterator[Mistake]:
    for other, touching in zip(predicted, _touching(predicted, gold), strict=True):
        if not touching:
            yield Mistake(ErrorKind.SPURIOUS, None, other)


def _touching(ones: Sequence[Extent], others: Sequence[Extent]) -> Iterator[list[Extent]]:
    """For each of ``ones``, the ``others`` that share a character; both disjoint and in order."""
    place = 0
    for one in ones:
        while place < len(others) and others[place].end <= one.start:
            place += 1
        ahead = place
        while ahead < len(others) and others[ahead].start < one.end:
            ahead += 1
        yield list(others[place:ahead])


def _disjoint(predicted: Sequence[Extent]) -> list[Extent]:
    parts: list[Extent] = []
    longest = 0
    for one in predicted:
        length = one.end - one.start
        if not parts or one.start >= parts[-1].end:
            parts.append(one)
            longest = length
            continue
        last = parts[-1]
        label = one.label if length > longest else last.label
        longest = max(longest, length)
        parts[-1] = Extent(last.start, max(last.end, one.end), label)
    return parts
