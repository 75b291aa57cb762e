"""What a site states of itself: its people, its places, and samples of its identifiers."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from deidstream.models.policy.term_lists import LONGEST_TERM
from deidstream.schemas.label import LabelGroup, PhiLabel, labels_of

NUMBERED = labels_of(LabelGroup.NUMBER, LabelGroup.PHONE)
"""Labels of whose values the form is learnt; values of the others are listed."""


@dataclass(frozen=True, slots=True)
class Person:
    """One of the staff, as a master file names them."""

    given: str = field(repr=False)
    family: str = field(repr=False)
    middle: str = field(default="", repr=False)


@dataclass(slots=True)
class MasterData:
    """All that the master files state."""

    people: list[Person] = field(default_factory=list[Person], repr=False)
    terms: dict[PhiLabel, set[str]] = field(
        default_factory=lambda: defaultdict[PhiLabel, set[str]](set), repr=False
    )
    """Names of places and other terms, as they are written."""
    samples: dict[PhiLabel, set[str]] = field(
        default_factory=lambda: defaultdict[PhiLabel, set[str]](set), repr=False
    )
    """Identifiers of which the form is to be learnt."""

    def add(self, label: PhiLabel, value: str) -> None:
        """Keep a value of a label."""
        text = " ".join(value.split())
        if not text or not any(map(str.isalnum, text)) or len(text) > LONGEST_TERM:
            return
        (self.samples if label in NUMBERED else self.terms)[label].add(text)

    def add_person(self, *, given: str, family: str, middle: str = "") -> None:
        """Keep one of the staff; who has no family name is passed over."""
        words = (" ".join(part.split()) for part in (given, family, middle))
        person = Person(*words)
        if any(map(str.isalpha, person.family)):
            self.people.append(person)

    def count(self) -> Mapping[str, int]:
        """Return how many there are of each kind."""
        counts = {"staff": len(set(self.people))}
        counts |= {f"{label} terms": len(found) for label, found in sorted(self.terms.items())}
        found = {f"{label} samples": len(own) for label, own in sorted(self.samples.items())}
        return {name: count for name, count in (counts | found).items() if count}


def write_forms(person: Person) -> Iterator[str]:
    """Yield how notes name somebody: the names in both orders, and with an initial."""
    given, family = person.given, person.family
    if not given:
        return
    yield f"{given} {family}"
    yield f"{family} {given}"
    yield f"{family}, {given}"
    if person.middle:
        yield f"{given} {person.middle} {family}"
        yield f"{given} {person.middle[0]} {family}"
        yield f"{given} {person.middle[0]}. {family}"
    yield f"{given[0]} {family}"
    yield f"{given[0]}. {family}"
    yield f"{family} {given[0]}"
    yield f"{family}, {given[0]}"


def gather_words(texts: Iterable[str]) -> set[str]:
    """Return the words of texts, in lower case, of letters alone."""
    return {
        word
        for text in texts
        for word in "".join(c if c.isalpha() else " " for c in text).casefold().split()
    }
