"""One person's name in every form in which a note may write it."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.frames import Filling

_TRIES = 24
_MIDDLE = "ABCDEFGHJKLMNPRSTW"
_SUFFIXES = frozenset({"Jr", "Jr.", "Sr", "Sr.", "II", "III", "IV"})
_PARTICLES = frozenset(
    ("da", "de", "del", "della", "dela", "di", "dos", "du", "el", "la", "le", "van", "von", "der")
)
_SHORTEST = 2
_MOST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Person:
    """A person's name."""

    first: str = field(repr=False)
    last: str = field(repr=False)
    middle: str = field(repr=False)
    """One letter."""

    @classmethod
    def draw(cls, filling: Filling, label: PhiLabel, rng: random.Random) -> Self:
        """Invent a person; single names that ``filling`` returns are joined to a full name."""
        loose = ["Ann", "Lee"]
        for _ in range(_TRIES):
            words = filling.fill(label, rng).split()
            if not all(map(_is_name, words)) or not 1 <= len(words) <= _MOST_WORDS:
                continue
            if len(words) > 1 and not any(word.isupper() for word in words):
                return cls(words[0], " ".join(words[1:]), rng.choice(_MIDDLE))
            loose = [*loose[-1:], words[0]] if len(words) == 1 else loose
        return cls(loose[0].title(), loose[-1].title(), rng.choice(_MIDDLE))

    def of_family(self, other: "Person") -> "Person":
        """Return this person with the surname of ``other``."""
        return Person(self.first, other.last, self.middle)

    def write(self, part: str, rng: random.Random) -> str:
        """Write the name in the form ``part``, which may end in ``_lower`` or ``_upper``.

        Raises:
            KeyError: There is no such form.
        """
        form, _, case = part.partition("_")
        text = _FORMS[form or "full"](self, rng)
        return text.lower() if case == "lower" else text.upper() if case == "upper" else text


def _is_name(word: str) -> bool:
    if word in _PARTICLES:
        return True
    plain = word.replace("-", "").replace("'", "").replace("\u2019", "")
    return len(plain) >= _SHORTEST and plain.isalpha() and word[0].isupper() and not word.isupper()


def _write_full(who: Person, _: random.Random) -> str:
    return f"{who.first} {who.last}"


def _write_signature(who: Person, rng: random.Random) -> str:
    before = (who.first, f"{who.first} {who.middle}.", f"{who.first[0]}.")
    return f"{rng.choice(before)} {who.last}"


def _write_last_first(who: Person, rng: random.Random) -> str:
    with_middle = rng.choice(("", "", f" {who.middle}", f" {who.middle}."))
    gap = rng.choice((", ", ", ", ", ", ","))
    return f"{who.last}{gap}{who.first}{with_middle}"


def _write_last_in_capitals(who: Person, rng: random.Random) -> str:
    return f"{who.last.upper()}{rng.choice((' ', ', '))}{who.first}"


def _write_after_title(who: Person, rng: random.Random) -> str:
    return rng.choice((who.last,) * 5 + (f"{who.first} {who.last}", f"{who.first[0]}. {who.last}"))


def _write_hl7(who: Person, rng: random.Random) -> str:
    return f"{who.last}^{who.first}{rng.choice(('', '^' + who.middle))}".upper()


def _write_initials(who: Person, rng: random.Random) -> str:
    first, middle, last = who.first[0], who.middle, who.last[0].upper()
    return rng.choice(
        (first + last, first + middle + last, f"{first}.{last}.", f"{first}. {last}.")
    )


def _write_letters(who: Person, rng: random.Random) -> str:
    return who.first[0] + rng.choice(("", who.middle)) + who.last[0].upper()


def _write_any(who: Person, rng: random.Random) -> str:
    return rng.choice(
        (
            _write_full,
            _write_last_first,
            _write_signature,
            _write_capitals,
            _write_last_first_in_capitals,
        )
    )(who, rng)


def _write_capitals(who: Person, rng: random.Random) -> str:
    return _write_signature(who, rng).upper()


def _write_last_first_in_capitals(who: Person, rng: random.Random) -> str:
    return _write_last_first(who, rng).upper()


_FORMS: Mapping[str, Callable[[Person, random.Random], str]] = MappingProxyType(
    {
        "full": _write_full,
        "first": lambda who, _: who.first,
        "last": lambda who, _: who.last,
        "signed": _write_signature,
        "turned": _write_last_first,
        "shouted": _write_last_in_capitals,
        "titled": _write_after_title,
        "caret": _write_hl7,
        "initials": _write_initials,
        "letters": _write_letters,
        "flast": lambda who, _: f"{who.first[0]}. {who.last}",
        "firstl": lambda who, _: f"{who.first} {who.last[0].upper()}.",
        "any": _write_any,
    }
)
