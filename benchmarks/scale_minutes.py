"""The memory of one worker over many minutes in which notes always wait for it."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from scale_workers import WorkerCount, started_worker

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.root_keys import read_key
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import Unavailable
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.study.bench.bench_notes import repeat_notes
from deidstream.study.bench.machine_state import describe_machine, resident_mb
from deidstream.study.bench.output_reader import reading_outputs
from deidstream.study.bench.paced_feed import NoteFeed
from deidstream.study.bench.worker_site import WorkerServices, WorkerSite, prepared_site
from support.kafka import running_kafka
from support.redis_server import running_redis

SAMPLE_SECONDS = 10.0
AHEAD = 400
"""Notes that wait at least: several full batches."""
STEADY_FROM = 1 / 3
"""Share of the minutes after which memory counts: caches are full then."""
PARTITIONS = 4


@dataclass(frozen=True, slots=True)
class MemorySample:
    """What a worker held at a moment."""

    minutes: float
    """Since it was ready."""
    notes: int
    """Outcomes so far."""
    megabytes: float


async def measure_minutes(minutes: float, policy: str) -> dict[str, object]:
    """Keep notes waiting for one worker, each of a patient of its own; sample its memory."""
    with tempfile.TemporaryDirectory() as name:
        homes = Path(name) / "kafka", Path(name) / "redis"
        for home in homes:
            home.mkdir()
        with running_kafka(homes[0]) as kafka, running_redis(homes[1]) as redis:
            services = WorkerServices(kafka.bootstrap, redis.url, PARTITIONS)
            with prepared_site(Settings(policy=policy), services) as site:
                samples = await sample_memory(site, minutes)
    return {"samples": [asdict(one) for one in samples], **summarise(samples)}


async def sample_memory(site: WorkerSite, minutes: float) -> list[MemorySample]:
    """Return the samples of a run of so many minutes.

    Raises:
        Unavailable: The worker ended.
    """
    producer = await KafkaProducer.start(site.connection)
    await site.make_topics(producer)
    release = find_policy(site.place.policy).id_release
    feed = NoteFeed(producer, site.topics.raw, read_key(str(site.place.key_file)), release)
    threads = WorkerCount(1, PARTITIONS).threads(describe_machine().cores)
    texts = list(sample_notes())
    samples: list[MemorySample] = []
    async with (
        reading_outputs(site.connection, site.topics) as seen,
        started_worker(site, 0, threads) as worker,
    ):
        start, sent, turn = time.monotonic(), 0, 0
        while (passed := time.monotonic() - start) < 60 * minutes:
            while sent < seen.count + AHEAD:
                await feed.send_all(repeat_notes(texts, len(texts), f"minutes-{turn}"))
                sent, turn = sent + len(texts), turn + 1
            if passed >= SAMPLE_SECONDS * len(samples):
                samples.append(MemorySample(passed / 60, seen.count, resident_mb(worker.pid)))
            if worker.returncode is not None:
                raise Unavailable("worker")  # noqa: EM101  what cannot be reached
            await asyncio.sleep(1)
    await producer.stop()
    return samples


def summarise(samples: Sequence[MemorySample]) -> dict[str, float]:
    """Return the speed, and how memory grew when caches were full: a line by least squares."""
    whole = samples[-1]
    steady = [one for one in samples if one.minutes >= STEADY_FROM * whole.minutes]
    moments = np.array([one.minutes for one in steady])
    held = np.array([one.megabytes for one in steady])
    slope = float(np.polyfit(moments, held, 1)[0])
    return {
        "minutes": whole.minutes,
        "notes": whole.notes,
        "notes_per_second": whole.notes / (60 * whole.minutes),
        "steady_from_minute": steady[0].minutes,
        "steady_least_mb": float(held.min()),
        "steady_most_mb": float(held.max()),
        "mb_a_thousand_notes": 1000
        * slope
        * (steady[-1].minutes - steady[0].minutes)
        / (steady[-1].notes - steady[0].notes),
    }
