"""Read the numbers of a sentence as values with units, so that 0.5 g and 500 mg are equal."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from deidstream.models.phi.spelled_numbers import SPELLED

_UNITS: Final = (
    ("mg", 1e-3, "mcg ug \u00b5g \u03bcg microgram micrograms"),
    ("mg", 1.0, "mg mgs milligram milligrams"),
    ("mg", 1e3, "g gm gms gram grams"),
    ("mg", 1e6, "kg kgs kilo kilos kilogram kilograms"),
    ("lb", 1.0, "lb lbs pound pounds"),
    ("ml", 1.0, "ml mls cc ccs milliliter milliliters millilitre millilitres"),
    ("ml", 1e2, "dl"),
    ("ml", 1e3, "l liter liters litre litres"),
    ("mm", 1.0, "mm millimeter millimeters millimetre millimetres"),
    ("mm", 1e1, "cm cms centimeter centimeters centimetre centimetres"),
    ("mm", 1e3, "m meter meters metre metres"),
    ("inch", 1.0, "inch inches"),
    ("inch", 12.0, "ft foot feet"),
    ("hour", 1 / 3600, "sec secs second seconds"),
    ("hour", 1 / 60, "min mins minute minutes"),
    ("hour", 1.0, "h hr hrs hour hours"),
    ("hour", 24.0, "day days"),
    ("hour", 168.0, "wk wks week weeks"),
    ("month", 1.0, "mo mos month months"),
    ("month", 12.0, "y yr yrs year years yo"),
    ("%", 1.0, "% percent"),
    ("mmhg", 1.0, "mmhg"),
    ("bpm", 1.0, "bpm"),
    ("unit", 1.0, "u iu unit units"),
    ("meq", 1.0, "meq meqs"),
    ("mmol", 1.0, "mmol"),
    ("tablet", 1.0, "tab tabs tablet tablets cap caps capsule capsules pill pills"),
    ("time", 1.0, "time times x"),
    ("pack", 1.0, "pack packs ppd"),
    ("french", 1.0, "fr french"),
    ("gauge", 1.0, "gauge"),
)
"""Unit, how many of it one is, and its spellings."""
_AMBIGUOUS: Final = frozenset({"one", "zero"})
"""Spelled numbers that are numbers before a unit only: ``one of them``."""


def read_numbers(tokens: Sequence[str]) -> Iterator[str]:
    """Yield each number of a sentence as ``value unit``; codes such as ``b12`` as they are.

    >>> list(read_numbers("0.5 g , then 500 mg for two weeks at t2 , 1,000 ml".split()))
    ['500 mg', '500 mg', '336 hour', 't2', '1000 ml']
    >>> list(read_numbers("one of 120".split()))
    ['120 ']
    """
    units = _unit_of_spellings()
    for place, word in enumerate(tokens):
        unit, size = units.get(tokens[place + 1] if place + 1 < len(tokens) else "", ("", 1.0))
        if word[0].isdigit():
            yield _write(_value_of(word) * size, unit)
        elif word in SPELLED and (unit or word not in _AMBIGUOUS):
            yield _write(SPELLED[word] * size, unit)
        elif word[0].isalpha() and not word.isalpha() and any(map(str.isdigit, word)):
            yield word


def _value_of(number: str) -> float:
    """Read a number; a comma before three digits groups them, any other is a decimal mark."""
    head, _, tail = number.rpartition(",")
    if head and (len(tail) == len("000") or "," in head or "." in head):
        number = number.replace(",", "")
    try:
        return float(number.replace(",", "."))
    except ValueError:  # of several points, such as a version: read without them
        return float(number.replace(",", "").replace(".", ""))


def _write(value: float, unit: str) -> str:
    return f"{value:.9g} {unit}"


@cache
def _unit_of_spellings() -> dict[str, tuple[str, float]]:
    return {word: (unit, size) for unit, size, words in _UNITS for word in words.split()}
