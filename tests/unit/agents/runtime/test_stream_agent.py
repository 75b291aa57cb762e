"""The agent keeps the order of each partition, and a long note holds its own partition alone."""

import asyncio
import random
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, cast

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.agents.runtime.long_notes import LONG_BYTES
from deidstream.agents.runtime.stream_agent import StreamAgent
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Outcome, Place, RiskLevel
from deidstream.stream.delivery.failures import Superseded
from deidstream.stream.delivery.outbox import Outbox
from deidstream.stream.delivery.positions import Membership
from deidstream.stream.delivery.producer import TopicRecord
from deidstream.stream.observing.health import Health
from support.delivery import READING, assigned_outbox, message_read
from support.echo_worker import echo
from support.processes import wait_until

SECONDS = 20
PREFETCHED = 3
Log = Sequence[bool]
"""The messages of a partition; whether each is long."""


@dataclass(slots=True)
class Broker:
    """Logs that are read, and a transaction that is checked when it is committed."""

    logs: Sequence[Log]
    pause: Callable[[], Awaitable[None]]
    outbox: Outbox = field(init=False)
    read: dict[int, int] = field(default_factory=dict[int, int])
    reading: int = READING
    fetched: deque[Any] = field(default_factory=deque[Any])
    """As Faust has a few messages in a buffer, also those of an earlier reading."""
    out: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    """By partition, the offsets of the notes that came out."""
    levels: list[str] = field(default_factory=list[str])
    """Of the notes that came out."""
    open: int = 0
    enable_acks: bool = True

    def __post_init__(self) -> None:
        """Give the worker every partition from its beginning."""
        self.out = {number: [] for number in range(len(self.logs))}
        self.read = dict.fromkeys(self.out, 0)
        self.outbox = assigned_outbox(cast("Any", self), self.committed_now())

    def committed_now(self) -> dict[Place, int]:
        return {("raw", number): len(offsets) for number, offsets in self.out.items()}

    @property
    def done(self) -> bool:
        return all(len(self.out[n]) == len(log) for n, log in enumerate(self.logs))

    async def events(self) -> AsyncIterator[Any]:
        """Yield what is fetched, of partitions that may be read."""
        while not self.done:
            self._fetch()
            if self.fetched:
                yield self.fetched.popleft()
            await self.pause()
            await asyncio.sleep(0)

    def _fetch(self) -> None:
        held = self.outbox.assignment.held
        for number, log in enumerate(self.logs):
            at = self.read[number]
            if len(self.fetched) < PREFETCHED and at < len(log) and ("raw", number) not in held:
                value = f"{number} {at}".encode().ljust(LONG_BYTES if log[at] else 1)
                message = message_read("raw", number, at, self.reading)
                self.fetched.append(SimpleNamespace(value=value, message=message))
                self.read[number] = at + 1

    async def rebalance(self) -> None:
        """Take all partitions away, and give them back."""
        self.outbox.assignment.revoke()
        await self.pause()
        self.reading += 1
        self.read = {number: len(offsets) for number, offsets in self.out.items()}
        member = Membership("member", self.reading)
        self.outbox.assignment.assign(self.committed_now(), member, self.reading)

    async def deliver(
        self, records: Sequence[TopicRecord], offsets: Mapping[Place, int], membership: Membership
    ) -> None:
        assert not self.open, "two transactions at a time"
        self.open += 1
        try:
            await self.pause()
            if membership != self.outbox.assignment.positions.membership:
                raise Superseded(sent=False)
        finally:
            self.open -= 1
        notes = [orjson.loads(one.value)["note_id"] for one in records if one.topic == "anonymized"]
        self.levels += [orjson.loads(one.value)["level"] for one in records if one.topic == "risk"]
        for number, offset in (map(int, note.split()) for note in notes):
            self.out[number].append(offset)
        # Nothing is committed that was not sent, and nothing before it is missing.
        for (_, number), end in offsets.items():
            assert self.out[number] == list(range(end))


@dataclass(slots=True)
class Maker:
    """Brings messages to outcomes, after a while."""

    pause: Callable[[], Awaitable[None]]
    runs: Counter[bytes] = field(default_factory=Counter[bytes])

    async def run(self, values: Sequence[bytes]) -> list[Outcome]:
        self.runs.update(value.rstrip() for value in values)
        await self.pause()
        return [echo(RawNote(value.decode().rstrip(), "P", "quiet")) for value in values]


def agent_of(broker: Broker, short: Maker, long: Maker) -> StreamAgent:
    return StreamAgent(
        cast("Any", short), cast("Any", long), broker.outbox, Health(60), 4, wait_seconds=0.0
    )


