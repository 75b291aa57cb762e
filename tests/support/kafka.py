"""A real Apache Kafka on this machine: one node or several, KRaft, own folders, loopback only."""

import shutil
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from support.ports import LOOPBACK, free_port
from support.processes import Process, start, wait_ready, wait_until

_ROOT = Path(__file__).parents[2]
_LIBS = _ROOT / ".cache/kafka/libs"
_LOGGING = _ROOT / "deploy/kafka/log4j2.xml"

# A quick start counts for more than peak speed: the serial collector, the first compiler only.
_QUIET = {"log_level": 0, "reconnect.backoff.max.ms": 100}
_JAVA = ("java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")


def missing() -> str | None:
    """Say what keeps Kafka from starting; ``None`` when nothing does."""
    if shutil.which("java") is None:
        return "no Java on the path"
    if not any(_LIBS.glob("kafka_2.13-*.jar")):
        return "no Apache Kafka in .cache/kafka/libs (run: make services)"
    return None


@dataclass(slots=True)
class Kafka:
    """One broker. Folder and ports outlive the process, so that it can be killed and come back."""

    home: Path
    port: int = field(default_factory=free_port)
    controller: int = field(default_factory=free_port)
    advertised: int | None = None
    """The port that clients get: that of a proxy in front of the broker, if any; else ``port``."""
    settings: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    """Broker settings that differ from those of ``_settings``."""
    java_options: tuple[str, ...] = ()
    others: "tuple[Kafka, ...]" = ()
    """The other brokers of its cluster."""
    process: Process | None = None

    @property
    def bootstrap(self) -> str:
        """The addresses for clients, of all brokers."""
        return ",".join(f"{LOOPBACK}:{each.advertised or each.port}" for each in self.all())

    @property
    def direct(self) -> str:
        """The addresses past any proxy."""
        return ",".join(f"{LOOPBACK}:{each.port}" for each in self.all())

    def all(self) -> "tuple[Kafka, ...]":
        """Return the brokers of the cluster, this one first."""
        return (self, *self.others)

    def format(self, cluster: str = "") -> None:
        """Write the settings and an empty log; once, before the first start.

        Args:
            cluster: The id that all brokers of a cluster share; a new one if not given.
        """
        lines = (f"{key}={value}\n" for key, value in {**_settings(self), **self.settings}.items())
        (self.home / "server.properties").write_text("".join(lines))
        # One word, for one id in 64 begins with "-" and would be read as an option.
        words = ("kafka.tools.StorageTool", "format", f"--cluster-id={cluster or _new_id()}")
        quorum = () if self.others else ("--standalone",)
        tool = self._java(*words, *quorum, "--config", "server.properties")
        if tool.wait(60.0) != 0:
            raise RuntimeError(tool.last_words())

    def launch(self) -> None:
        """Start the broker."""
        self.process = self._java("kafka.Kafka", "server.properties")

    def start(self) -> None:
        """Start the broker and wait until it serves clients.

        Raises:
            NeverReady: It does not.
        """
        self.launch()
        self.wait()

    def wait(self) -> None:
        """Wait until the broker serves clients.

        Raises:
            NeverReady: It does not.
        """
        assert self.process is not None
        admin = AdminClient({"bootstrap.servers": f"{LOOPBACK}:{self.port}", **_QUIET})
        wait_ready(self.process, lambda: _serves(admin), seconds=60.0)

    def stop(self) -> None:
        """End the broker in order, if it runs."""
        if self.process:
            self.process.stop(seconds=20.0)

    def kill9(self) -> None:
        """End the broker as a power failure would, except that the page cache survives."""
        if self.process:
            self.process.kill9()

    def restart(self) -> None:
        """Start again on the same port and folder, after ``stop`` or ``kill9`` or a running one."""
        self.stop()
        self.start()

    def create_topics(
        self, *names: str, partitions: int = 1, config: Mapping[str, str] | None = None
    ) -> None:
        """Create topics and wait until each partition has a leader.

        Raises:
            KafkaException: One exists, or its settings are wrong.
        """
        admin = self.admin()
        copies = len(self.all())
        topics = [NewTopic(name, partitions, copies, config=dict(config or {})) for name in names]
        for created in admin.create_topics(topics).values():
            created.result(30.0)
        wait_until(lambda: all(_led(admin, name, partitions) for name in names), seconds=30.0)

    def admin(self) -> AdminClient:
        """A new client for administration, which logs nothing while the broker is unreachable."""
        # Past any proxy: administration is the test's, not the service's.
        return AdminClient({"bootstrap.servers": self.direct, **_QUIET})

    def _java(self, *words: str) -> Process:
        logging = f"-Dlog4j2.configurationFile={_LOGGING}"
        command = (*_JAVA, *self.java_options, logging, "-cp", f"{_LIBS}/*", *words)
        return start(command, log=self.home / "kafka.log", cwd=self.home)


