"""How the process of a worker ends, whatever it still computes."""

import asyncio
import subprocess
import sys
from types import SimpleNamespace
from typing import cast

import pytest

from deidstream.agents.runtime import worker

COMPUTES_SECONDS = 600
ENDS_SECONDS = 120

# The lane's thread sleeps on when the worker refuses, as one does that reads a long batch.
REFUSED = f"""
import asyncio, sys, time
from deidstream.agents.runtime import worker
from deidstream.agents.cli.main import main as cli
from deidstream.models.neural.model_turn import take_text_turn
from deidstream.schemas.errors import UntrustedStore
from deidstream.stream.lanes.lane import Lane

async def run_worker(settings):
    computing = asyncio.create_task(Lane(take_text_turn).run(time.sleep, {COMPUTES_SECONDS}))
    await asyncio.sleep(0.1)
    raise UntrustedStore("redis: it evicts")

worker.run_worker = run_worker
sys.exit(cli(["worker"]))
"""


@pytest.mark.slow
def test_a_worker_that_refuses_while_its_lane_computes_ends_at_once_with_78() -> None:
    command = [sys.executable, "-c", REFUSED]
    ended = subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, timeout=ENDS_SECONDS, check=False
    )
    assert ended.returncode == 78, ended.stderr
    assert ended.stderr == "deidstream: redis: it evicts\n"


def test_the_monitor_asks_nothing_of_an_app_that_stops() -> None:
    """Asked then, the consumer raised, and a worker that had lost nothing ended with 70."""

    async def run() -> int:
        app, agent = StoppingApp(), DrainedAgent()
        monitor = asyncio.create_task(app.watch())
        monitor.add_done_callback(lambda task: vars(worker)["_end_unwatched"](agent, task))
        settings = SimpleNamespace(worker=SimpleNamespace(drain_seconds=5.0))
        ending = SimpleNamespace(settings=settings, health=SimpleNamespace(in_flight=0))
        return cast("int", await vars(worker)["_stop"](ending, app, agent, monitor))

    assert asyncio.run(run()) == worker.DONE


class StoppingApp:
    """An app that takes a while to stop, and whose consumer answers nothing meanwhile."""

    def __init__(self) -> None:
        self._stopping = asyncio.Event()

    async def stop(self) -> None:
        self._stopping.set()
        await asyncio.sleep(0.05)

    async def watch(self) -> None:
        await self._stopping.wait()
        message = "Event loop is closed"
        raise RuntimeError(message)


class DrainedAgent:
    """An agent with nothing in work."""

    ranks: None = None

    def __init__(self) -> None:
        self.broken = asyncio.Event()

    async def drain(self, seconds: float) -> bool:
        return seconds > 0
