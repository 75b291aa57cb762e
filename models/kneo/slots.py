"""Slots of pool sentences: labels in place of PHI, to be filled with a note's own surrogates.

A pool sentence holds "[DATE]" where its note held a date. Filled with the date of the sentence that
it replaces, it agrees with the patient's other notes, and no surrogate of the pool's own notes can
be among those of an output.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from deidstream.schemas.label import PhiLabel

_SLOT: Final = re.compile(r"\[(" + "|".join(sorted(PhiLabel)) + r")\]")


@dataclass(frozen=True, slots=True)
class PoolSlot:
    """``[start, end)`` of a label in brackets."""

    start: int
    end: int
    label: PhiLabel


@dataclass(frozen=True, slots=True)
class Filled:
    """A pool sentence whose slots were filled."""

    text: str = field(repr=False)
    places: tuple[tuple[int, int, int], ...]
    """For each slot the number of the value that fills it, and ``[start, end)`` in ``text``."""


def find_slots(text: str) -> list[PoolSlot]:
    """Find the labels in brackets, in order.

    >>> [slot.label.value for slot in find_slots("Seen by [DOCTOR] on [DATE] [x] [OTHER].")]
    ['DOCTOR', 'DATE']
    """
    return (
        [PoolSlot(*m.span(), PhiLabel(m[1])) for m in _SLOT.finditer(text)] if "[" in text else []
    )


def write_bare(text: str) -> str:
    """Write slots as bare labels, the form in which sentences are embedded.

    >>> write_bare("Seen by [DOCTOR] today.")
    'Seen by DOCTOR today.'
    """
    return _SLOT.sub(r"\1", text) if "[" in text else text


def fill_slots(text: str, values: Sequence[tuple[PhiLabel, str]]) -> Filled | None:
    """Fill each slot with the next value of its label.

    Values keep their order, since the verifier reads the replacements of an output in order.

    Args:
        text: A pool sentence.
        values: What the replaced sentence holds, in order; each is used once.

    Returns:
        The sentence, or ``None`` where it has a slot that nothing is left for.
    """
    parts: list[str] = []
    places: list[tuple[int, int, int]] = []
    at, length, number = 0, 0, -1
    for slot in find_slots(text):
        number = _find_next(values, slot.label, number + 1)
        if number < 0:
            return None
        parts += [text[at : slot.start], values[number][1]]
        begin = length + slot.start - at
        length = begin + len(values[number][1])
        places.append((number, begin, length))
        at = slot.end
    return Filled("".join([*parts, text[at:]]), tuple(places))


def _find_next(values: Sequence[tuple[PhiLabel, str]], label: PhiLabel, first: int) -> int:
    places = range(first, len(values))
    return next((place for place in places if values[place][0] is label), -1)
