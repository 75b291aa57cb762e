"""Choose the text of every slot of a note: one patient, some doctors, one hospital throughout."""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from deidstream.models.phi.dates.calendar import FULL, MONTHS
from deidstream.schemas.label import PERSONS, PhiLabel
from deidstream.study.corpus.frames import ALWAYS_NEW, Filling, TemplateSlot, words
from deidstream.study.corpus.inject.name_forms import Person

_WOMAN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "he": ("she",), "He": ("She",), "his": ("her",), "His": ("Her",), "him": ("her",),
        "man": ("woman", "female", "lady"), "boy": ("girl",),
        "title": ("Ms.", "Ms.", "Mrs.", "Mrs.", "Miss", "Ms", "Mrs"),
    }
)  # fmt: skip
_MAN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "he": ("he",), "He": ("He",), "his": ("his",), "His": ("His",), "him": ("him",),
        "man": ("man", "male", "gentleman"), "boy": ("boy",),
        "title": ("Mr.", "Mr.", "Mr.", "Mr"),
    }
)  # fmt: skip


def word_for(slot: TemplateSlot, rng: random.Random, *, is_woman: bool) -> str:
    """Return a word for a slot that is not PHI.

    Raises:
        KeyError: There is no such list of words.
    """
    options = (_WOMAN if is_woman else _MAN).get(slot.name) or words()[slot.name]
    word = rng.choice(options)
    if slot.part == "cap":
        return word[:1].upper() + word[1:]
    return word.upper() if slot.part == "upper" else word


# A note that names one of these again means the same one.
_STEADY = frozenset(
    {
        *(PhiLabel.HOSPITAL, PhiLabel.MEDICALRECORD, PhiLabel.SSN, PhiLabel.HEALTHPLAN),
        *(PhiLabel.ACCOUNT, PhiLabel.STREET, PhiLabel.CITY, PhiLabel.STATE, PhiLabel.COUNTRY),
        *(PhiLabel.ZIP, PhiLabel.PROFESSION, PhiLabel.ORGANIZATION),
    }
)
_KEEP_GIVEN = 0.6
_TRIES = 40
_MONTHS = tuple(word.capitalize() for word in MONTHS[FULL].words)
_SHAPES: Mapping[tuple[PhiLabel, str], re.Pattern[str]] = MappingProxyType(
    {
        (PhiLabel.DATE, "full"): re.compile(
            r"(?=.*\d{2})(?=.*(?:\d\D+\d+\D+\d|[^\W\d]{3}.*\d)).{7,}"
        ),
        (PhiLabel.DATE, "slashed"): re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}"),
        (PhiLabel.DATE, "short"): re.compile(
            r"\d{1,2}[-/.]\d{1,2}|[^\W\d]{3,9}\.? \d{1,2}|\d{1,2} [^\W\d]{3,9}"
        ),
        (PhiLabel.DATE, "year"): re.compile(r"(?:19|20)\d\d"),
        (PhiLabel.DATE, "loose"): re.compile(r"[^\W\d][^\d]{3,}"),
        (PhiLabel.DATE, "month"): re.compile(r"[^\W\d]{3,} (?:of )?\d{4}"),
        (PhiLabel.HOSPITAL, "named"): re.compile(r"\D{4,} \D{4,}"),
        (PhiLabel.HOSPITAL, "unit"): re.compile(r"(?=.*\d).{2,16}"),
        (PhiLabel.PHONE, "full"): re.compile(r"(?:\D*\d){7,}\D*"),
        (PhiLabel.PHONE, "short"): re.compile(r"x?\d{3,5}"),
        (PhiLabel.SSN, "full"): re.compile(r"(?:\D*\d){9}"),
        (PhiLabel.SSN, "four"): re.compile(r"\d{4}"),
    }
)  # fmt: skip
"""Forms that a part asks for; they are matched with the text of a filling, never with a note."""


