"""A demo that is ended, however it is ended, leaves no process and no folder."""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deidstream.agents.demo.demo import remove_left_folders
from support.processes import start, wait_until

pytestmark = [pytest.mark.chaos, pytest.mark.slow]
CHILDREN = 2
"""A worker and a Redis."""


@pytest.fixture
def folder() -> Iterator[Path]:
    # The name of a socket has at most 107 characters, and pytest's own folders have long names.
    with tempfile.TemporaryDirectory(prefix="d-") as name:
        yield Path(name)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_worker_and_redis_end_with_the_demo(
    tmp_path: Path, folder: Path, number: signal.Signals
) -> None:
    command = (sys.executable, "-m", "deidstream.agents", "demo", "--forever")
    demo = start(command, log=tmp_path / "demo.log", env={"TMPDIR": str(folder)})
    try:
        process = psutil.Process(demo.pid)
        wait_until(lambda: len(process.children()) == CHILDREN, seconds=200)
        children = process.children()
        # The demo alone: its children are to end because it ends.
        os.kill(demo.pid, number)
        demo.wait(90)
        wait_until(lambda: not any(map(runs, children)), seconds=60)
    finally:
        demo.kill9()
    remove_left_folders(folder)
    assert list(folder.glob("deidstream*")) == []


def runs(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
