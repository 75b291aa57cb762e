"""How the process of a worker ends, whatever it still computes."""

import subprocess
import sys

import pytest

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
