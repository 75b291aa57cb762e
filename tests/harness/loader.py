"""Sends notes to the raw topic at a pace, in the background, and writes the manifest."""

import hashlib
import random
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from confluent_kafka import Message, Producer

from harness.canary_notes import HEADER, CanaryNote, NoteMaker
from harness.manifest import Manifest

POISON_SHARE = 0.02


@dataclass(slots=True)
class Loader:
    """The only writer of one raw topic."""

    bootstrap: str
    topic: str
    manifest: Manifest
    maker: NoteMaker
    poison: bool = True
    extra: dict[str, str | int] = field(default_factory=dict[str, str | int])
    """More settings of the producer."""
    sent: int = 0
    lag: Callable[[], int] = lambda: 0
    """How many messages are unfinished, as far as is known."""
    most_lag: int = 600
    """Above this lag feeding pauses, so that a slow machine gets the same faults, not a queue."""
    rate: float = 0.0
    """Notes a second while it feeds; it may change at any time."""
    _placed: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _feeding: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None
    _producer: Producer = field(init=False)

    def __post_init__(self) -> None:
        settings = {
            "bootstrap.servers": self.bootstrap,
            "enable.idempotence": True,
            "linger.ms": 5,
            "log_level": 0,
            "message.timeout.ms": 300_000,
            # Partitions that are added in mid-run are soon used.
            "topic.metadata.refresh.interval.ms": 2_000,
            "reconnect.backoff.max.ms": 500,
            **self.extra,
        }
        self._producer = Producer(settings)

    def send(self, notes: Iterable[CanaryNote]) -> None:
        """Send messages; :meth:`flush` waits for the broker."""
        with self._lock:
            for note in notes:
                self._send(note)
        self._producer.poll(0)

    def _send(self, note: CanaryNote) -> None:
        seq, self.sent = self.sent, self.sent + 1
        self.manifest.add(seq, note, hashlib.sha256(note.value).hexdigest())
        while True:
            try:
                self._producer.produce(
                    self.topic,
                    note.value,
                    note.key,
                    headers=[(HEADER, note.header)],
                    on_delivery=self._placer(seq),
                )
            except BufferError:
                self._producer.poll(0.2)
            else:
                return

    def _placer(self, seq: int) -> Callable[[object, Message], None]:
        def placed(error: object, message: Message) -> None:
            partition, offset = message.partition(), message.offset()
            if error is None and partition is not None and offset is not None:
                self._placed.append((partition, offset, seq))

        return placed

    def send_notes(self, count: int) -> None:
        """Send the next notes at once."""
        self.send(self.maker.note() for _ in range(count))
        self.flush()

    def flush(self, seconds: float = 120.0) -> None:
        """Wait until the broker has everything."""
        with self._lock:
            if self._producer.flush(seconds):
                message = "the broker did not take what the loader sent"
                raise TimeoutError(message)
            self.manifest.confirm(self._placed)
            self._placed.clear()

    def feed(self, rate: float) -> None:
        """Send notes, some of them broken, until :meth:`stop`."""
        self.rate = rate
        self._feeding.set()
        self._thread = threading.Thread(target=self._feed, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop feeding and wait for the broker."""
        self.give_up()
        self.flush()

    def give_up(self) -> None:
        """Stop feeding, whatever has come of what was sent."""
        self._feeding.clear()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _feed(self) -> None:
        chance = random.Random(self.maker.seed)
        due, last = 0.0, time.monotonic()
        while self._feeding.is_set():
            now = time.monotonic()
            # A loader that was held up does not catch up at once.
            due, last = min(due + (now - last) * self.rate, self.rate), now
            whole, due = int(due), due % 1
            if self.lag() > self.most_lag:
                whole = 0
            self.send(self._next(chance) for _ in range(whole))
            time.sleep(0.05)

    def _next(self, chance: random.Random) -> CanaryNote:
        if self.poison and chance.random() < POISON_SHARE:
            return self.maker.some_poison(chance)
        return self.maker.note()
