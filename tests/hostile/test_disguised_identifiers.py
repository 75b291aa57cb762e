"""Identifiers that the sender knows, disguised: they are found, or their note is quarantined.

What is left is judged by a reading of its own: Unicode's compatibility forms, without marks and
without what is invisible, and the look-alikes that were put in read back.
"""

import asyncio
import random
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.outcome import Anonymized, Failed
from deidstream.schemas.wire import encode_note
from support.pipeline import pipeline, service

LATIN = "aceopxyisABEHKMOPTX"
OTHERS = (
    "\u0430\u0441\u0435\u043e\u0440\u0445\u0443\u0456\u0455"
    "\u0391\u0412\u0415\u041d\u041a\u041c\u041e\u0420\u0422\u0425"
)
LOOK_ALIKES = dict(zip(LATIN, OTHERS, strict=True))
PEOPLE = (
    ("Quillon Abernathy", "77239104", "(200) 555-0143"),
    ("Oksana Teixeira", "AX4471098", "212-555-0188"),
    ("Marisol Hackett", "190377245", "(617) 555-0129"),
    ("Tobias Okonkwo", "55-812-904", "303-555-0172"),
)
LINES = (
    "Seen today with {}, who is well. Continue aspirin.",
    "Plan discussed with {} and family.\nReview in two weeks.",
    "Results for {}: normal. No fever, no cough.",
)
MOST_MISSED = 0.01
Disguise = Callable[[str, random.Random], str]


def insert(unseen: str) -> Disguise:
    """Insert an invisible character between two of the identifier's."""

    def disguise(text: str, chance: random.Random) -> str:
        at = chance.randrange(1, len(text))
        return text[:at] + unseen + text[at:]

    return disguise


def replace_one(text: str, chance: random.Random) -> str:
    places = [at for at, c in enumerate(text) if c in LOOK_ALIKES]
    if not places:
        return text
    at = chance.choice(places)
    return text[:at] + LOOK_ALIKES[text[at]] + text[at + 1 :]


def widen(text: str, _: random.Random) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def embolden(text: str, _: random.Random) -> str:
    return "".join(_bold(c) for c in text)


def _bold(c: str) -> str:
    if "A" <= c <= "Z":
        return chr(0x1D400 + ord(c) - ord("A"))
    if "a" <= c <= "z":
        return chr(0x1D41A + ord(c) - ord("a"))
    return chr(0x1D7CE + int(c)) if "0" <= c <= "9" else c


DISGUISES: dict[str, Disguise] = {
    "look-alike": replace_one,
    "zero-width space": insert("\u200b"),
    "zero-width joiner": insert("\u200d"),
    "word joiner": insert("\u2060"),
    "soft hyphen": insert("\u00ad"),
    "byte order mark": insert("\ufeff"),
    "override": lambda text, chance: "\u202d" + insert("\u202c")(text, chance),
    "combining dot": insert("\u0307"),
    "variation selector": insert("\ufe0f"),
    "control": insert("\x01"),
    "NUL": insert("\0"),
    "full width": widen,
    "bold": embolden,
    "capitals": lambda text, _: text.upper(),
    "line break": lambda text, _: text.replace(" ", "\n", 1),
    "wide spaces": lambda text, _: text.replace(" ", "\u2003\u00a0"),
}


@dataclass(frozen=True, slots=True)
class Disguised:
    """A note that holds one identifier in disguise."""

    kind: str
    identifier: str
    note: RawNote


def disguised_notes() -> Iterator[Disguised]:
    chance = random.Random(8)
    for number, (kind, disguise) in enumerate(DISGUISES.items()):
        for person in PEOPLE:
            known = KnownIdentifiers((person[0],), (person[1],), (), (person[2],))
            for place, identifier in enumerate(person):
                line = LINES[(number + place) % len(LINES)]
                text = line.format(disguise(identifier, chance))
                made = RawNote(f"d-{number}-{place}", "P-1903-7724", text, known=known)
                yield Disguised(kind, identifier, made)


def read_plainly(text: str) -> str:
    back = {alike: letter for letter, alike in LOOK_ALIKES.items()}
    letters = "".join(back.get(c, c) for c in unicodedata.normalize("NFKD", text))
    return "".join(c for c in letters.casefold() if c.isascii() and c.isalnum())


@pytest.mark.slow
def test_disguised_identifiers_are_found_or_their_note_is_quarantined() -> None:
    every = list(disguised_notes())
    values = [encode_note(each.note) for each in every]
    outcomes = asyncio.run(service(pipeline()).run(values))
    missed: list[tuple[str, str]] = []
    for each, outcome in zip(every, outcomes, strict=True):
        if isinstance(outcome, Anonymized):
            left = read_plainly(outcome.note.text)
            if any(read_plainly(word) in left for word in each.identifier.split()):
                missed.append((each.kind, each.identifier))
        else:
            assert isinstance(outcome, Failed)
    assert len(missed) <= MOST_MISSED * len(every), missed


def test_the_reading_of_what_is_left_sees_every_disguise() -> None:
    for each in disguised_notes():
        assert read_plainly(each.identifier) in read_plainly(each.note.text)
