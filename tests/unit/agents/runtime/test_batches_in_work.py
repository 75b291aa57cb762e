"""Two batches are in work: one may compute while the other does, and both end as if apart."""

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Self, cast

import pytest

from deidstream.agents.runtime.service import Service, watch
from deidstream.models.keyring import Keyring
from deidstream.models.neural.model_turn import take_model_turn, take_text_turn
from deidstream.models.patients.patient_log import PatientKey
from deidstream.schemas.errors import Refused, Stage
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Outcome
from deidstream.schemas.wire import encode_note
from deidstream.stream.lanes.lane import BATCHES_IN_WORK
from deidstream.stream.observing import metrics
from support.echo_worker import POLICY, echo
from support.pipeline import service
from support.processes import wait_until

SECONDS = 10


@dataclass(slots=True)
class WatchedPipeline:
    """Brings each note to an output, and remembers what ran when."""

    hold: dict[str, threading.Event] = field(default_factory=dict[str, threading.Event])
    """What the model waits for that computes for the batch of a note."""
    refused: str = ""
    """The note whose batch is refused."""
    seen: list[str] = field(default_factory=list[str])
    policy: Any = POLICY
    record_builder: Any = POLICY
    in_work: int = 0
    most_in_work: int = 0
    lock: Any = field(default_factory=threading.Lock)

    def choose_by_language(self, _: str) -> Self:
        return self

    def key_of_patient(self, note: RawNote) -> PatientKey:
        return PatientKey(Keyring(bytes(32), 1, note.tenant), note.patient_id)

    def prepare(self, notes: Sequence[RawNote]) -> Sequence[RawNote]:
        name = notes[0].note_id
        with self.lock:
            self.in_work += 1
            self.most_in_work = max(self.most_in_work, self.in_work)
        if name in self.hold:
            with take_model_turn():
                assert self.hold[name].wait(SECONDS)
        self.seen.append(f"prepared {name}")
        if name == self.refused:
            raise Refused
        return notes

    def allocate(self, notes: Sequence[RawNote]) -> Any:
        self.seen.append(f"claimed {notes[0].note_id}")
        done = SimpleNamespace(surrogates={}, claimed=0, shared=0)
        return SimpleNamespace(ask=None, result=lambda: done)

    def finish(self, notes: Sequence[RawNote], _: object) -> list[Outcome]:
        with self.lock:
            self.in_work -= 1
        self.seen.append(f"finished {notes[0].note_id}")
        return [echo(note) for note in notes]

    def served(self) -> Service:
        """A service whose batches are of one note."""
        return service(cast("Any", self), budget_tokens=1)


def values(*names: str) -> list[bytes]:
    return [encode_note(RawNote(name, "P", "quiet")) for name in names]


async def until(seen: Callable[[], bool]) -> None:
    """Wait for what happens on other threads."""
    await asyncio.to_thread(wait_until, seen, seconds=SECONDS)


def ids(outcomes: Sequence[Any]) -> list[str]:
    return [outcome.note.note_id for outcome in outcomes]


def test_batches_are_in_work_beside_one_another_and_no_more_than_the_most() -> None:
    later = threading.Event()
    names = [f"n{number}" for number in range(3 * BATCHES_IN_WORK)]
    watched = WatchedPipeline(hold={"n0": later})

    async def run() -> list[Outcome]:
        running = asyncio.create_task(watched.served().run(values(*names)))
        await until(lambda: watched.most_in_work == BATCHES_IN_WORK)
        later.set()
        return await running

    assert ids(asyncio.run(run())) == names
    assert watched.most_in_work == BATCHES_IN_WORK


def test_a_batch_that_is_prepared_first_claims_after_the_earlier_one() -> None:
    later = threading.Event()
    watched = WatchedPipeline(hold={"a": later})

    async def run() -> list[Outcome]:
        running = asyncio.create_task(watched.served().run(values("a", "b")))
        await until(lambda: "prepared b" in watched.seen)
        assert "claimed b" not in watched.seen
        later.set()
        return await running

    assert ids(asyncio.run(run())) == ["a", "b"]
    assert watched.seen.index("finished a") < watched.seen.index("claimed b")


def test_a_group_begins_while_the_one_before_it_is_computed() -> None:
    later = threading.Event()
    watched = WatchedPipeline(hold={"a": later})

    async def run() -> list[list[Outcome]]:
        served = watched.served()
        groups = [asyncio.create_task(served.run(values(name))) for name in ("a", "b")]
        await until(lambda: "prepared b" in watched.seen)
        later.set()
        return [await group for group in groups]

    assert [ids(outcomes) for outcomes in asyncio.run(run())] == [["a"], ["b"]]


def test_what_stops_the_worker_reaches_the_caller_and_ends_the_other_batches() -> None:
    later = threading.Event()
    watched = WatchedPipeline(hold={"b": later}, refused="a")

    async def run() -> None:
        served = watched.served()
        with pytest.raises(Refused):
            await served.run(values("a", "b", "c"))
        later.set()
        assert ids(await served.run(values("d"))) == ["d"]

    asyncio.run(run())
    assert not {"claimed b", "claimed c"} & set(watched.seen)


def test_a_cancelled_group_gives_its_places_back() -> None:
    later = threading.Event()
    watched = WatchedPipeline(hold={"a": later, "b": later})

    async def run() -> None:
        served = watched.served()
        running = asyncio.create_task(served.run(values("a", "b", "c")))
        await until(lambda: watched.most_in_work == BATCHES_IN_WORK)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert running.cancelled()
        later.set()
        assert ids(await served.run(values("d", "e", "f"))) == ["d", "e", "f"]

    asyncio.run(run())
    assert "prepared c" not in watched.seen


def test_a_stage_takes_no_time_while_it_waits_for_the_model_of_another_batch() -> None:
    begun, free = threading.Event(), threading.Event()

    def compute() -> None:
        with take_model_turn():
            begun.set()
            free.wait(SECONDS)

    def seconds() -> float:
        labels = {"stage": Stage.DETECT.value}
        return metrics.REGISTRY.get_sample_value("deid_stage_seconds_sum", labels) or 0.0

    other = threading.Thread(target=compute)
    other.start()
    assert begun.wait(SECONDS)
    threading.Timer(0.6, free.set).start()
    before, start = seconds(), time.perf_counter()
    with take_text_turn(), watch(Stage.DETECT), take_model_turn():
        waited = time.perf_counter() - start
    other.join()
    assert waited > 0.2
    assert seconds() - before < waited / 2
