"""Put the ages over the cap into one class, ``90 or older`` (45 CFR 164.514(b)(2)(i)(C))."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.operators.age_reading import (
    AGED,
    DECADES,
    ORDINALS,
    PER_YEAR,
    Age,
    plain,
    read_age,
)
from deidstream.models.operators.casing import recase
from deidstream.models.operators.date_words import suffix
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.schemas.policy import RedactStyle

_DECADE = 10


@dataclass(frozen=True, slots=True)
class CapAge:
    """Ages over ``cap`` become ``90 or older``; lower ones stay, or become a band of years.

    The form follows the mention: ``91`` and ``91 years`` become ``90 or older``, ``91-year-old``
    becomes ``90-or-older``, ``91st`` becomes ``90th or later``, ``90s`` becomes ``90s or older``.
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
        """Rest on nothing."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the age, capped or as its band."""
        age = read_age(mention.text)
        if age is None:
            return redacted(mention.label, self.style)
        if age.years >= self.cap + 1:
            return capped(mention.text, age, self.cap)
        if not self.band or (age.is_coarse and self.band <= _DECADE):
            return mention.text
        return self._banded(mention.text, age)

    def _banded(self, text: str, age: Age) -> str:
        first = int(age.least) // self.band * self.band
        last = min(int(age.years) // self.band * self.band + self.band - 1, self.cap)
        if age.words[-1] in ORDINALS:
            return f"{first}{suffix(first % 100)}-{last}{suffix(last % 100)}"
        if _is_hyphened(text, age):
            return f"{first}-to-{last}-year" + "-old" * ("old" in age.words)
        said = any(word in PER_YEAR or word == "/" for word in age.words)
        old = " old" if {"old", "o", "0", "yo"} & set(age.words) else ""
        return f"{first}-{last}" + " years" * said + old * said


def capped(text: str, age: Age, cap: int) -> str:
    """Write an age over the cap as the class of all such ages, in the form of the mention."""
    return recase(_class_of(text, age, cap + 1), plain(text))


def _class_of(text: str, age: Age, first: int) -> str:
    last = age.words[-1]
    if last == "s" or last in DECADES:
        return f"{first}s or older"
    if last in ORDINALS:
        return f"{first}{suffix(first % 100)} or later"
    if last in AGED:
        return f"person aged {first} or older"
    return f"{first}-or-older" if _is_hyphened(text, age) else f"{first} or older"


def _is_hyphened(text: str, age: Age) -> bool:
    return "-" in text and any(word in PER_YEAR for word in age.words)
