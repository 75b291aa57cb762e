"""The demo: embedded broker and Redis, a real worker, sample notes, a live table."""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import count
from pathlib import Path

import orjson

from deidstream.agents.demo_view import Board, show_notes
from deidstream.agents.feed import consuming, keyed
from deidstream.agents.keys import read_key, write_key
from deidstream.agents.lines import say
from deidstream.agents.settings import PREFIX, Settings
from deidstream.models.keyring import Keyring
from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import decode, encode_note
from deidstream.stream.embedded import EmbeddedBroker, EmbeddedRedis
from deidstream.stream.producer import KafkaProducer

WORKER_SECONDS = 180
SHOWN = 3
BROKEN = 70


def sample_notes() -> list[RawNote]:
    """The fictional notes that come with deidstream."""
    path = files("deidstream.agents").joinpath("data", "sample_notes.jsonl")
    return [decode(line) for line in path.read_bytes().splitlines()]


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the demo plays."""

    brokers: str
    redis_url: str
    folder: Path
    policy: str
    settings: Settings = field(default_factory=Settings)

    @property
    def key_file(self) -> Path:
        """The demo's own root key."""
        return self.folder / "key"

    @property
    def log(self) -> Path:
        """Where the worker logs."""
        return self.folder / "worker.log"

    def environment(self) -> dict[str, str]:
        """The five settings that a worker needs; those of the person's own stay out of it."""
        own = {k: v for k, v in os.environ.items() if not k.startswith(f"{PREFIX}_")}
        return own | {
            f"{PREFIX}_KAFKA_BROKERS": self.brokers,
            f"{PREFIX}_KAFKA_CREATE_TOPICS": "false",
            f"{PREFIX}_REDIS_URL": self.redis_url,
            f"{PREFIX}_KEY_FILE": str(self.key_file),
            f"{PREFIX}_POLICY": self.policy,
            f"{PREFIX}_HTTP_PORT": "0",
        }


async def run_demo(*, policy: str, forever: bool) -> int:
    """Run the demo; return 0, or 70 when the worker broke."""
    say("starting an in-memory Kafka broker and a Redis of our own …")
    broker, redis = EmbeddedBroker.start(), EmbeddedRedis.start()
    try:
        with tempfile.TemporaryDirectory(prefix="deidstream-demo-") as folder:
            stage = Stage(broker.brokers, redis.url, Path(folder), policy)
            write_key(stage.key_file)
            return await _play(stage, forever=forever)
    finally:
        redis.stop()


async def _play(stage: Stage, *, forever: bool) -> int:
    producer = await KafkaProducer.start(stage.brokers)
    try:
        await _make_topics(stage, producer)
        async with _worker(stage) as worker:
            url = await _ops_address(stage, worker)
            return await _watched(stage, producer, worker, url, forever=forever)
    finally:
        await producer.stop()


async def _make_topics(stage: Stage, producer: KafkaProducer) -> None:
    # The in-memory broker makes a topic when somebody asks for it.
    kafka = stage.settings.kafka
    names = (kafka.raw_topic, kafka.anonymized_topic, kafka.risk_topic, kafka.quarantine_topic)
    for name in names:
        await producer.client.partitions_for(name)


@asynccontextmanager
async def _worker(stage: Stage) -> AsyncGenerator[asyncio.subprocess.Process]:
    say("starting a worker: it loads its model, its index and its key …")
    with stage.log.open("wb") as log:
        command = (sys.executable, "-m", "deidstream.agents", "worker")
        environment = stage.environment()
        worker = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=log, stderr=log
        )
    try:
        yield worker
    finally:
        with contextlib.suppress(ProcessLookupError):
            worker.send_signal(signal.SIGTERM)
        await asyncio.wait_for(worker.wait(), 60)


async def _ops_address(stage: Stage, worker: asyncio.subprocess.Process) -> str:
    for _ in range(WORKER_SECONDS * 5):
        for line in _logged(stage):
            if line.get("event") == "ops-server":
                return str(line["address"])
        if worker.returncode is not None:
            break
        await asyncio.sleep(0.2)
    return ""


def _logged(stage: Stage) -> Iterator[dict[str, object]]:
    for line in stage.log.read_bytes().splitlines():
        with contextlib.suppress(orjson.JSONDecodeError):
            yield orjson.loads(line)


async def _watched(
    stage: Stage,
    producer: KafkaProducer,
    worker: asyncio.subprocess.Process,
    url: str,
    *,
    forever: bool,
) -> int:
    if not url:
        say("the worker did not start; it said:")
        say(stage.log.read_text(errors="replace"))
        return BROKEN
    notes = sample_notes()
    board = Board(None if forever else len(notes), url)
    feeder = asyncio.create_task(_feed(stage, producer, notes, forever=forever))
    try:
        await _follow(stage, board, worker)
    finally:
        feeder.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await feeder
    show_notes(notes[:SHOWN], board, Keyring(read_key(str(stage.key_file)), 1, "default"))
    say(f"the ops page was at {url}/metrics (also /livez and /readyz)")
    return 0 if board.full else BROKEN


async def _feed(
    stage: Stage, producer: KafkaProducer, notes: list[RawNote], *, forever: bool
) -> None:
    for turn in count():
        for note in notes:
            sent = replace(note, note_id=f"{note.note_id}-{turn}") if turn else note
            record = keyed(encode_note(sent), stage.settings.kafka.raw_topic)
            await producer.send([record])
        if not forever:
            return


async def _follow(stage: Stage, board: Board, worker: asyncio.subprocess.Process) -> None:
    kafka = stage.settings.kafka
    topics = (kafka.anonymized_topic, kafka.risk_topic, kafka.quarantine_topic)
    async with consuming(stage.brokers, topics) as consumer:
        with board:
            while not board.full and worker.returncode is None:
                records = await consumer.getmany(timeout_ms=200)
                for place, batch in records.items():
                    for record in batch:
                        board.saw(place.topic.rpartition(".")[2], record.value or b"{}")
                board.refresh()
