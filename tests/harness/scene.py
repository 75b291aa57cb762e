"""The scene of one row: topics, a Redis, stub workers, a loader, and a log of what was done."""

import random
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from deidstream.models.keyring import Keyring
from deidstream.stream.kafka.topics import OUTPUT_CONFIG
from harness.broker import ProxiedKafka
from harness.canary_notes import NoteMaker
from harness.events import Criterion, Event
from harness.fleet import StubWorker, Zygote
from harness.history import OUTPUTS
from harness.loader import Loader
from harness.manifest import Manifest
from harness.orders import POLICY, SESSION
from harness.pages import read_page
from harness.recovery import WINDOWS, recovered_after
from harness.samples import Sampler, read_lag
from support.kafka import Kafka
from support.processes import wait_until
from support.redis_server import Redis

SESSION_SECONDS = 3.0
PARTITIONS = 4
ROOT_KEY = bytes(range(32))


@dataclass(slots=True)
class Scene:
    """What a row acts on. Everything in it belongs to the row alone, except the broker."""

    name: str
    folder: Path
    broker: ProxiedKafka
    redis: Redis
    zygote: Zygote
    seed: str
    scale: float = 1.0
    settings: dict[str, str] = field(default_factory=dict[str, str])
    """Settings of every worker, beyond the usual ones."""
    patients: int = 50
    keyrings: list[Keyring] = field(default_factory=list[Keyring])
    restarts: bool = True
    """Whether a worker that ends unbidden is started again, as an orchestrator would."""
    unbidden: int = 0
    """Workers that ended so."""
    kills: int = 0
    events: list[Event] = field(default_factory=list[Event])
    criteria: list[Criterion] = field(default_factory=list[Criterion])
    workers: list[StubWorker] = field(default_factory=list[StubWorker])
    pages: bytes = b""
    """What the pages of workers have said."""
    deleted: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    """Places in the raw topic that retention has deleted unread."""
    chance: random.Random = field(init=False)
    manifest: Manifest = field(init=False)
    loader: Loader = field(init=False)
    sampler: Sampler = field(init=False)
    _bidden: set[int] = field(default_factory=set[int])
    _environments: dict[int, dict[str, str]] = field(default_factory=dict[int, dict[str, str]])
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _closed: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        """Make topics, key and policy; nothing runs yet."""
        self.chance = random.Random(f"{self.seed}|{self.name}")
        (self.folder / "tmp").mkdir()
        key = self.folder / "key"
        key.write_text(ROOT_KEY.hex())
        key.chmod(0o600)
        (self.folder / "stub.toml").write_text(POLICY)
        self.keyrings.append(Keyring(ROOT_KEY, 1, "default"))
        topics = self.topics()
        outputs = [name for kind, name in topics.items() if kind != "raw"]
        self.kafka.create_topics(topics["raw"], partitions=PARTITIONS)
        self.kafka.create_topics(*outputs, partitions=PARTITIONS, config=OUTPUT_CONFIG)
        self.manifest = Manifest(self.folder / "manifest.sqlite")
        maker = NoteMaker(f"{self.seed}|{self.name}", self.patients)
        address = self.kafka.direct
        self.loader = Loader(address, topics["raw"], self.manifest, maker)
        self.sampler = Sampler(address, self.group, topics["raw"], self._running)
        self.sampler.start()
        self.loader.lag = self._known_lag
        threading.Thread(target=self._supervise, daemon=True).start()

    @property
    def kafka(self) -> Kafka:
        """The broker, past the proxy."""
        return self.broker.kafka

    @property
    def group(self) -> str:
        """Name of the consumer group."""
        return f"g-{self.folder.name}"

    @property
    def log(self) -> str:
        """What all workers have logged."""
        return "".join(worker.said() for worker in self.workers)

    def topics(self) -> dict[str, str]:
        """Return the topics by kind."""
        return {kind: f"h-{self.folder.name}.{kind}" for kind in ("raw", *OUTPUTS)}

    def times(self, count: int) -> int:
        """Scale a number of faults."""
        return max(1, round(count * self.scale))

    def seconds(self, full: float, least: float) -> float:
        """Scale a duration, but not below ``least``."""
        return max(least, full * self.scale)

    def environment(self) -> dict[str, str]:
        """Return the settings of a worker."""
        named = {f"DEIDSTREAM_KAFKA_{k.upper()}_TOPIC": name for k, name in self.topics().items()}
        return named | {
            "DEIDSTREAM_BATCH_NOTES": "48",
            "DEIDSTREAM_BATCH_WAIT_SECONDS": "0.1",
            "DEIDSTREAM_KAFKA_BROKERS": self.kafka.bootstrap,
            "DEIDSTREAM_KAFKA_GROUP": self.group,
            "DEIDSTREAM_KAFKA_AUDIT": "true",
            "DEIDSTREAM_KAFKA_CREATE_TOPICS": "false",
            "DEIDSTREAM_KAFKA_TRANSACTION_SECONDS": "5",
            "DEIDSTREAM_KEY_FILE": str(self.folder / "key"),
            "DEIDSTREAM_POLICY": str(self.folder / "stub.toml"),
            "DEIDSTREAM_REDIS_URL": self.redis.url,
            "DEIDSTREAM_HTTP_PORT": "0",
            "DEIDSTREAM_WORKER_LOG_LEVEL": "debug",
            SESSION: str(SESSION_SECONDS),
            "TMPDIR": str(self.folder / "tmp"),
            **self.settings,
        }

    # What workers do.

    def start_worker(self, **more: str) -> StubWorker:
        """Start a worker."""
        with self._lock:
            number = len(self.workers)
            log = self.folder / f"worker-{number}.log"
            worker = self.zygote.fork(f"w{number}", log, self.environment() | more)
            self.workers.append(worker)
            self._environments[worker.pid] = more
            return worker

    def kill(self, worker: StubWorker, limit: float = 20.0) -> None:
        """Kill a worker without warning."""
        self._bidden.add(worker.pid)
        self.fault(f"kill -9 {worker.name}")
        worker.kill9()
        self.kills += 1
        self.healed(f"{worker.name} is dead", limit)

    def stop_worker(self, worker: StubWorker, seconds: float = 25.0) -> float:
        """Ask a worker to end; return how long it took."""
        self._bidden.add(worker.pid)
        self._fetch_pages(worker)
        self.fault(f"SIGTERM {worker.name}")
        asked = time.monotonic()
        worker.send(signal.SIGTERM)
        try:
            worker.wait(seconds + 15)
        except TimeoutError:
            worker.kill9()
        taken = time.monotonic() - asked
        self.expect(f"{worker.name} ends in order", worker.code == 0, f"exit code {worker.code}")
        self.expect(f"{worker.name} ends in time", taken <= seconds, f"{taken:.1f} s")
        return taken

    def expects_end(self, worker: StubWorker) -> None:
        """Let a worker end without being started again."""
        self._bidden.add(worker.pid)

    def _running(self) -> list[tuple[str, int]]:
        return [(worker.name, worker.pid) for worker in self.workers if worker.running]

    def _supervise(self) -> None:
        while not self._closed.wait(0.3):
            for worker in list(self.workers):
                if worker.running or worker.pid in self._bidden:
                    continue
                self._bidden.add(worker.pid)
                self.unbidden += 1
                self.seen(f"{worker.name} ended by itself, exit code {worker.code}")
                if self.restarts and not self._closed.is_set():
                    self.start_worker(**self._environments[worker.pid])

    # What the nemesis says.

    def fault(self, what: str) -> None:
        """Say that a fault begins."""
        self.events.append(Event(time.monotonic(), "fault", what))

    def healed(self, what: str, limit: float) -> None:
        """Say that it is over, and within how many seconds there must be progress."""
        self.events.append(Event(time.monotonic(), "healed", what, limit))

    def seen(self, what: str) -> None:
        """Say what happened."""
        self.events.append(Event(time.monotonic(), "seen", what))

    def expect(self, what: str, held: bool, detail: str = "") -> None:  # noqa: FBT001 - what is expected
        """Write down whether one of the row's own criteria held."""
        self.criteria.append(Criterion(what, held, detail))

    # How the row waits.

    def pause(self, least: float, most: float | None = None) -> None:
        """Let time pass."""
        time.sleep(self.chance.uniform(least, least if most is None else most))

    def committed(self) -> int:
        """Return how many messages the group has finished, by the last sample that knows."""
        known = [s.committed for s in self.sampler.samples if s.committed is not None]
        return known[-1] if known else 0

    def _known_lag(self) -> int:
        samples = self.sampler.samples
        if not samples:
            return 0
        # While the broker is away nothing is added to what waits.
        lag = samples[-1].lag
        return self.loader.most_lag + 1 if lag is None else lag

    def wait_progress(self, seconds: float = 60.0) -> bool:
        """Wait until the group finishes a message from now on; return whether it did."""
        now, before = time.monotonic(), self.committed()

        def finished() -> bool:
            fresh = [s.committed for s in self.sampler.samples if s.at > now + 0.5]
            known = [count for count in fresh if count is not None]
            return bool(known) and known[-1] > max(before, known[0])

        return self.wait_for(finished, seconds)

    def wait_for(self, done: Callable[[], bool], seconds: float) -> bool:
        """Wait for something; return whether it came."""
        try:
            wait_until(done, seconds=seconds, pause=0.05)
        except TimeoutError:
            return False
        return True

    def recover(self, limit: float) -> None:
        """Wait until the group has recovered from the last fault, for a while beyond ``limit``."""
        healed = [event.at for event in self.events if event.kind == "healed"]
        start = healed[-1] if healed else time.monotonic()

        def recovered() -> bool:
            return recovered_after(self.sampler.samples, start, float("inf")) is not None

        self.wait_for(recovered, limit + WINDOWS + 10)

    def settle(self, patience: float = 60.0) -> None:
        """Stop feeding and wait until the group has finished everything.

        It may take any time as long as there is progress every ``patience`` seconds.
        """
        self.loader.stop()
        least, since = self.lag(), time.monotonic()
        while least != 0 and time.monotonic() - since < patience:
            time.sleep(0.5)
            now = self.lag()
            if now is not None and (least is None or now < least):
                least, since = now, time.monotonic()
        self.expect("everything is finished", least == 0, f"lag {least}")

    def lag(self) -> int | None:
        """Return how many messages are unfinished, asked of the broker."""
        address = self.kafka.direct
        return read_lag(address, self.group, self.topics()["raw"])

    def fetch_pages(self) -> None:
        """Keep what the pages of all running workers say, to search it."""
        for worker in self.workers:
            if worker.running:
                self._fetch_pages(worker)

    def _fetch_pages(self, worker: StubWorker) -> None:
        address = worker.address()
        for page in ("metrics", "livez", "readyz") if address else ():
            self.pages += read_page(f"{address}/{page}")

    def close(self) -> None:
        """Stop what runs; the broker goes on."""
        self._closed.set()
        self.loader.give_up()
        with self._lock:
            for worker in self.workers:
                self._bidden.add(worker.pid)
                if worker.running:
                    worker.kill9()
        self.sampler.stop()
