"""Workers that race: each a process with a connection of its own, kept abreast round by round."""

import asyncio
import multiprocessing
import random
import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from multiprocessing.synchronize import Barrier
from typing import TYPE_CHECKING

from deidstream.models.phi.names.name_lists import peoples
from deidstream.models.records import Claim, Planned, ScopedIdentity
from deidstream.models.surrogates.allocation import AllocatedSurrogates
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.errors import Unavailable
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import Scope
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.vault import detected, replacer
from support.vault_notes import Item

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

PER_ROUND = 10
_ROUNDS_OF_A_PATIENT = 6
_SECONDS = 60.0
_FRESH = multiprocessing.get_context("spawn")
"""A started process inherits nothing."""


@dataclass(frozen=True, slots=True)
class Course:
    """What workers race for."""

    url: str
    rounds: int
    at_random: bool = False
    scope: Scope = Scope.PATIENT
    laps: int = 1
    flushed_after: int | None = None
    """Rounds after which the first worker flushes Redis, while the others go on."""

    def replacer(self) -> Replacer:
        """A worker's."""
        seed = (lambda: secrets.token_bytes(32)) if self.at_random else None
        return replacer(seed, dict.fromkeys(PhiLabel, self.scope))

    def patient(self, number: int) -> str:
        """Whose round it is."""
        return f"P{number // _ROUNDS_OF_A_PATIENT}"

    def items(self, number: int) -> list[Item]:
        """New identities of a round, from pools of a hundred, of some hundreds, and of many."""
        family, given = _listed()
        phones = range(4 * number, 4 * number + 4)
        return [
            *((PhiLabel.PHONE, f"{200 + n % 800}-{n * 37 % 10_000:04d}") for n in phones),
            (PhiLabel.PATIENT, family[number * 7919 % len(family)]),
            (PhiLabel.PATIENT, family[(number * 7919 + 1) % len(family)]),
            (PhiLabel.DOCTOR, given[number * 7919 % len(given)]),
            (PhiLabel.MEDICALRECORD, str(1000 + 2 * number % 9000)),
            (PhiLabel.MEDICALRECORD, str(1001 + 2 * number % 9000)),
            (PhiLabel.ACCOUNT, f"KB{10**7 + number * 7919}"),
        ]

    def batches(self, number: int, worker: str) -> Iterator[Sequence[Planned]]:
        """The notes of a round as one worker gets them: in an order and in batches of its own."""
        mixed, made, held = random.Random(f"{worker} {number}"), self.replacer(), self.items(number)
        mixed.shuffle(held)
        cuts = [0, *sorted(mixed.sample(range(1, len(held)), 2)), len(held)]
        notes = [held[start:end] for start, end in pairwise(cuts)]
        patient = self.patient(number)
        planned = [made.plan(detected(some, patient, at)) for at, some in enumerate(notes)]
        size = mixed.choice([1, 2, 3, 3, 3])
        yield from (planned[start : start + size] for start in range(0, len(planned), size))


@cache
def _listed() -> tuple[list[str], list[str]]:
    return sorted(peoples().family), sorted(peoples().given)


@dataclass(slots=True)
class Ran:
    """What came of it for one worker."""

    came: dict[ScopedIdentity, set[str]] = field(default_factory=dict[ScopedIdentity, set[str]])
    claimed: int = 0
    shared: int = 0
    lost: int = 0
    """Claims of slots that another identity, or another's seed, got first."""

    def add(self, allocated: AllocatedSurrogates) -> None:
        """Count what a batch came to."""
        for scoped, surrogate in allocated.surrogates.items():
            self.came.setdefault(scoped, set()).add(surrogate)
        self.claimed += allocated.claimed
        self.shared += allocated.shared


def raced(course: Course, workers: Sequence[str]) -> list[Ran]:
    """Let workers race, each in a process of its own; the name decides on order and batches."""
    line = _FRESH.Barrier(len(workers))
    pipes = [_FRESH.Pipe(duplex=False) for _ in workers]
    processes = [
        _FRESH.Process(target=_tell, args=(course, worker, line, mouth), daemon=True)
        for worker, (_, mouth) in zip(workers, pipes, strict=True)
    ]
    try:
        for process, (_, mouth) in zip(processes, pipes, strict=True):
            process.start()
            mouth.close()
        return [ears.recv() for ears, _ in pipes]
    finally:
        for process in processes:
            process.terminate()  # it may wait for one that failed
            process.join(_SECONDS)


def _tell(course: Course, worker: str, line: Barrier, mouth: "Connection[Ran, object]") -> None:
    with closing(mouth):
        mouth.send(asyncio.run(_ran(course, worker, line)))


async def _ran(course: Course, worker: str, line: Barrier) -> Ran:
    ran, store = Ran(), RedisSurrogateStore.connect(course.url)
    made, number = course.replacer(), 0
    for lap in range(course.laps):
        order = list(range(course.rounds))
        random.Random(lap).shuffle(order)
        for place in order:
            batches = list(course.batches(place, f"{worker} {lap}"))
            line.wait(_SECONDS)
            if number == course.flushed_after and worker == "first":
                await store.client.flushall()
            for batch in batches:
                ran.add(await _allocate(made, store, batch, ran))
            number += 1
    await store.close()
    return ran


async def _allocate(
    made: Replacer, store: RedisSurrogateStore, batch: Sequence[Planned], ran: Ran
) -> AllocatedSurrogates:
    allocation = made.allocate(batch)
    while (ask := allocation.ask) is not None:
        try:
            if isinstance(ask, Claim):
                answers: Sequence[bytes | None] = await store.claim(ask.pairs)
                values = [value for _, value in ask.pairs]
                ran.lost += sum(a != b for a, b in zip(answers, values, strict=True))
            else:
                answers = await store.recall(ask.names)
        except Unavailable:
            continue  # what was claimed went before it was read: as a worker does, ask again
        allocation.take_answers(answers)
    return allocation.result()
