"""The demo: embedded broker and Redis, a real worker, sample notes, a live table."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import files
from itertools import count
from pathlib import Path

import orjson
from aiokafka import AIOKafkaConsumer

from deidstream.agents.demo.demo_ports import DemoPorts
from deidstream.agents.demo.feed import to_record
from deidstream.agents.demo.review_page import USER, ReviewAccess, running_review
from deidstream.agents.demo.view import Board, show_notes, waiting
from deidstream.agents.runtime.connections import topics_of
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.root_keys import read_key, write_key
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import AT_LEAST_ONCE, PREFIX, KafkaSettings, Settings
from deidstream.models.keyring import Keyring
from deidstream.schemas.note import RawNote
from deidstream.schemas.risk_policy import RedAction
from deidstream.schemas.wire import decode, encode_note
from deidstream.stream.delivery.producer import KafkaProducer
from deidstream.stream.kafka.committed_consumer import open_committed_consumer
from deidstream.stream.kafka.connection import KafkaConnection
from deidstream.stream.parent_end import end_with_parent
from deidstream.stream.redis.embedded import EmbeddedBroker, EmbeddedRedis

SHOWN = 3
MOST_UNREAD = 16
"""Notes on their way with ``--forever``: more would only wait, and the page would show that."""
FOLDER_PREFIX = "deidstream-demo-"
BROKEN = 70
START_SECONDS = 180
STOP_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Playground:
    """The surroundings of the demo's worker: services, key, log and settings."""

    brokers: str
    redis_url: str
    folder: Path
    policy: str
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further settings, by their names in the environment."""
    settings: Settings = field(default_factory=Settings)

    @property
    def key_file(self) -> Path:
        """Path of its root key."""
        return self.folder / "key"

    @property
    def log(self) -> Path:
        """Path of its log."""
        return self.folder / "worker.log"

    def environment(self) -> dict[str, str]:
        """Return the worker's environment, without the caller's own ``DEIDSTREAM_*`` variables."""
        own = {k: v for k, v in os.environ.items() if not k.startswith(f"{PREFIX}_")}
        return own | {
            f"{PREFIX}_KAFKA_BROKERS": self.brokers,
            f"{PREFIX}_KAFKA_CREATE_TOPICS": "false",
            # The in-memory broker does not say which positions no transaction holds open.
            f"{PREFIX}_KAFKA_DELIVERY": AT_LEAST_ONCE,
            f"{PREFIX}_REDIS_URL": self.redis_url,
            f"{PREFIX}_KEY_FILE": str(self.key_file),
            f"{PREFIX}_POLICY": self.policy,
            f"{PREFIX}_HTTP_PORT": "0",
            **self.more,
        }


@asynccontextmanager
async def running_worker(place: Playground) -> AsyncGenerator[asyncio.subprocess.Process]:
    """Run ``deidstream worker``, and terminate it at the end."""
    with place.log.open("wb") as log:
        command = (sys.executable, "-m", "deidstream.agents", "worker")
        environment = place.environment()
        worker = await asyncio.create_subprocess_exec(
            *command,
            env=environment,
            stdout=log,
            stderr=log,
            # Ctrl-C of a terminal is for the demo, which ends its parts one after another.
            process_group=0,
            # Nothing else runs between fork and exec, and no lock is taken there.
            preexec_fn=end_with_parent,
        )
    try:
        yield worker
    finally:
        with contextlib.suppress(ProcessLookupError):
            worker.send_signal(signal.SIGTERM)
        await asyncio.wait_for(worker.wait(), STOP_SECONDS)


async def ops_address(place: Playground, worker: asyncio.subprocess.Process) -> str:
    """Return the address that the worker logs for its ops server; ``""`` if it did not start."""
    for _ in range(START_SECONDS * 5):
        for line in _log_events(place):
            if line.get("event") == "ops-server":
                return str(line["address"])
        if worker.returncode is not None:
            break
        await asyncio.sleep(0.2)
    return ""


def _log_events(place: Playground) -> Iterator[dict[str, object]]:
    for line in place.log.read_bytes().splitlines():
        with contextlib.suppress(orjson.JSONDecodeError):
            yield orjson.loads(line)


def sample_notes() -> list[RawNote]:
    """Return the fictional notes that come with deidstream."""
    path = files("deidstream.agents").joinpath("data", "sample_notes.jsonl")
    return [decode(line) for line in path.read_bytes().splitlines()]


async def run_demo(*, policy: str, forever: bool, ports: DemoPorts) -> int:
    """Run the demo; return 0, or 70 when the worker broke.

    SIGTERM, SIGHUP and SIGINT end its worker and its Redis, and remove its folders.

    Args:
        policy: What is shown.
        forever: Whether to go on until interrupted, with a review page.
        ports: Where the pages are.

    Raises:
        InvalidPolicy: There is no such policy, or it is wrong.
    """
    shown = find_policy(policy)
    _cancel_on_signals()
    remove_left_folders(Path(tempfile.gettempdir()))
    with waiting("starting an in-memory Kafka and an embedded Redis"):
        broker = EmbeddedBroker.start()
    with tempfile.TemporaryDirectory(prefix=f"{FOLDER_PREFIX}{os.getpid()}-") as folder:
        redis = EmbeddedRedis.start(Path(folder), durable=True)
        try:
            # Spans are on the audit topic alone; a real one is kept apart (docs/security).
            audit = {f"{PREFIX}_KAFKA_AUDIT": "true"}
            more = audit | {f"{PREFIX}_HTTP_PORT": str(ports.operations)}
            place = Playground(broker.brokers, redis.url, Path(folder), policy, more)
            write_key(place.key_file)
            return await _play(place, ports, shown.risk.on_red, forever=forever)
        finally:
            redis.stop()


def _cancel_on_signals() -> None:
    loop, running = asyncio.get_running_loop(), asyncio.current_task()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if running is not None:
            loop.add_signal_handler(number, running.cancel)


def remove_left_folders(parent: Path) -> None:
    """Remove the folders of demos that were killed before they could do it themselves."""
    for folder in parent.glob(f"{FOLDER_PREFIX}*-*"):
        owner = folder.name.removeprefix(FOLDER_PREFIX).partition("-")[0]
        if owner.isdecimal() and not _is_running(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


async def _play(place: Playground, ports: DemoPorts, red: RedAction, *, forever: bool) -> int:
    async with AsyncExitStack() as stack:
        producer = await KafkaProducer.start(KafkaConnection(place.brokers))
        stack.push_async_callback(producer.stop)
        await _make_topics(place, producer)
        say(f"operations page, live in some seconds: {ports.operations_url}")
        review = None
        if forever:
            page = running_review(place.environment(), place.folder / "review", ports.review)
            review = await stack.enter_async_context(page)
            login = f"user {USER}, password {review.password}"
            say(f"review page, in half a minute: {ports.review_url} ({login})")
        worker = await stack.enter_async_context(running_worker(place))
        with waiting("a worker loads its models, its index and its key"):
            started = await ops_address(place, worker)
        if not started:
            say("the worker did not start; its log:")
            say(place.log.read_text(errors="replace"))
            return BROKEN
        board = Board(len(sample_notes()), ports.operations_url, red)
        return await _watch_run(place, producer, worker, board, review)


async def _make_topics(place: Playground, producer: KafkaProducer) -> None:
    # The in-memory broker creates a topic when a client asks for it.
    kafka = place.settings.kafka
    for name in (*topics_of(place.settings).all(), kafka.audit_topic):
        await (await producer.connect()).partitions_for(name)


async def _watch_run(
    place: Playground,
    producer: KafkaProducer,
    worker: asyncio.subprocess.Process,
    board: Board,
    review: ReviewAccess | None,
) -> int:
    notes, forever = sample_notes(), review is not None
    room = asyncio.Semaphore(MOST_UNREAD if forever else len(notes))
    feeder = asyncio.create_task(_feed(place, producer, notes, room, forever=forever))
    try:
        async with open_committed_consumer(
            KafkaConnection(place.brokers), _output_topics(place.settings.kafka)
        ) as consumer:
            await _follow(consumer, board, room, worker, forever=False)
            show_notes(notes[:SHOWN], board, Keyring(read_key(str(place.key_file)), 1, "default"))
            if review is not None and board.full:
                await _go_on(review, consumer, board, room, worker)
    finally:
        feeder.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await feeder
    if not board.full or (forever and worker.returncode is not None):
        say(f"the worker ended with {worker.returncode}; its log:")
        say(place.log.read_text(errors="replace"))
        return BROKEN
    say("'deidstream demo --forever' goes on, with the operations page and a review page.")
    return 0


async def _go_on(
    review: ReviewAccess,
    consumer: AIOKafkaConsumer,
    board: Board,
    room: asyncio.Semaphore,
    worker: asyncio.subprocess.Process,
) -> None:
    with waiting("the review page loads its models"):
        url = await review.address()
    if url:
        say(f"both pages are live until you press Ctrl-C: {board.url} and {url}/")
        say(f"the review page asks for user {USER}, password {review.password}")
    else:
        say("the review page did not start; its log:")
        say(review.log.read_text(errors="replace"))
    await _follow(consumer, board, room, worker, forever=True)


def _output_topics(kafka: KafkaSettings) -> tuple[str, ...]:
    outputs = kafka.anonymized_topic, kafka.risk_topic, kafka.quarantine_topic
    return (*outputs, kafka.audit_topic)


async def _feed(
    place: Playground,
    producer: KafkaProducer,
    notes: list[RawNote],
    room: asyncio.Semaphore,
    *,
    forever: bool,
) -> None:
    for turn in count():
        for note in notes:
            await room.acquire()
            sent = replace(note, note_id=f"{note.note_id}-{turn}") if turn else note
            record = to_record(encode_note(sent), place.settings.kafka.raw_topic)
            await producer.send([record])
        if not forever:
            return


async def _follow(
    consumer: AIOKafkaConsumer,
    board: Board,
    room: asyncio.Semaphore,
    worker: asyncio.subprocess.Process,
    *,
    forever: bool,
) -> None:
    with board:
        while (forever or not board.full) and worker.returncode is None:
            before = board.done
            records = await consumer.getmany(timeout_ms=200)
            for origin, batch in records.items():
                for record in batch:
                    board.add(origin.topic.rpartition(".")[2], record.value or b"{}")
            for _ in range(board.done - before):
                room.release()
            board.refresh()
