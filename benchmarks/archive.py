"""Kill a run over an archive at random, go on until it is whole, and print how fast it was.

    PYTHONPATH=tests python benchmarks/archive.py [--notes N] [--processes N ...] [--kills K]

The notes are the sample notes, again and again, with other ids: as long and as full of identifiers
as those, four of one patient. They are planned, run by each number of processes in a job of its
own, the last one killed by SIGKILL, and verified. Printed for each run: seconds from its start to
its end with loading, notes a second, and the most memory that a process had.
"""

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from deidstream.agents.archive.job_folder import JobFolder
from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.root_keys import write_key

COMMAND = (sys.executable, "-m", "deidstream.agents", "archive")
_POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Trial:
    """One job of the notes."""

    folder: Path
    policy: str
    sink: str

    @property
    def job(self) -> JobFolder:
        """Its folder."""
        return JobFolder(self.folder / "job")

    def plan(self, notes: Path) -> float:
        """Plan it; return the seconds that it took."""
        started = time.monotonic()
        flags = ["--out", str(self.folder / "out"), "--to", self.sink, "--policy", self.policy]
        flags += ["--key-file", str(notes.parent / "root.key"), "--measure", "0"]
        plan = ["plan", str(notes), str(self.job.path)]
        subprocess.run([*COMMAND, *plan, *flags], check=True)  # noqa: S603
        return time.monotonic() - started

    def run(self, processes: int, kill_after: float | None) -> float:
        """Run it, or kill it after some seconds; return the seconds."""
        started = time.monotonic()
        words = [*COMMAND, "run", str(self.job.path), "--processes", str(processes)]
        running = subprocess.Popen([*words, "--allow-quarantined"], start_new_session=True)  # noqa: S603
        while running.poll() is None:
            time.sleep(_POLL_SECONDS)
            if kill_after is not None and time.monotonic() - started > kill_after:
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
        return time.monotonic() - started

    def verify(self) -> int:
        """Verify it; return the exit code."""
        return subprocess.run([*COMMAND, "verify", str(self.job.path)], check=False).returncode  # noqa: S603


def write_notes(path: Path, count: int) -> None:
    samples = [note.text for note in sample_notes()]
    rows = [
        {
            "note_id": f"note-{number}",
            "patient_id": f"patient-{number // 4}",
            "text": samples[number % len(samples)],
        }
        for number in range(count)
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=2_000)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--to", default="parquet")
    arguments = parser.parse_args(argv)
    draw = random.Random(31)
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes.parquet"
        write_notes(notes, arguments.notes)
        write_key(notes.parent / "root.key")
        for processes in arguments.processes:
            trial = Trial(Path(folder) / f"by-{processes}", arguments.policy, arguments.to)
            trial.folder.mkdir()
            print(f"planned in {trial.plan(notes):,.1f} s")
            last = processes == arguments.processes[-1]
            for _ in range(arguments.kills if last else 0):
                trial.run(processes, kill_after=10 + 50 * draw.random())
                print(f"killed with {sum(1 for _ in trial.job.records())} shards done")
            done = sum(record.notes for record in trial.job.records())
            seconds = trial.run(processes, None)
            rate = (arguments.notes - done) / seconds
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            print(
                f"{processes} processes: {arguments.notes - done:,} notes in {seconds:,.1f} s, "
                f"{rate:,.1f} notes/s with loading; most memory of a process {memory:,.0f} MB"
            )
            print("whole" if trial.verify() == 0 else "NOT whole")
            shutil.rmtree(trial.folder)


if __name__ == "__main__":
    main()
