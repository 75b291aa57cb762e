"""A worker of our own, for the demo and the benchmark: a real process with real settings."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from deidstream.agents.settings import PREFIX, Settings

START_SECONDS = 180
STOP_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Playground:
    """Where a worker of our own runs: its services, its key, its log."""

    brokers: str
    redis_url: str
    folder: Path
    policy: str
    more: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further settings, by their names in the environment."""
    settings: Settings = field(default_factory=Settings)

    @property
    def key_file(self) -> Path:
        """A root key of its own."""
        return self.folder / "key"

    @property
    def log(self) -> Path:
        """Where the worker logs."""
        return self.folder / "worker.log"

    def environment(self) -> dict[str, str]:
        """The settings of the worker; those of the person's own environment stay out of it."""
        own = {k: v for k, v in os.environ.items() if not k.startswith(f"{PREFIX}_")}
        return own | {
            f"{PREFIX}_KAFKA_BROKERS": self.brokers,
            f"{PREFIX}_KAFKA_CREATE_TOPICS": "false",
            f"{PREFIX}_REDIS_URL": self.redis_url,
            f"{PREFIX}_KEY_FILE": str(self.key_file),
            f"{PREFIX}_POLICY": self.policy,
            f"{PREFIX}_HTTP_PORT": "0",
            **self.more,
        }


@asynccontextmanager
async def running_worker(place: Playground) -> AsyncGenerator[asyncio.subprocess.Process]:
    """Run ``deidstream worker``; terminate it and wait for it at the end."""
    with place.log.open("wb") as log:
        command = (sys.executable, "-m", "deidstream.agents", "worker")
        environment = place.environment()
        worker = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=log, stderr=log
        )
    try:
        yield worker
    finally:
        with contextlib.suppress(ProcessLookupError):
            worker.send_signal(signal.SIGTERM)
        await asyncio.wait_for(worker.wait(), STOP_SECONDS)


async def ops_address(place: Playground, worker: asyncio.subprocess.Process) -> str:
    """Wait for the worker to say where its ops server listens; empty when it did not start."""
    for _ in range(START_SECONDS * 5):
        for line in _logged(place):
            if line.get("event") == "ops-server":
                return str(line["address"])
        if worker.returncode is not None:
            break
        await asyncio.sleep(0.2)
    return ""


def _logged(place: Playground) -> Iterator[dict[str, object]]:
    for line in place.log.read_bytes().splitlines():
        with contextlib.suppress(orjson.JSONDecodeError):
            yield orjson.loads(line)
