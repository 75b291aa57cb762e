"""Read and write what is kept of a patient number: a log in the store, whose last entry counts.

The store never replaces a value, so a change is a new entry. Its name is a keyed digest. Its value
is sealed by the key and by the number itself, so that nobody who has the store and the key can list
numbers.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from deidstream.models.keyring import Keyring
from deidstream.models.records import Claim, Recall

T = TypeVar("T")
Answers = Sequence[bytes | None]
Asking = Generator[Recall | Claim, Answers, T]
"""Yields questions to the store, is sent the answers, and returns what it wanted to know."""
_AHEAD = 8
"""Entries that are asked for together, once there is a first one."""


class Log(StrEnum):
    """What a log is about."""

    LEADS_TO = "leads-to"
    """The number that this one was merged into; empty: none any more."""
    STATED = "stated"
    """What the patient's own document states of other numbers."""


@dataclass(frozen=True, slots=True)
class PatientKey:
    """A patient number with the keys of its tenant."""

    ring: Keyring
    number: str = field(repr=False)

    def with_number(self, number: str) -> "PatientKey":
        """Return another number of the same tenant."""
        return PatientKey(self.ring, number)


@dataclass(frozen=True, slots=True)
class LogEntries:
    """The entries of a log that was written by one key version, in order."""

    ring: Keyring
    texts: tuple[str, ...] = field(default=(), repr=False)


def read_log(patient: PatientKey, log: Log) -> Asking[LogEntries]:
    """Read a log: the one of the newest key version that has any entry.

    Raises:
        ValueError: An entry was altered.
    """
    rings = patient.ring.versions()
    firsts = yield Recall(tuple(_name(ring, patient, log, 0) for ring in rings))
    for ring, first in zip(rings, firsts, strict=True):
        if first is not None:
            return (yield from _read_on(ring, patient, log, first))
    return LogEntries(rings[0])


def _read_on(ring: Keyring, patient: PatientKey, log: Log, first: bytes) -> Asking[LogEntries]:
    sealed: list[bytes] = [first]
    while True:
        names = [_name(ring, patient, log, len(sealed) + n) for n in range(_AHEAD)]
        answers = yield Recall(tuple(names))
        found = [answer for answer in answers if answer is not None]
        sealed += found
        if len(found) < len(names):
            break
    texts = (
        ring.unseal_from(patient.number, _name(ring, patient, log, number), value)
        for number, value in enumerate(sealed)
    )
    return LogEntries(ring, tuple(texts))


def append_entry(patient: PatientKey, log: Log, entries: LogEntries, text: str) -> Asking[None]:
    """Append an entry to a log that was read; behind those that others append meanwhile."""
    ring = patient.ring.versions()[0]
    number = len(entries.texts) if entries.ring == ring else 0
    while True:
        name = _name(ring, patient, log, number)
        sealed = ring.seal_from(patient.number, name, text)
        (winner,) = yield Claim(((name, sealed),))
        if winner == sealed:
            return
        number += 1


def _name(ring: Keyring, patient: PatientKey, log: Log, number: int) -> bytes:
    item = ring.digest("patient-log", log, patient.number, str(number))
    return ring.owner(patient.number) + item


def ask_together(asking: Iterable[Asking[T]]) -> Asking[list[T]]:
    """Put the questions of several, none of which claims, to the store together."""
    steps = [*asking]
    results: dict[int, T] = {}
    questions: dict[int, Recall | Claim] = {}

    def advance(number: int, answers: Answers | None) -> None:
        try:
            step = steps[number]
            questions[number] = next(step) if answers is None else step.send(answers)
        except StopIteration as ended:
            results[number] = ended.value

    for number in range(len(steps)):
        advance(number, None)
    while questions:
        asked, questions = questions, {}
        answers = yield Recall(tuple(name for one in asked.values() for name in one.names))
        rest = iter(answers)
        for number, question in asked.items():
            advance(number, [next(rest) for _ in question.names])
    return [results[number] for number in range(len(steps))]