@settings(max_examples=60, deadline=None)
@given(
    logs=st.lists(st.lists(st.sampled_from([False, False, False, True])), min_size=1, max_size=4),
    rebalances=st.integers(0, 3),
    seed=st.integers(0, 2**32),
)
def test_every_partition_comes_out_once_and_in_order(
    logs: Sequence[Log], rebalances: int, seed: int
) -> None:
    drawn = random.Random(seed)

    async def pause() -> None:
        for _ in range(drawn.choice((0, 0, 1, 2, 5, 20))):
            await asyncio.sleep(0)

    async def run() -> None:
        broker = Broker(logs, pause)
        agent = agent_of(broker, Maker(pause), Maker(pause))
        consuming = asyncio.create_task(agent.consume(cast("Any", broker)))
        for _ in range(rebalances):
            for _ in range(drawn.randrange(60)):
                await asyncio.sleep(0)
            await broker.rebalance()
        await consuming
        assert await agent.drain(SECONDS)
        assert agent.health.in_flight == 0
        assert not agent.broken.is_set()
        assert not broker.outbox.assignment.held
        assert broker.out == {n: list(range(len(log))) for n, log in enumerate(logs)}

    asyncio.run(asyncio.wait_for(run(), SECONDS))


@dataclass(slots=True)
class Ranks:
    """Finds every note red, and keeps when its message was created."""

    created: list[float | None] = field(default_factory=list[float | None])

    async def rank(
        self, outcomes: Sequence[Outcome], created: Sequence[float | None]
    ) -> list[Outcome]:
        self.created += created
        ranked: list[Outcome] = []
        for one in outcomes:
            assert isinstance(one, Anonymized)
            ranked.append(replace(one, risk=replace(one.risk, level=RiskLevel.RED)))
        return ranked


def test_every_note_that_comes_out_has_been_ranked_by_the_time_of_its_message() -> None:
    async def step() -> None:
        await asyncio.sleep(0)

    async def run() -> None:
        broker, ranks = Broker([[False, True, False], [False]], step), Ranks()
        agent = agent_of(broker, Maker(step), Maker(step))
        agent.ranks = cast("Any", ranks)
        await agent.consume(cast("Any", broker))
        assert await agent.drain(SECONDS)
        assert broker.levels == ["red"] * 4
        assert ranks.created == [0.0] * 4

    asyncio.run(asyncio.wait_for(run(), SECONDS))


def run_with_slow_long(
    logs: Sequence[Log],
    check: Callable[[Broker, StreamAgent, Maker, asyncio.Event], Awaitable[None]],
) -> None:
    """Run an agent whose long notes wait for an event, which comes at the end at the latest."""

    async def run() -> None:
        free = asyncio.Event()

        async def step() -> None:
            await asyncio.sleep(0)

        async def wait() -> None:
            await free.wait()

        broker, long = Broker(logs, step), Maker(wait)
        agent = agent_of(broker, Maker(step), long)
        consuming = asyncio.create_task(agent.consume(cast("Any", broker)))
        await check(broker, agent, long, free)
        free.set()
        await until(lambda: broker.done)
        await consuming
        assert await agent.drain(SECONDS)

    asyncio.run(asyncio.wait_for(run(), SECONDS))


async def until(seen: Callable[[], bool]) -> None:
    await asyncio.to_thread(wait_until, seen, seconds=SECONDS)


def test_a_long_note_holds_its_own_partition_and_no_other() -> None:
    logs = [[False, True, *[False] * 40], [False] * 60, [True, False]]

    async def check(broker: Broker, _: StreamAgent, long: Maker, __: asyncio.Event) -> None:
        await until(lambda: len(broker.out[1]) == len(logs[1]))
        assert (broker.out[0], broker.out[2]) == ([0], [])
        # What is behind it stays in Kafka, but for what was fetched before it began.
        assert broker.read[0] <= len([0, 1]) + 2 * PREFETCHED
        # They take turns.
        assert long.runs.total() == 1

    run_with_slow_long(logs, check)


def test_a_long_note_that_is_read_again_is_computed_once() -> None:
    async def check(broker: Broker, _: StreamAgent, long: Maker, free: asyncio.Event) -> None:
        await until(lambda: long.runs.total() == 1)
        await broker.rebalance()
        await until(lambda: len(broker.out[1]) == 1)
        free.set()
        await until(lambda: broker.done)
        assert long.runs == {b"0 0": 1}

    run_with_slow_long([[True, False], [False]], check)


def test_a_drain_ends_in_its_time_though_a_long_note_is_in_work() -> None:
    async def check(broker: Broker, agent: StreamAgent, _: Maker, free: asyncio.Event) -> None:
        await until(lambda: len(broker.out[1]) == 2)
        assert not await agent.drain(0.05)
        assert (broker.out[0], agent.health.in_flight) == ([], 1)
        free.set()
        await until(lambda: agent.health.in_flight == 0)
        # What was held is read again by the next worker.
        assert broker.out[0] == [0]
        broker.out[0].append(1)

    run_with_slow_long([[True, False], [False, False]], check)
