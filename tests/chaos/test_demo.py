"""A demo that is ended, however it is ended, leaves no process and no folder."""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deidstream.agents.demo.demo import remove_left_folders
from support.processes import Process, start, wait_until

pytestmark = [pytest.mark.chaos, pytest.mark.slow]
INTERRUPTED = 130
CHILDREN = 3
"""A worker, a Redis and the review page."""
POLICY = """\
technique = "surrogate"
recognizers = ["rules", "known"]
"""
"""Its worker loads no models."""


@pytest.fixture
def folder() -> Iterator[Path]:
    # The name of a socket has at most 107 characters, and pytest's own folders have long names.
    with tempfile.TemporaryDirectory(prefix="d-") as name:
        yield Path(name)


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGTERM,
        signal.SIGKILL,
        # Handled as SIGTERM is; the next test sends SIGINT to all of it.
        pytest.param(signal.SIGHUP, marks=pytest.mark.nightly),
        pytest.param(signal.SIGINT, marks=pytest.mark.nightly),
    ],
)
def test_worker_and_redis_end_with_the_demo(
    tmp_path: Path, folder: Path, number: signal.Signals
) -> None:
    demo = start_demo(folder, tmp_path / "demo.log")
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


def test_ctrl_c_in_a_terminal_ends_it_at_once(tmp_path: Path, folder: Path) -> None:
    said = tmp_path / "demo.log"
    demo = start_demo(folder, said)
    try:
        process = psutil.Process(demo.pid)
        wait_until(lambda: b"both pages are live" in said.read_bytes(), seconds=200)
        children = process.children()
        assert len(children) == CHILDREN
        time.sleep(3)  # notes are on their way again
        # A terminal signals the whole group. A Redis that ended by it would keep the worker waiting
        # for the 20 seconds that notes in work have.
        demo.send(signal.SIGINT)
        assert demo.wait(15) == INTERRUPTED
        assert not any(map(runs, children))
    finally:
        demo.kill9()


def start_demo(folder: Path, log: Path) -> Process:
    (folder / "rules.toml").write_text(POLICY)
    ports = ("--port", "0", "--review-port", "0")
    words = ("demo", "--forever", *ports, "--policy", str(folder / "rules.toml"))
    command = (sys.executable, "-m", "deidstream.agents", *words)
    return start(command, log=log, env={"TMPDIR": str(folder)})


def runs(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