@contextmanager
def running_kafka(
    home: Path, *, advertised: int | None = None, settings: Mapping[str, str | int] | None = None
) -> Generator[Kafka]:
    """Run a fresh broker in ``home``, an empty folder; what was started is stopped."""
    kafka = Kafka(home, advertised=advertised, settings=settings or {})
    kafka.format()
    try:
        kafka.start()
        yield kafka
    finally:
        kafka.stop()


@contextmanager
def running_cluster(home: Path, count: int = 3) -> Generator[Kafka]:
    """Run fresh brokers in ``home``, an empty folder, each also a controller; yield the first.

    Topics have a copy on each broker; the positions of groups and transactions too, and two
    copies must be in step.
    """
    nodes = [Kafka(home / f"broker-{number}") for number in range(count)]
    controllers = [f"{LOOPBACK}:{node.controller}" for node in nodes]
    voters = ",".join(f"{number}@{at}" for number, at in enumerate(controllers, 1))
    cluster = _new_id()
    for number, node in enumerate(nodes, 1):
        node.home.mkdir()
        node.others = tuple(each for each in nodes if each is not node)
        node.settings = {
            "node.id": number,
            "controller.quorum.voters": voters,
            "controller.quorum.bootstrap.servers": ",".join(controllers),
            "offsets.topic.replication.factor": count,
            "transaction.state.log.replication.factor": count,
            "transaction.state.log.min.isr": 2,
            # A follower that is away leaves the replicas in step soon.
            "replica.lag.time.max.ms": 2_000,
            "transaction.abort.timed.out.transaction.cleanup.interval.ms": 500,
        }
        node.format(cluster)
    try:
        for node in nodes:
            node.launch()
        for node in nodes:
            node.wait()
        yield nodes[0]
    finally:
        for node in nodes:
            node.kill9()


def _new_id() -> str:
    return urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")


def _serves(admin: AdminClient) -> bool:
    try:
        return bool(admin.list_topics(timeout=1.0).brokers)
    except KafkaException:
        return False


def _led(admin: AdminClient, topic: str, partitions: int) -> bool:
    found = admin.list_topics(topic, timeout=5.0).topics[topic].partitions
    return len(found) == partitions and all(each.leader >= 0 for each in found.values())


def _settings(kafka: Kafka) -> dict[str, str | int]:
    return {
        "process.roles": "broker,controller",
        "node.id": 1,
        "log.dirs": f"{kafka.home}/log",
        "listeners": f"PLAINTEXT://{LOOPBACK}:{kafka.port},CONTROLLER://{LOOPBACK}:{kafka.controller}",
        "advertised.listeners": f"PLAINTEXT://{LOOPBACK}:{kafka.advertised or kafka.port}",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.bootstrap.servers": f"{LOOPBACK}:{kafka.controller}",
        "auto.create.topics.enable": "false",
        # One node holds the only copy of everything.
        "offsets.topic.replication.factor": 1,
        "offsets.topic.num.partitions": 2,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "transaction.state.log.num.partitions": 2,
        # Readers of committed records wait for the transaction that a killed worker left open.
        "transaction.abort.timed.out.transaction.cleanup.interval.ms": 1_000,
        "share.coordinator.state.topic.replication.factor": 1,
        "share.coordinator.state.topic.min.isr": 1,
        # Tests wait for elections, group joins and session ends: make them short.
        "controller.quorum.election.timeout.ms": 100,
        "broker.heartbeat.interval.ms": 500,
        "broker.session.timeout.ms": 3_000,
        "group.initial.rebalance.delay.ms": 0,
        "group.min.session.timeout.ms": 500,
        # 128 MB otherwise, a quarter of the heap.
        "log.cleaner.dedupe.buffer.size": 4 * 1024 * 1024,
    }
