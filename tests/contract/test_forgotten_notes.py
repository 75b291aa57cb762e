"""A process that has made the outputs of notes remembers no word of them (ADR 15).

The test looks at every text that a module or the service itself holds after the notes are gone: in
tables of any kind, in caches of functools and in those of libraries.
"""

import asyncio
import gc
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from types import FunctionType

import orjson
import pytest

from deidstream.agents.runtime.service import Service
from deidstream.schemas.outcome import Anonymized
from support.pipeline import pipeline, service

NAMED = (FunctionType, type, type(lru_cache(len)))
CONTAINERS = (dict, list, tuple, set, frozenset)
"""Kinds that the garbage collector does not track as long as they hold nothing but text."""
STAND_IN = "_signs"
"""Keeps words for the embedder that stands in for the real one."""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def canaries() -> tuple[str, str, str]:
    """Letters, digits and Georgian that no list has; no constant of this module holds them."""
    return reverse("vqxz"), reverse("556371409"), reverse("\u10ed\u10e6\u10df\u10ed")


def reverse(text: str) -> str:
    return text[::-1]


def messages() -> list[bytes]:
    word, digits, georgian = canaries()
    name = word.capitalize()
    text = (
        f"Patient: {name}arelli, {name}ina. Seen by Dr. {name}ander on 03/04/2024.\n"
        f"Mrs. {name}arelli-{name}ander, a 67-year-old {word}ologist, lives at 12 {name}moor "
        f"Street, {name}ville, MA 02118. MRN: {digits}21. Phone (617) 555-0101 ext. {digits}, "
        f"{word}an@{word}mail.example. She was at {name}borough Hospital for {word}itis.\n"
        f"The {word}oid lesion was {word}ed and {word}ing. Her friend {georgian} agrees.\n"
        f"Z x\u200bq v {name.upper()}ARELLI {name[:3]}\u00ad{name[3:]}arelli {digits}-7"
    )
    segments = (
        "MSH|^~\\&|A|B|C|D|20240304||ADT^A01|M1|P|2.5",
        f"PID|1||{digits}^^^MR||{name}arelli^{name}ina||19500101|F|||12 {name}moor St^^{name}ville",
        f"NTE|1||Mrs. {name}arelli has {word}itis.",
    )
    note = {
        "note_id": f"{word}-1",
        "patient_id": digits,
        "text": text,
        "note_type": f"{word}type",
        "authored_at": "2024-03-04",
        "known": {
            "names": [f"{name}ina {name}arelli"],
            "identifiers": [f"{digits}21"],
            "staff": [f"{name}ander, Tom"],
            "addresses": [f"12 {name}moor Street, {name}ville"],
        },
    }
    message = note | {"note_id": f"{word}-2", "text": "\r".join(segments)}
    return [orjson.dumps(note), orjson.dumps(message)]


def memories(roots: Iterable[object]) -> Iterator[tuple[str, str]]:
    """Yield each text that an object can be reached from, after what holds it."""
    left = [(type(root).__name__, root) for root in roots]
    seen: set[int] = set()
    while left:
        holder, held = left.pop()
        # Some objects of libraries run code when they are asked for their class.
        named = getattr(held, "__qualname__", holder) if issubclass(type(held), NAMED) else holder
        for each in gc.get_referents(held):
            if type(each) is str:
                yield named, each
            elif type(each) is bytes:
                yield named, each.decode("utf-8", "replace")
            elif id(each) not in seen and (gc.is_tracked(each) or type(each) in CONTAINERS):
                seen.add(id(each))
                left.append((named, each))


def remembering(*services: Service) -> set[str]:
    """Name what remembers a word of the messages."""
    gc.collect()
    words = canaries()
    return {
        holder
        for holder, text in memories([*sys.modules.values(), *services])
        if holder != STAND_IN and any(word in text.casefold() for word in words)
    }


def test_no_word_of_a_note_is_remembered() -> None:
    services: list[Service] = []
    for policy in ("surrogate", "redact", "kneo-words", "kneo-notes"):
        services.append(service(pipeline(policy)))
        outcomes = asyncio.run(services[-1].run(messages()))
        assert any(isinstance(outcome, Anonymized) for outcome in outcomes)
        del outcomes
    assert remembering(*services) == set()


@lru_cache
def remember(word: str) -> int:
    return len(word)


def test_a_table_of_words_is_seen() -> None:
    remember(canaries()[0])
    assert "remember" in remembering()
    remember.cache_clear()
