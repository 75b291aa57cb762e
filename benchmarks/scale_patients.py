"""The memory of a real Redis by patients, with the names and values that a worker writes.

What is claimed for the patients of the sample notes, one note each, is recorded once. The Redis is
then filled with as many names of the same lengths for each patient: the first time through the
store of the worker, then by larger commands, which must come to the same memory.
Names that several patients share, such as those of a tenant, grow with the site and are left out.
"""

import random
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import cast

from redis import Redis as RedisClient

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.policy_choice import choose_policies
from deidstream.agents.runtime.root_keys import fresh_key
from deidstream.agents.settings import Settings
from deidstream.stream.redis.memory_store import OWNER_BYTES, MemorySurrogateStore
from deidstream.stream.redis.surrogate_store import PREFIX, RedisSurrogateStore
from deidstream.study.bench.bench_notes import cut_groups
from support.redis_server import Redis, running_redis

SAMPLE = 48
"""Sample notes whose claims are recorded."""
BY_STORE = 10_000
SIZES = (10_000, 100_000)
WHOLE = 1_000_000
PATIENTS = 500
"""Patients that are written at once."""
MOST_MEGABYTES = 6_000

Pair = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class RecordingStore:
    """A store in memory that keeps what was claimed."""

    inner: MemorySurrogateStore = field(default_factory=MemorySurrogateStore)
    claimed: dict[bytes, list[Pair]] = field(default_factory=dict[bytes, list[Pair]])
    """By the owner of the names."""

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        return await self.inner.recall(names)

    async def claim(self, pairs: Sequence[Pair]) -> list[bytes]:
        for name, value in pairs:
            self.claimed.setdefault(name[:OWNER_BYTES], []).append((name, value))
        return await self.inner.claim(pairs)


@dataclass(frozen=True, slots=True)
class PatientMemory:
    """The memory of so many patients."""

    patients: int
    megabytes: float
    bytes_a_patient: float
    seconds: float
    measured: bool


async def record_claims() -> list[list[Pair]]:
    """Return what is claimed for each patient of the sample notes, one list a patient."""
    settings = Settings()
    choice = choose_policies(settings, root=fresh_key())
    store = RecordingStore()
    service = local_service(settings, choice.default, store, choice.tenant_pipelines())
    owners: list[set[bytes]] = []
    for number, note in enumerate(sample_notes()[:SAMPLE]):
        before = {owner: len(pairs) for owner, pairs in store.claimed.items()}
        own = replace(note, patient_id=f"patient-{number}")
        await service.run(cut_groups([own], 1)[0])
        grown = {o for o, pairs in store.claimed.items() if len(pairs) > before.get(o, 0)}
        owners.append(grown)
    service.lane.close()
    alone: list[list[Pair]] = []
    for number, found in enumerate(owners):
        others = set[bytes]().union(*owners[:number], *owners[number + 1 :])
        alone.append([pair for owner in found - others for pair in store.claimed[owner]])
    return alone


def make_patients(templates: Sequence[Sequence[Pair]], count: int) -> Iterator[list[Pair]]:
    """Yield names and values of patients, random and as long as those recorded."""
    draws = random.Random(1)
    for _ in range(count):
        fresh: dict[bytes, bytes] = {}
        pairs: list[Pair] = []
        for name, value in templates[draws.randrange(len(templates))]:
            owner = fresh.setdefault(name[:OWNER_BYTES], draws.randbytes(OWNER_BYTES))
            item = draws.randbytes(len(name) - OWNER_BYTES)
            pairs.append((owner + item, draws.randbytes(len(value))))
        yield pairs


async def write_by_store(server: Redis, patients: Iterator[list[Pair]]) -> None:
    """Write names as a worker does."""
    store = RedisSurrogateStore.connect(server.url)
    while some := list(islice(patients, PATIENTS)):
        await store.claim([pair for pairs in some for pair in pairs])
    await store.close()


async def write_at_once(server: Redis, patients: Iterator[list[Pair]]) -> None:
    """Write all names of an owner by one command."""
    with RedisClient.from_url(server.url) as client:
        while some := list(islice(patients, PATIENTS)):
            pipeline = client.pipeline(transaction=False)
            for pairs in some:
                for owner, items in group_items(pairs).items():
                    pipeline.execute_command("HSET", PREFIX + owner, *items)
            pipeline.execute()


def group_items(pairs: Sequence[Pair]) -> dict[bytes, list[bytes]]:
    """Return items and values by their owner, as arguments of HSET."""
    grouped: dict[bytes, list[bytes]] = {}
    for name, value in pairs:
        grouped.setdefault(name[:OWNER_BYTES], []).extend((name[OWNER_BYTES:], value))
    return grouped


Write = Callable[[Redis, Iterator[list[Pair]]], Awaitable[None]]


async def fill(
    server: Redis, templates: Sequence[Sequence[Pair]], count: int, write: Write
) -> PatientMemory:
    """Fill an empty Redis; return its memory."""
    with RedisClient.from_url(server.url) as client:
        client.flushall()
        before = used_bytes(client)
        began = time.perf_counter()
        await write(server, make_patients(templates, count))
        seconds = time.perf_counter() - began
        used = used_bytes(client) - before
    return PatientMemory(count, used / 1e6, used / count, seconds, measured=True)


def used_bytes(client: RedisClient) -> int:
    return int(cast("dict[str, int]", client.info("memory"))["used_memory"])


async def measure_patients(most_seconds: float) -> dict[str, object]:
    """Fill a Redis with patients; a million of them if that is expected to take less time."""
    templates = await record_claims()
    with tempfile.TemporaryDirectory() as name, running_redis(Path(name)) as server:
        by_store = await fill(server, templates, BY_STORE, write_by_store)
        runs = [await fill(server, templates, size, write_at_once) for size in SIZES]
        expected = extrapolate(runs, WHOLE)
        if expected.seconds <= most_seconds and expected.megabytes <= MOST_MEGABYTES:
            runs.append(await fill(server, templates, WHOLE, write_at_once))
        else:
            runs.append(expected)
    names = sum(map(len, templates)) / len(templates)
    expectation = {"expected_megabytes": expected.megabytes, "names_a_patient": names}
    return {**expectation, "by_store": asdict(by_store), "runs": [asdict(run) for run in runs]}


def extrapolate(runs: Sequence[PatientMemory], count: int) -> PatientMemory:
    """Continue the line through the first and the last run."""
    first, last = runs[0], runs[-1]
    share = (count - first.patients) / (last.patients - first.patients)
    megabytes = first.megabytes + share * (last.megabytes - first.megabytes)
    seconds = first.seconds + share * (last.seconds - first.seconds)
    return PatientMemory(count, megabytes, megabytes * 1e6 / count, seconds, measured=False)