@dataclass(slots=True)
class Cast:
    """Chooses the text of slots; a slot that comes again gets the same text."""

    filling: Filling
    rng: random.Random
    known: dict[tuple[str, str], str] = field(
        default_factory=dict[tuple[str, str], str], repr=False
    )
    people: dict[tuple[str, str], Person] = field(
        default_factory=dict[tuple[str, str], Person], repr=False
    )
    is_woman: bool = False

    @classmethod
    def draw(cls, filling: Filling, rng: random.Random) -> Self:
        """Start with no one named."""
        return cls(filling, rng, is_woman=rng.random() < 0.5)  # noqa: PLR2004

    def say(self, slot: TemplateSlot) -> str:
        """Return the text of ``slot``."""
        if slot.label is None:
            return word_for(slot, self.rng, is_woman=self.is_woman)
        # An age that is more than a number fits only where it stood.
        bound = slot.label is PhiLabel.AGE and not slot.part
        if slot.given and (bound or self.rng.random() < _KEEP_GIVEN):
            return slot.given
        if slot.label in PERSONS:
            return self._person(slot).write(slot.part, self.rng)
        if slot.label in _STEADY or slot.which:
            return self._steady(slot)
        return self._fresh(slot)

    def _person(self, slot: TemplateSlot) -> Person:
        if slot.which == ALWAYS_NEW:
            return self._invent(slot)
        key = slot.name, slot.which
        if key not in self.people:
            self.people[key] = self._invent(slot)
        return self.people[key]

    def _invent(self, slot: TemplateSlot) -> Person:
        assert slot.label is not None  # noqa: S101
        someone = Person.draw(self.filling, slot.label, self.rng)
        patient = self.people.get(("PATIENT", ""))
        if slot.name == "PATIENT" and patient and slot.which.isalpha():
            return someone.of_family(patient)
        return someone

    def _steady(self, slot: TemplateSlot) -> str:
        if slot.which == ALWAYS_NEW:
            return self._fresh(slot)
        key = f"{slot.name}.{slot.part}", slot.which
        if key not in self.known:
            self.known[key] = self._fresh(slot)
        return self.known[key]

    def _fresh(self, slot: TemplateSlot) -> str:
        assert slot.label is not None  # noqa: S101
        if slot.label is PhiLabel.AGE and slot.part:
            return _AGES[slot.part](self.rng)
        shape = _SHAPES.get((slot.label, slot.part))
        for _ in range(_TRIES):
            said = self.filling.fill(slot.label, self.rng).strip()
            if said and (shape is None or shape.fullmatch(said)):
                return said
        return _SPARE.get((slot.label, slot.part), _spare_number)(self.rng)


def _adult(rng: random.Random) -> str:
    return str(rng.choice((rng.randint(18, 99), rng.randint(40, 89), rng.randint(1, 17))))


def _spare_number(rng: random.Random) -> str:
    return "".join(rng.choices("0123456789", k=9))


def _spare_date(rng: random.Random) -> str:
    return f"{rng.choice(_MONTHS)} {rng.randint(1, 28)}, {rng.randint(1990, 2029)}"


_AGES: Mapping[str, Callable[[random.Random], str]] = MappingProxyType(
    {
        "number": _adult,
        "child": lambda rng: str(rng.randint(1, 17)),
        "old": lambda rng: str(rng.randint(66, 103)),
        "decade": lambda rng: f"{rng.randint(2, 9)}0s",
        "months": lambda rng: f"{rng.randint(2, 23)}-month",
        "days": lambda rng: f"{rng.randint(2, 27)}-{rng.choice(('day', 'week'))}",
    }
)
_SPARE: Mapping[tuple[PhiLabel, str], Callable[[random.Random], str]] = MappingProxyType(
    {
        (PhiLabel.DATE, "full"): _spare_date,
        (PhiLabel.DATE, "slashed"): lambda rng: f"{rng.randint(1, 12)}/{rng.randint(1, 28)}/2019",
        (PhiLabel.DATE, "short"): lambda rng: f"{rng.randint(1, 12)}/{rng.randint(13, 28)}",
        (PhiLabel.DATE, "year"): lambda rng: str(rng.randint(1961, 2029)),
        (PhiLabel.DATE, "loose"): lambda rng: rng.choice(_MONTHS),
        (PhiLabel.DATE, "month"): lambda rng: f"{rng.choice(_MONTHS)} {rng.randint(1990, 2029)}",
        (PhiLabel.HOSPITAL, "named"): lambda rng: f"{rng.choice(('St. Anne', 'Elm'))} Hospital",
        (PhiLabel.HOSPITAL, "unit"): lambda rng: f"Ward {rng.randint(1, 30)}",
        (PhiLabel.PHONE, "full"): lambda rng: f"555-{rng.randint(1000, 9999)}",
        (PhiLabel.PHONE, "short"): lambda rng: str(rng.randint(1000, 9999)),
        (PhiLabel.SSN, "four"): lambda rng: str(rng.randint(1000, 9999)),
    }
)
