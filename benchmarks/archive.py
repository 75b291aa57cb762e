"""Kill a run over an archive at random, go on until it is whole, and print how fast it was.

    PYTHONPATH=tests python benchmarks/archive.py [--notes N] [--processes N ...] [--kills K]
        [--policy NAME] [--to SINK] [--beside] [--json FILE --name NAME]

The notes are made up (`made_archive.py`). `--policy rules` is a policy without the tagger. They
are planned, run by each number of processes in a job of its own, and verified. The last one is
killed by SIGKILL, some moments after a random number of shards. Printed for each run: seconds from
its start to its end with loading, notes a second, the processor time and the memory of its
processes, and what the outputs hold, counted without the command `verify`. `--beside` lets
`deidstream deidentify` do the same notes first, by one process.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import duckdb
import made_archive
import orjson
import psutil
from deltalake import DeltaTable

from deidstream.agents.archive.job_folder import JobFolder
from deidstream.agents.runtime.root_keys import write_key
from deidstream.study.bench.machine_state import describe_machine

COMMAND = (sys.executable, "-m", "deidstream.agents")
RULES = "rules"
_POLL_SECONDS = 0.5
_PARTS = 5


@dataclass(slots=True)
class Usage:
    """The memory and the processor time of processes while they run."""

    samples: dict[int, list[float]] = field(default_factory=dict[int, list[float]])
    """Megabytes by process, a value each half second."""
    processor: dict[int, float] = field(default_factory=dict[int, float])
    """Seconds by process, until it was last looked at."""

    def sample(self, process: int) -> None:
        """Add what a process and its children hold now."""
        try:
            leader = psutil.Process(process)
            running = [leader, *leader.children(recursive=True)]
            for each in running:
                held, used = each.memory_info().rss / 1e6, each.cpu_times()
                self.samples.setdefault(each.pid, []).append(held)
                self.processor[each.pid] = used.user + used.system
        except psutil.Error:
            return

    def describe(self) -> str:
        """Return the most that one process held in each fifth of its time; the first one loads."""
        most = max(self.samples.values(), key=max)
        size = max(1, len(most) // _PARTS)
        parts = [max(most[start : start + size]) for start in range(0, len(most), size)]
        shown = ", ".join(f"{part:,.0f}" for part in parts[:_PARTS])
        spent = sum(self.processor.values())
        return f"{spent:,.0f} s of processor; MB of a process, by fifths of its time: {shown}"


@dataclass(frozen=True, slots=True)
class TrialRecord:
    """How long a job took."""

    notes: int = 0
    processes: int = 1
    plan_seconds: float = 0.0
    run_notes: int = 0
    """Notes that the run did which ended the job."""
    run_seconds: float = 0.0
    """Of that run, with loading."""
    shard_seconds: float = 0.0
    """Of all shards that were committed, added up over processes."""
    verify_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Kill:
    """When a run is killed."""

    shards: int
    """When it has committed so many."""
    seconds: float
    """And so much later."""

    @classmethod
    def draw(cls, draw: random.Random, shards: int) -> "Kill":
        """Draw a moment in the first tenth of a job."""
        return cls(draw.randint(1, 1 + shards // 10), 5 * draw.random())


@dataclass(frozen=True, slots=True)
class Trial:
    """One job of the notes."""

    folder: Path
    policy: str
    sink: str
    usage: Usage = field(default_factory=Usage)

    @property
    def job(self) -> JobFolder:
        """Its folder."""
        return JobFolder(self.folder / "job")

    @property
    def out(self) -> Path:
        """Where its outputs are."""
        return self.folder / "out"

    def plan(self, notes: Path) -> float:
        """Plan it; return the seconds that it took."""
        flags = ["--out", str(self.out), "--to", self.sink, "--policy", self.policy]
        flags += ["--key-file", str(notes.parent / "root.key"), "--measure", "0"]
        return self._time(["archive", "plan", str(notes), str(self.job.path), *flags])

    def run(self, processes: int, kill: Kill | None = None) -> float:
        """Run it, perhaps until it is killed; return the seconds."""
        words = ["archive", "run", str(self.job.path), "--processes", str(processes)]
        return self._time([*words, "--allow-quarantined"], kill)

    def deidentify(self, notes: Path) -> float:
        """Let the command for one file do the notes; return the seconds."""
        flags = ["--out", str(self.folder / "out.parquet"), "--policy", self.policy]
        flags += ["--key-file", str(notes.parent / "root.key")]
        return self._time(["deidentify", str(notes), *flags])

    def verify(self) -> float:
        """Verify it, which says whether it is whole; return the seconds."""
        return self._time(["archive", "verify", str(self.job.path)])

    def done(self) -> int:
        """Return how many notes are committed."""
        return sum(record.notes for record in self.job.records())

    def _time(self, words: Sequence[str], kill: Kill | None = None) -> float:
        started, before = time.monotonic(), len(self.job.list_done()) if kill else 0
        running = subprocess.Popen([*COMMAND, *words], start_new_session=True)  # noqa: S603
        while running.poll() is None:
            time.sleep(_POLL_SECONDS)
            self.usage.sample(running.pid)
            if kill and len(self.job.list_done()) >= before + kill.shards:
                time.sleep(kill.seconds)
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
        return time.monotonic() - started


def count_outputs(out: Path, notes: int) -> str:
    """Count the rows of a Delta table or of files, and how many notes are missing or double."""
    database = duckdb.connect()
    for name in ("notes", "quarantine"):
        if (out / name / "_delta_log").is_dir():
            kept = DeltaTable(str(out / name)).to_pyarrow_table()
            database.register(name, kept)
        else:
            database.sql(f"CREATE VIEW {name} AS FROM read_parquet('{out}/{name}/*.parquet')")
    query = """
        SELECT (SELECT count(*) FROM notes), (SELECT count(DISTINCT note_id) FROM notes),
               (SELECT count(*) FROM quarantine), (SELECT count(DISTINCT place) FROM quarantine)
    """
    outputs, own, others, places = database.sql(query).fetchall()[0]
    return (
        f"{outputs:,} outputs and {others:,} quarantined of {notes:,}: "
        f"{notes - own - places:,} lost, {outputs - own + others - places:,} double"
    )


def kill_often(trial: Trial, processes: int, kills: int) -> None:
    draw, shards = random.Random(31), len(trial.job.read_plan().shards)
    for _ in range(kills):
        before = trial.done()
        trial.run(processes, Kill.draw(draw, shards))
        print(f"killed; {trial.done():,} notes committed, {trial.done() - before:,} by this run")


def read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=2_000)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kills", type=int, default=0, help="of the last job")
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--to", default="parquet", choices=("parquet", "delta"))
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--json", type=Path, help="the last job is added to it")
    parser.add_argument("--name", default="small", help="in that file")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> None:
    asked = read_arguments(argv)
    print(describe_machine(), "load", os.getloadavg())
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder) / "notes.parquet"
        made_archive.write_parquet(notes, asked.notes)
        write_key(notes.parent / "root.key")
        policy: str = asked.policy
        if policy == RULES:
            policy = str(Path(folder) / "rules.toml")
            Path(policy).write_text(made_archive.RULES_ONLY)
        if asked.beside:
            alone = Trial(Path(folder), policy, "parquet")
            rate = asked.notes / alone.deidentify(notes)
            print(f"deidentify: {rate:,.1f} notes/s with loading; {alone.usage.describe()}")
        record = TrialRecord()
        for processes in asked.processes:
            trial = Trial(Path(folder) / f"by-{processes}", policy, asked.to)
            kills = asked.kills if processes == asked.processes[-1] else 0
            record = run_trial(trial, notes, processes=processes, kills=kills)
    print("load", os.getloadavg())
    if asked.json:
        kept = orjson.loads(asked.json.read_bytes()) if asked.json.exists() else {}
        shown = orjson.dumps(kept | {asked.name: asdict(record)}, option=orjson.OPT_INDENT_2)
        asked.json.write_bytes(shown + b"\n")


def run_trial(trial: Trial, notes: Path, *, processes: int, kills: Sequence[Kill]) -> TrialRecord:
    """Plan, kill, run and verify a job."""
    trial.folder.mkdir()
    plan_seconds = trial.plan(notes)
    count = trial.job.read_plan().notes
    kill_often(trial, processes, kills)
    left = count - trial.done()
    of_run = replace(trial, usage=Usage())
    run_seconds = of_run.run(processes)
    print(
        f"{processes} processes: {left:,} notes in {run_seconds:,.1f} s, "
        f"{left / run_seconds:,.1f} notes/s with loading; {of_run.usage.describe()}"
    )
    verify_seconds = trial.verify()
    shard_seconds = sum(record.seconds for record in trial.job.records())
    print(count_outputs(trial.out, count), flush=True)
    shutil.rmtree(trial.folder)
    return TrialRecord(
        count, processes, plan_seconds, left, run_seconds, shard_seconds, verify_seconds
    )


if __name__ == "__main__":
    main()
