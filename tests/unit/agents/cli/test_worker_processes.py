import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.cli.worker_processes import plan_environments, run_workers
from deidstream.agents.settings import HttpSettings, ModelSettings, Settings
from support.processes import wait_until

WAIT = """
import os, pathlib, signal
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
pathlib.Path(os.environ["FILE"]).write_text("begun")
signal.pause()
"""


def test_the_cores_are_shared_out_and_ports_follow_each_other() -> None:
    settings = replace(Settings(), http=HttpSettings(port=9000))
    planned = plan_environments(settings, 2, cores=8)
    assert [own["DEIDSTREAM_HTTP_PORT"] for own in planned] == ["9000", "9001"]
    assert {own["DEIDSTREAM_MODEL_THREADS"] for own in planned} == {"4"}


def test_any_port_stays_any_and_named_threads_stay() -> None:
    settings = replace(Settings(), http=HttpSettings(port=0), model=ModelSettings(threads=3))
    planned = plan_environments(settings, 4, cores=2)
    assert {own["DEIDSTREAM_HTTP_PORT"] for own in planned} == {"0"}
    assert {own["DEIDSTREAM_MODEL_THREADS"] for own in planned} == {"3"}
    assert len(planned) == 4


def test_more_workers_than_cores_have_a_thread_each() -> None:
    planned = plan_environments(Settings(), 4, cores=2)
    assert {own["DEIDSTREAM_MODEL_THREADS"] for own in planned} == {"1"}


@pytest.mark.slow
def test_a_signal_stops_all_workers(tmp_path: Path) -> None:
    files = [tmp_path / "one", tmp_path / "other"]

    async def run() -> int:
        own = [{"FILE": str(file)} for file in files]
        running = asyncio.create_task(run_workers(own, (sys.executable, "-c", WAIT)))
        while not all(file.exists() for file in files):  # noqa: ASYNC110  other processes write
            await asyncio.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)
        return await running

    assert asyncio.run(run()) == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux alone tells a child")
def test_workers_end_where_their_command_is_killed(tmp_path: Path) -> None:
    files = [tmp_path / "one", tmp_path / "other"]
    wait = WAIT.replace('"begun"', "str(os.getpid())")
    parent = (
        "import asyncio, sys\n"
        "from deidstream.agents.cli.worker_processes import run_workers\n"
        f"own = [{{'FILE': name}} for name in {[str(file) for file in files]!r}]\n"
        f"asyncio.run(run_workers(own, (sys.executable, '-c', {wait!r})))\n"
    )
    command = subprocess.Popen((sys.executable, "-c", parent))  # noqa: S603 - our own words
    wait_until(lambda: all(file.exists() and file.read_text() for file in files), seconds=30)
    command.kill()
    command.wait(10)
    workers = [int(file.read_text()) for file in files]
    wait_until(lambda: not any(map(is_alive, workers)), seconds=10)


def is_alive(process: int) -> bool:
    """Whether a process runs; one that ended may wait for whoever takes it over."""
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "code"), [("os._exit(78)", 78), ("os.abort()", 70)])
def test_a_worker_that_ends_by_itself_ends_the_others(
    tmp_path: Path, ending: str, code: int
) -> None:
    script = f"import os\nif os.environ['FILE'].endswith('one'): {ending}\n{WAIT}"
    own = [{"FILE": str(tmp_path / name)} for name in ("one", "other")]
    found = asyncio.run(
        asyncio.wait_for(run_workers(own, (sys.executable, "-c", script)), timeout=30)
    )
    assert found == code
