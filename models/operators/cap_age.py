"""Put the ages over the cap into one class, ``90 or older`` (45 CFR 164.514(b)(2)(i)(C))."""

from collections.abc import Mapping
from dataclasses import dataclass

import re2

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.dates.calendar import suffix
from deidstream.models.phi.read_age import (
    AGED,
    DECADES,
    ORDINALS,
    PER_YEAR,
    SEXES,
    Age,
    normalise_age,
    read_age,
)
from deidstream.models.text.runs import recase
from deidstream.schemas.policy import RedactStyle

_DECADE = 10
_FEWEST = 4
"""Years; an ``m`` after a lower age means months."""
_SHORTEST_SHOUTED = 3
_LEADS = re2.compile(
    r"(?i)^(?:-\s?\pL|\s?(?:y/?o|y\.\s?o|y|yo[mfwb]{1,2}|years?|yrs?|m|f|male|female|man|woman|lady"
    r"|gentleman|patient|ans|a\x{f1}os|jahre|jahr)\b)"
)
"""Words after an age that make it an attribute: ``90-or-older year old``."""
_OLD = re2.compile(r"(?i)^[ -]?old\b")


@dataclass(frozen=True, slots=True)
class CapAge:
    """Ages over ``cap`` become ``90 or older``; lower ones stay, or become a band of years.

    The form follows the mention: ``91`` and ``91 years`` become ``90 or older``, ``91-year-old``
    and the ``91`` of ``91 y/o`` become ``90-or-older``, ``91F`` becomes ``90-or-older F``, ``91st``
    becomes ``90th or later``, ``90s`` becomes ``90s or older``.
    With bands of 5, ``43-year-old`` becomes ``40-to-44-year-old``, ``8 months`` becomes
    ``0-4 years``; decades stay where bands are no wider. What cannot be read becomes ``[AGE]``.
    """

    cap: int = 89
    band: int = 0
    """Years of a band; 0: ages up to the cap stay."""
    name: str = "generalise"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Return no identities."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the age, capped or as its band."""
        age = mention.readings.read(read_age, mention.text)
        if age is None:
            return write_label(mention, self.style)
        if age.years >= self.cap + 1:
            return write_over_cap(mention, age, self.cap)
        if not self.band or (age.is_coarse and self.band <= _DECADE):
            return mention.text
        return self._write_band(mention.text, age)

    def _write_band(self, text: str, age: Age) -> str:
        first = int(age.least) // self.band * self.band
        last = min(int(age.years) // self.band * self.band + self.band - 1, self.cap)
        if age.words[-1] in ORDINALS:
            return f"{first}{suffix(first % 100)}-{last}{suffix(last % 100)}"
        if _is_hyphenated(text, age):
            return f"{first}-to-{last}-year" + "-old" * ("old" in age.words)
        sex = _sex(text, age)
        said = any(word in PER_YEAR or word == "/" for word in age.words[: -1 if sex else None])
        old = " old" if {"old", "o", "0", "yo"} & set(age.words) else ""
        return f"{first}-{last}" + " years" * said + old * said + sex


def write_over_cap(mention: Mention, age: Age, cap: int) -> str:
    """Write an age over the cap as the class of all such ages, in the form of the mention."""
    text, written = normalise_age(mention.text), _class_of(mention, age, cap + 1)
    shouted = any(len(word) >= _SHORTEST_SHOUTED for word in age.words if word.isalpha())
    return recase(written, text) if shouted else written


def _class_of(mention: Mention, age: Age, first: int) -> str:
    last = age.words[-1]
    if last == "s" or last in DECADES:
        return f"{first}s or older"
    if last in ORDINALS:
        return f"{first}{suffix(first % 100)} or later"
    leads = _LEADS.search(mention.after) is not None
    if last in AGED:
        return f"{first}-or-older" if leads else f"person aged {first} or older"
    if sex := _sex(mention.text, age):
        return f"{first}-or-older{sex}"
    hyphened = _is_hyphenated(mention.text, age)
    if _OLD.search(mention.after):
        return f"{first}-or-more-year" if hyphened else f"{first} or more years"
    return f"{first}-or-older" if hyphened or leads else f"{first} or older"


def _sex(text: str, age: Age) -> str:
    """Return a blank and the sex that follows an age; none does in ``91y 8m``."""
    last, counted = age.words[-1], any(word in PER_YEAR for word in age.words[:-1])
    sexed = last in SEXES and not (last == "m" and (counted or age.years < _FEWEST))
    return " " + text.rstrip()[-len(last) :] if sexed else ""


def _is_hyphenated(text: str, age: Age) -> bool:
    return "-" in text and any(word in PER_YEAR for word in age.words)
