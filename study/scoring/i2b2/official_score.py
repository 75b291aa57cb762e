"""Score tags against tags as the evaluation scripts of i2b2/UTHealth 2014 do."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from types import MappingProxyType
from typing import NamedTuple

import re2

from deidstream.study.scoring.i2b2.official_cells import I2b2Cell, I2b2Criterion
from deidstream.study.scoring.i2b2.tags import PHI, I2b2Note, InvalidI2b2, Tag

REACH: Mapping[I2b2Criterion, int] = MappingProxyType(
    {I2b2Criterion.STRICT: 0, I2b2Criterion.RELAXED: 2, I2b2Criterion.TOKEN: 0}
)
"""Characters by which the ends of equal items may differ."""
_PIECE = re2.compile("[a-zA-Z0-9]+")


@dataclass(frozen=True, slots=True)
class Hits:
    """Items, tags or tokens, of one note or of all."""

    found: int = 0
    """True positives."""
    spurious: int = 0
    """False positives."""
    missed: int = 0
    """False negatives."""

    @property
    def rates(self) -> "Rates":
        """Precision, recall and F1."""
        return rates(
            _share(self.found, self.found + self.spurious),
            _share(self.found, self.found + self.missed),
        )


@dataclass(frozen=True, slots=True)
class Rates:
    """Each 0 where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class CellScore:
    """The score of one cell."""

    cell: I2b2Cell
    hits: Hits
    """Summed over the notes."""
    micro: Rates
    macro: Rates
    """Means over the notes; F1 is made of these means. A note that has no tag in a cell, neither in
    gold nor found, counts as 0, as in the script: the macro HIPAA cells are low for that."""
    precision_deviation: float
    """Standard deviation over the notes, divided by their number, not by one less."""
    recall_deviation: float


class _Item(NamedTuple):
    tag: Tag
    start: int
    end: int


_Key = tuple[str | int, ...]
_Place = tuple[_Key, int]
_Side = Mapping[I2b2Criterion, Sequence[_Item]]


def score_i2b2(
    pairs: Iterable[tuple[I2b2Note, I2b2Note]], cells: Sequence[I2b2Cell]
) -> tuple[CellScore, ...]:
    """Score found tags against gold.

    Time and memory are linear in the tags and in the text within them; where tags overlap, that
    text counts once for each.

    Args:
        pairs: Gold and found tags of each note, whose texts are the same.
        cells: The cells to count.

    Returns:
        A score for each of ``cells``, in their order.

    Raises:
        InvalidI2b2: The texts of a pair differ.
    """
    sides: list[tuple[_Side, _Side]] = []
    for gold, found in pairs:
        check_texts(gold, found)
        sides.append((_items(gold), _items(found)))
    return tuple(_score(cell, sides) for cell in cells)


def check_texts(gold: I2b2Note, found: I2b2Note) -> None:
    """Check that both files are of the same note.

    Raises:
        InvalidI2b2: Their texts differ.
    """
    if gold.text != found.text:
        msg = "its text is not that of gold"
        raise InvalidI2b2(msg)


def rates(precision: float, recall: float) -> Rates:
    """Add their harmonic mean; 0 where both are 0."""
    return Rates(precision, recall, 2 * _share(precision * recall, precision + recall))


def _items(note: I2b2Note) -> _Side:
    tags = [_Item(tag, tag.start, tag.end) for tag in note.tags]
    pieces = [piece for tag in note.tags for piece in _pieces(note.text, tag)]
    return {
        I2b2Criterion.STRICT: tags,
        I2b2Criterion.RELAXED: tags,
        I2b2Criterion.TOKEN: pieces,
    }


def _pieces(text: str, tag: Tag) -> Iterator[_Item]:
    runs = [match.span() for match in _PIECE.finditer(text[tag.start : tag.end])]
    # A tag without a letter or digit is one empty token at its end, so that it counts.
    length = tag.end - tag.start
    for start, end in runs or [(length, length)]:
        yield _Item(tag, tag.start + start, tag.start + end)


def _score(cell: I2b2Cell, sides: Sequence[tuple[_Side, _Side]]) -> CellScore:
    notes = [_compare(cell, *both) for both in sides]
    hits = Hits(
        sum(note.found for note in notes),
        sum(note.spurious for note in notes),
        sum(note.missed for note in notes),
    )
    precisions = [note.rates.precision for note in notes]
    recalls = [note.rates.recall for note in notes]
    macro = rates(_mean(precisions), _mean(recalls))
    return CellScore(cell, hits, hits.rates, macro, _deviation(precisions), _deviation(recalls))


def _compare(cell: I2b2Cell, gold: _Side, found: _Side) -> Hits:
    reach = REACH[cell.criterion]
    ones, others = (_distinct(_places(cell, side), reach) for side in (gold, found))
    missed = sum(not _near(one, others, reach) for one in ones)
    spurious = sum(not _near(other, ones, reach) for other in others)
    # The script intersects two sets, which keeps those of the smaller; in the relaxed cells two
    # ends of one side may be near one end of the other, so the sides need not agree.
    met = len(others) - spurious if len(others) <= len(ones) else len(ones) - missed
    return Hits(met, spurious, missed)


def _places(cell: I2b2Cell, side: _Side) -> Iterator[_Place]:
    return (_place(cell, item) for item in side[cell.criterion] if cell.counts(item.tag))


def _place(cell: I2b2Cell, item: _Item) -> _Place:
    tag, is_token = item.tag, cell.criterion is I2b2Criterion.TOKEN
    # The script forgets the element PHI where it makes tags binary.
    if not cell.typed and (is_token or tag.element != PHI):
        return (item.start,), item.end
    # It compares tags in capitals, and tokens as they are written.
    type_name = tag.type_name if is_token else tag.type_name.upper()
    return (tag.element, type_name, item.start), item.end


def _distinct(places: Iterable[_Place], reach: int) -> set[_Place]:
    """Keep, in the order of the file, what is near nothing kept before, as the script's sets do."""
    kept: set[_Place] = set()
    for place in places:
        if not _near(place, kept, reach):
            kept.add(place)
    return kept


def _near(place: _Place, places: set[_Place], reach: int) -> bool:
    key, end = place
    return any((key, end + shift) in places for shift in range(-reach, reach + 1))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def _deviation(values: Sequence[float]) -> float:
    middle = _mean(values)
    return math.sqrt(_mean([(value - middle) ** 2 for value in values]))
