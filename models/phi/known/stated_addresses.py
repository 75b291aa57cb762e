"""The addresses that a sender states, as an index of the words by which their parts are found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import NamedTuple

from deidstream.models.phi.known.stated_names import is_ordinary
from deidstream.models.phi.places.phrases import STREET_KINDS
from deidstream.models.phi.places.regions import state_key, states
from deidstream.models.text.folding import words_of
from deidstream.models.text.word_files import split_list, words_in
from deidstream.schemas.label import PhiLabel

_MOST_PLACES = 8
"""Places of one word that count: more would multiply the work on a text that repeats it."""
_ZIP = 5
_SHORTEST_PROPER = 4
_UNITS = frozenset(split_list("apt apartment flat unit lot box pobox pmb psc suite ste trailer"))
"""Words that with their number are a part of an address by themselves."""
_ORDINAL = ("st", "nd", "rd", "th")
_LETTERS_OF = {
    "north": "n", "south": "s", "east": "e", "west": "w",
    "northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw",
}  # fmt: skip
_WORDS_OF = {letters: word for word, letters in _LETTERS_OF.items()}
DIRECTIONS = frozenset({*_LETTERS_OF, *_WORDS_OF})
"""Words for the quarter of a town, which may begin or end an address."""


class AddressPart(Enum):
    """The part that a word has in an address."""

    NUMBER = auto()
    KIND = auto()
    """``Street``, ``Ave``."""
    UNIT = auto()
    """``Apt``, ``Box``."""
    SMALL = auto()
    """``North``, ``of``, ``Floor``: what addresses have in common."""
    STATE = auto()
    PLAIN = auto()
    """Part of a name, though an ordinary word elsewhere: ``Main``, ``Reading``, ``5th``."""
    PROPER = auto()
    """Part of a name that is no other word."""


class StatedPlace(NamedTuple):
    """Place of a word: which address, and how many words are before it there."""

    address: int
    at: int


@dataclass(frozen=True, slots=True)
class StatedAddresses:
    """The words of addresses."""

    places: dict[str, tuple[StatedPlace, ...]] = field(repr=False)
    """Places by folded word, in every form in which a word of an address is written."""
    roles: tuple[tuple[AddressPart, ...], ...]
    """AddressPart of each word of each address."""
    labels: tuple[tuple[PhiLabel, ...], ...]
    """Label of each word of each address."""

    @classmethod
    def of_addresses(cls, addresses: Iterable[str]) -> "StatedAddresses":
        """Index addresses."""
        places: dict[str, list[StatedPlace]] = {}
        roles: list[tuple[AddressPart, ...]] = []
        labels: list[tuple[PhiLabel, ...]] = []
        for address in addresses:
            words = words_of(address)
            own = tuple(map(role_of, words))
            for at, form in _forms_of(words, own):
                known = places.setdefault(form, [])
                if len(known) < _MOST_PLACES:
                    known.append(StatedPlace(len(roles), at))
            roles.append(own)
            labels.append(tuple(_label_words(words, own)))
        return cls(
            {form: tuple(each) for form, each in places.items()}, tuple(roles), tuple(labels)
        )


def role_of(word: str) -> AddressPart:
    """Return what a folded word is in an address.

    >>> [role_of(word).name for word in ("12b", "5th", "zoar", "main", "st", "apt", "north")]
    ['NUMBER', 'PLAIN', 'PROPER', 'PLAIN', 'KIND', 'UNIT', 'SMALL']
    """
    if any(map(str.isdigit, word)):
        ordinal = word.endswith(_ORDINAL) and word[:-2].isdigit()
        return AddressPart.PLAIN if ordinal else AddressPart.NUMBER
    if word in _UNITS:
        return AddressPart.UNIT
    if word in STREET_KINDS:
        return AddressPart.KIND
    if word in words_in("streets.kept.txt") or len(word) == 1:
        return AddressPart.SMALL
    if state_key(word) in states():
        return AddressPart.STATE
    proper = len(word) >= _SHORTEST_PROPER and word.isalpha() and not is_ordinary(word)
    return AddressPart.PROPER if proper else AddressPart.PLAIN


def _forms_of(words: Sequence[str], roles: Sequence[AddressPart]) -> Iterator[tuple[int, str]]:
    """Yield the words with their places, and the other forms of kinds of streets and of states."""
    for at, (word, role) in enumerate(zip(words, roles, strict=True)):
        yield at, word
        if role in {AddressPart.KIND, AddressPart.UNIT}:
            yield from ((at, other) for other in _other_forms()[word])
        elif role is AddressPart.SMALL and (other := _LETTERS_OF.get(word) or _WORDS_OF.get(word)):
            yield at, other
        for name in (word, " ".join(words[at : at + 2])):
            if at and (state := states().get(name)):
                written = {*words_of(state.full), *words_of(state.code), *words_of(state.older)}
                yield from ((at, other) for other in sorted(written - {word}))


@cache
def _other_forms() -> Mapping[str, tuple[str, ...]]:
    """Return for each kind of street or unit those that shorten it, or that it shortens."""
    every = sorted(STREET_KINDS | _UNITS)
    return {
        word: tuple(o for o in every if o != word and (shortens(o, word) or shortens(word, o)))
        for word in every
    }


def shortens(short: str, long: str) -> bool:
    """Return whether a word is an abbreviation of another: its first letter and some that follow.

    >>> shortens("blvd", "boulevard"), shortens("st", "street"), shortens("rd", "drive")
    (True, True, False)
    """
    if not short or not long.startswith(short[0]) or len(short) >= len(long):
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _label_words(words: Sequence[str], roles: Sequence[AddressPart]) -> Iterator[PhiLabel]:
    """Yield the labels: what is before the last word for a street, or its unit, is the street."""
    kinds = [at for at, role in enumerate(roles) if role in {AddressPart.KIND, AddressPart.UNIT}]
    numbers = [at for at, word in enumerate(words) if word.isdigit() and len(word) == _ZIP]
    ends = max(kinds, default=0)
    for at, role in enumerate(roles):
        if at and numbers and at == numbers[-1]:
            yield PhiLabel.ZIP
        elif role is AddressPart.STATE:
            yield PhiLabel.STATE
        elif at <= ends or role not in {AddressPart.PROPER, AddressPart.PLAIN}:
            yield PhiLabel.STREET
        else:
            yield PhiLabel.CITY
