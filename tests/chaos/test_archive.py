"""An archive whose processes are killed goes on: nothing lost, nothing twice."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deidstream.agents.archive.job_folder import JobFolder
from support.archives import ArchiveSite, make_rows, read_notes, write_parquet

pytestmark = [pytest.mark.chaos, pytest.mark.slow]
NOTES = 1_200
SHARD = 30


def count_done(site: ArchiveSite) -> int:
    return sum(1 for _ in JobFolder(site.job).records())


def test_a_job_that_is_killed_is_whole_in_the_end(tmp_path: Path) -> None:
    site = ArchiveSite.make(tmp_path)
    notes = write_parquet(tmp_path / "notes.parquet", make_rows(NOTES))
    assert site.plan(notes, "--shard-notes", str(SHARD)) == 0
    command = [sys.executable, "-m", "deidstream.agents", "archive", "run", str(site.job)]
    draw = random.Random(7)
    shards = len(JobFolder(site.job).read_plan().shards)
    killed = 0
    for _ in range(2):
        before = count_done(site)
        log = (tmp_path / "run.log").open("ab")
        run = subprocess.Popen(  # noqa: S603 - our own command
            [*command, "--processes", "2"], stderr=log, start_new_session=True
        )
        while run.poll() is None and count_done(site) == before:
            time.sleep(0.02)
        time.sleep(draw.random() * 0.3)
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            killed += 1
        run.wait(30)
        log.close()
    assert killed
    left = shards - count_done(site)
    assert left > 0
    assert site.verify() == 1
    assert site.run_here() == 0
    assert site.verify() == 0
    assert len(read_notes(site.out)) == NOTES
