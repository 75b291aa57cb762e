"""Figures of an index: what it holds, what it repeats, and how near its sentences are."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from deidstream.models.kneo.index import Index
from deidstream.models.kneo.slots import find_slots
from deidstream.models.references.common_lines import comparison_key
from deidstream.study.pools.near_duplicates import find_near_duplicates

LENGTHS: Final = (5, 10, 15, 20, 30, 40, 50, 60)
"""Upper ends of the classes of words; what is longer has a class of its own."""
COSINES: Final = tuple(round(0.3 + 0.05 * step, 2) for step in range(15))
"""Upper ends of the classes of cosines, up to 1."""
SAMPLED: Final = 500
"""Sentences whose nearest other is looked for."""
_ITSELF_AND_ONE: Final = 2


@dataclass(frozen=True, slots=True)
class IndexFigures:
    """Figures of an index; none of them holds a sentence or a name."""

    with_slots: int
    slots: Mapping[str, int]
    """Slots by label."""
    donors: int
    several: int
    """Sentences of several patients."""
    same: int
    """Sentences with the words of one before."""
    similar: int
    """Sentences with nearly the words of one before, the same ones left out."""
    lengths: Sequence[int]
    """Sentences by the classes of ``LENGTHS``."""
    sampled: int
    nearest: Sequence[int]
    """Sampled sentences by the cosine of the nearest other, in the classes of ``COSINES``."""
    median: float
    """Median of these cosines."""


def measure_index(index: Index, progress: Callable[[int, int], None]) -> IndexFigures:
    """Measure an index.

    Args:
        index: Any.
        progress: Called with the sentences compared and in all.
    """
    texts = index.texts
    slots = Counter(slot.label.value for text in texts for slot in find_slots(text))
    first = find_near_duplicates(texts, progress)
    same = len(texts) - len({comparison_key(text) for text in texts})
    repeated = sum(place != near for place, near in enumerate(first))
    cosines = find_nearest_cosines(index, SAMPLED)
    return IndexFigures(
        with_slots=sum(bool(find_slots(text)) for text in texts),
        slots=dict(sorted(slots.items())),
        donors=len(index.donors.names),
        several=int((np.diff(index.donors.lists.ends) > 1).sum()),
        same=same,
        similar=repeated - same,
        lengths=_count_classes([float(len(text.split())) for text in texts], LENGTHS),
        sampled=len(cosines),
        nearest=_count_classes(cosines, COSINES),
        median=round(float(np.median(cosines)), 4) if cosines else 0.0,
    )


def find_nearest_cosines(index: Index, most: int) -> list[float]:
    """Return the cosine of the nearest other of up to ``most`` sentences, evenly taken."""
    step = -(-len(index.texts) // most)
    rows = list(range(0, len(index.texts), step))
    found = index.search(index.vectors_of(rows), _ITSELF_AND_ONE)
    nearest = (
        next((one.cosine for one in near if one.row != row), None)
        for row, near in zip(rows, found, strict=True)
    )
    return [cosine for cosine in nearest if cosine is not None]


def _count_classes(values: Sequence[float], ends: Sequence[float]) -> list[int]:
    """Count values by classes that include their upper end; the last class has none."""
    places = np.searchsorted(np.array(ends), np.array(values, np.float64))
    counted: list[int] = np.bincount(places, minlength=len(ends) + 1).tolist()
    return counted


def count_bytes(index: Index) -> dict[str, int]:
    """Return about how many bytes each part takes in memory."""
    features = index.features
    columns = (features.numbers, features.drugs, features.negated, features.affirmed)
    lists = (*columns, index.donors.lists, index.notes.rows, index.notes.words)
    arrays = (features.cues, index.contexts, index.notes.vectors, index.texts.ends)
    return {
        "sentences": len(index.texts.content) + index.texts.ends.nbytes,
        "features": features.cues.nbytes + sum(c.values.nbytes + c.ends.nbytes for c in columns),
        "all but vectors": len(index.texts.content)
        + sum(map(len, (*index.donors.names, *index.notes.donors)))
        + sum(each.values.nbytes + each.ends.nbytes for each in lists)
        + sum(array.nbytes for array in arrays),
    }
