"""Samples once a second: what a group has committed, and what its workers hold."""

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import orjson
from confluent_kafka import Consumer, KafkaException, TopicPartition

PAGE = 4096


@dataclass(frozen=True, slots=True)
class Usage:
    """What one process holds."""

    megabytes: float
    files: int
    threads: int


@dataclass(frozen=True, slots=True)
class Sample:
    """One second of one run; times are of the monotonic clock."""

    at: float
    committed: int | None
    """Messages that the group has finished; ``None`` where the broker did not answer."""
    lag: int | None
    usage: dict[str, Usage]


@dataclass(slots=True)
class Sampler:
    """Samples in the background."""

    bootstrap: str
    group: str
    topic: str
    workers: Callable[[], Sequence[tuple[str, int]]]
    """Name and pid of each running worker."""
    samples: list[Sample] = field(default_factory=list[Sample])
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        settings = {
            "bootstrap.servers": self.bootstrap,
            "group.id": self.group,
            "enable.auto.commit": False,
            "log_level": 0,
            "reconnect.backoff.max.ms": 500,
        }
        consumer = Consumer(settings)
        try:
            while not self._stop.wait(1.0):
                committed, lag = _progress(consumer, self.topic)
                usage = {name: held for name, pid in self.workers() if (held := usage_of(pid))}
                self.samples.append(Sample(time.monotonic(), committed, lag, usage))
        finally:
            consumer.close()


def read_lag(bootstrap: str, group: str, topic: str) -> int | None:
    """Return how many messages a group has not finished; ``None`` where the broker is away."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": group, "log_level": 0})
    try:
        return _progress(consumer, topic)[1]
    finally:
        consumer.close()


def _progress(consumer: Consumer, topic: str) -> tuple[int | None, int | None]:
    try:
        numbers = consumer.list_topics(topic, timeout=2.0).topics[topic].partitions
        places = [TopicPartition(topic, number) for number in numbers]
        committed = lag = 0
        for place in consumer.committed(places, timeout=2.0):
            low, high = consumer.get_watermark_offsets(place, timeout=2.0)
            offset = place.offset if place.offset >= 0 else low
            committed, lag = committed + offset, lag + max(0, high - offset)
    except (KafkaException, KeyError):
        return None, None
    return committed, lag


def usage_of(pid: int) -> Usage | None:
    """Read what a process holds; ``None`` when it has ended."""
    folder = Path("/proc") / str(pid)
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int((folder / "statm").read_text().split()[1])
        threads = (folder / "status").read_text().split("Threads:")[1].split()[0]
        return Usage(pages * PAGE / 2**20, len(list((folder / "fd").iterdir())), int(threads))
    return None


def write_samples(samples: Sequence[Sample], file: Path) -> None:
    """Write samples, one JSON line each, for whoever wants to judge them again."""
    file.write_bytes(b"".join(orjson.dumps(asdict(sample)) + b"\n" for sample in samples))
