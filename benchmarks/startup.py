"""Measure how long a process takes to its first note: processor time and time on the clock.

python benchmarks/startup.py [--rounds 3] [--python .venv/bin/python]

A worker is measured against the in-memory broker and the Redis of the demo, which cost it nothing:
until /readyz answers 200, and until the note that waits for it is out. As Kafka does by default,
that broker waits 3 s for further members of a new group; they are among the seconds on the clock.

Each command runs in a process of its own, on one note; the least of the rounds is printed, because
other load on the machine only ever adds. One thread computes, as in a worker. Give the interpreter
of another checkout to compare with it.
"""

import argparse
import asyncio
import os
import resource
import secrets
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from aiokafka import AIOKafkaConsumer

from deidstream.agents.demo.demo import Playground
from deidstream.agents.demo.feed import to_record
from deidstream.agents.runtime.root_keys import write_key
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.stream.kafka.committed_consumer import open_committed_consumer
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.parent_end import end_with_parent
from deidstream.stream.redis.embedded import EmbeddedBroker, EmbeddedRedis

NOTE = (
    '{"note_id":"n1","patient_id":"p1","authored_at":"2024-03-04T10:00:00Z",'
    '"text":"Mr. Quentin Vanterpool (MRN: 5512873) was seen on 03/04/2024 by Dr. Brightwater."}\n'
)
IN_PYTHON = """
from deidstream.agents.deidentifier import Deidentifier
with Deidentifier.load("surrogate", key="root.key") as deidentifier:
    deidentifier.deidentify("Seen by Dr. Brightwater on 03/04/2024.")
"""
COMMANDS = {
    "--help": ["-m", "deidstream.agents", "--help"],
    "config check": ["-m", "deidstream.agents", "config", "check"],
    "detect": ["-m", "deidstream.agents", "detect", "in.jsonl", "--out", "spans.jsonl"],
    "deidentify": ["-m", "deidstream.agents", "deidentify", "in.jsonl", "--out", "out.jsonl"],
    "Deidentifier": ["-c", IN_PYTHON],
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took."""

    cpu_seconds: float
    wall_seconds: float


def measure(python: str, command: list[str], folder: Path) -> Cost:
    """Run a command to its end.

    Raises:
        CalledProcessError: It failed.
    """
    environment = os.environ | {"OMP_NUM_THREADS": "1", "DEIDSTREAM_KEY_FILE": "root.key"}
    # An installation has its bytecode, and so has a checkout after the first round.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = _children_seconds(), time.perf_counter()
    subprocess.run(  # noqa: S603  our own commands
        [python, *command], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    return Cost(_children_seconds() - before, time.perf_counter() - start)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@dataclass(frozen=True, slots=True)
class StartingWorker:
    """A worker that was just started."""

    process: asyncio.subprocess.Process
    address: str
    """The address of its /readyz."""
    start: float

    def cost(self) -> Cost:
        """Return what it has taken until now."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        return Cost(ticks / os.sysconf("SC_CLK_TCK"), time.perf_counter() - self.start)

    async def wait_ready(self) -> Cost:
        """Return what it took until it was ready."""
        while not await asyncio.to_thread(_answers, self.address):
            if self.process.returncode is not None:
                msg = "the worker ended"
                raise RuntimeError(msg)
            # Each question costs the worker a millisecond.
            await asyncio.sleep(0.1)
        return self.cost()

    async def wait_note(self, consumer: AIOKafkaConsumer) -> Cost:
        """Return what it took until the first note was out."""
        await consumer.getone()
        return self.cost()


async def measure_worker(python: str) -> dict[str, Cost]:
    """Start a worker for which a note waits; return its costs until ready and until it is out."""
    with tempfile.TemporaryDirectory() as name:
        return await _measure_worker_in(python, Path(name))


async def _measure_worker_in(python: str, folder: Path) -> dict[str, Cost]:
    broker, redis = EmbeddedBroker.start(), EmbeddedRedis.start(folder)
    more = {"DEIDSTREAM_HTTP_PORT": str(_free_port()), "OMP_NUM_THREADS": "1"}
    place = Playground(broker.brokers, redis.url, folder, "surrogate", more)
    try:
        write_key(place.key_file)
        topics, connection = place.settings.kafka, KafkaConnection(broker.brokers)
        producer = await KafkaProducer.start(connection)
        outputs = (topics.anonymized_topic, topics.risk_topic, topics.quarantine_topic)
        for name in (topics.raw_topic, *outputs):
            # The broker creates a topic when a client asks for it.
            await (await producer.connect()).partitions_for(name)
        await producer.send([to_record(NOTE.strip().encode(), topics.raw_topic)])
        async with open_committed_consumer(connection, [topics.anonymized_topic]) as consumer:
            worker = await _start_worker(python, place)
            done, ready = await asyncio.gather(worker.wait_note(consumer), worker.wait_ready())
            worker.process.terminate()
            await worker.process.wait()
        await producer.stop()
    finally:
        redis.stop()
    return {"worker ready": ready, "worker note": done}


async def _start_worker(python: str, place: Playground) -> StartingWorker:
    environment = place.environment()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    command = (python, "-m", "deidstream.agents", "worker")
    with place.log.open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=log, stderr=log, preexec_fn=end_with_parent
        )
    address = f"http://127.0.0.1:{environment['DEIDSTREAM_HTTP_PORT']}/readyz"
    return StartingWorker(process, address, start)


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5):  # noqa: S310  our own worker
            return True
    except OSError:
        return False


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def least(costs: list[Cost]) -> Cost:
    """Return the least of each measure."""
    return Cost(min(c.cpu_seconds for c in costs), min(c.wall_seconds for c in costs))


def report(title: str, cost: Cost) -> None:
    """Print one row."""
    sys.stdout.write(f"{title:14}{cost.cpu_seconds:7.2f}{cost.wall_seconds:8.2f}\n")
    sys.stdout.flush()


def main() -> None:
    """Print a table."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--python", default=sys.executable)
    given = arguments.parse_args()
    python = str(Path(given.python).absolute())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.jsonl").write_text(NOTE)
        (folder / "root.key").write_text(secrets.token_hex(32))
        (folder / "root.key").chmod(0o600)
        sys.stdout.write(f"{'':14}{'CPU s':>7}{'wall s':>8}\n")
        for title, command in COMMANDS.items():
            report(title, least([measure(python, command, folder) for _ in range(given.rounds)]))
    rounds = [asyncio.run(measure_worker(python)) for _ in range(given.rounds)]
    for title in rounds[0]:
        report(title, least([costs[title] for costs in rounds]))


if __name__ == "__main__":
    main()
