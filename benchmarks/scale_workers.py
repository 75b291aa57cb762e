"""The speed of several workers on the partitions of a real Kafka."""

import asyncio
import tempfile
import urllib.error
import urllib.request
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from deidstream.agents.demo.demo import ops_address, running_worker, sample_notes
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.root_keys import read_key
from deidstream.agents.settings import Settings
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.study.bench.arrivals import group_bursts, rate_of
from deidstream.study.bench.bench_notes import repeat_notes
from deidstream.study.bench.machine_state import cpu_seconds, describe_machine
from deidstream.study.bench.output_reader import reading_outputs
from deidstream.study.bench.paced_feed import NoteFeed
from deidstream.study.bench.worker_site import WorkerServices, WorkerSite, prepared_site
from support.kafka import running_kafka
from support.redis_server import running_redis


@dataclass(frozen=True, slots=True)
class WorkerCount:
    """How many workers share how many partitions."""

    workers: int
    partitions: int

    @classmethod
    def parse(cls, text: str) -> "WorkerCount":
        """Read ``2x8``."""
        workers, _, partitions = text.partition("x")
        return cls(int(workers), int(partitions))

    def threads(self, cores: int) -> int:
        """Return the threads of each worker's engine, so that all together use every core."""
        return max(1, cores // self.workers)


@dataclass(frozen=True, slots=True)
class WorkerSpeed:
    """What so many workers did."""

    workers: int
    partitions: int
    threads: int
    notes_per_second: float
    cpu_ms_a_note: float


async def measure_worker_counts(
    counts: Sequence[WorkerCount], notes: int, policy: str
) -> dict[str, object]:
    """Measure each count on one Kafka and one Redis."""
    runs: list[WorkerSpeed] = []
    with tempfile.TemporaryDirectory() as name:
        homes = Path(name) / "kafka", Path(name) / "redis"
        for home in homes:
            home.mkdir()
        with running_kafka(homes[0]) as kafka, running_redis(homes[1]) as redis:
            for count in counts:
                services = WorkerServices(kafka.bootstrap, redis.url, count.partitions)
                with prepared_site(Settings(policy=policy), services) as site:
                    runs.append(await measure_count(site, count, notes))
                print(runs[-1], flush=True)
    return {"notes": notes, "runs": [asdict(run) for run in runs]}


async def measure_count(site: WorkerSite, count: WorkerCount, notes: int) -> WorkerSpeed:
    """Start workers, wait until all are ready, then send all notes at once."""
    threads = count.threads(describe_machine().cores)
    producer = await KafkaProducer.start(site.connection)
    await site.make_topics(producer)
    release = find_policy(site.place.policy).id_release
    feed = NoteFeed(producer, site.topics.raw, read_key(str(site.place.key_file)), release)
    async with (
        AsyncExitStack() as stack,
        reading_outputs(site.connection, site.topics) as seen,
    ):
        starts = [started_worker(site, number, threads) for number in range(count.workers)]
        workers = await asyncio.gather(*map(stack.enter_async_context, starts))
        before = sum(cpu_seconds(worker.pid) for worker in workers)
        await feed.send_all(repeat_notes(sample_notes(), notes, "scaling"))
        await seen.wait_for(notes, workers[0])
        spent = sum(cpu_seconds(worker.pid) for worker in workers) - before
        rate = rate_of(group_bursts(list(seen.moments.values())))
    await producer.stop()
    return WorkerSpeed(count.workers, count.partitions, threads, rate, 1000 * spent / notes)


@asynccontextmanager
async def started_worker(
    site: WorkerSite, number: int, threads: int
) -> AsyncGenerator[asyncio.subprocess.Process]:
    """Run one worker from when it is ready."""
    folder = site.place.folder / f"worker-{number}"
    folder.mkdir()
    more = {
        **site.place.more,
        "DEIDSTREAM_KEY_FILE": str(site.place.key_file),
        "DEIDSTREAM_MODEL_THREADS": str(threads),
        "OMP_NUM_THREADS": str(threads),
    }
    place = replace(site.place, folder=folder, more=more)
    async with running_worker(place) as process:
        address = await ops_address(place, process)
        while not await asyncio.to_thread(is_ready, address):
            if process.returncode is not None:
                message = f"worker {number} ended with {process.returncode}"
                raise RuntimeError(message)
            await asyncio.sleep(0.2)
        yield process


def is_ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/readyz", timeout=5) as answer:  # noqa: S310  ours
            return bool(answer.status == 200)  # noqa: PLR2004  HTTP's own number
    except (urllib.error.URLError, OSError):
        return False
