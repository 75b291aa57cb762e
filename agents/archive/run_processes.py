"""Run the shards of a job in several processes, and show how far they are.

Each process loads the models for itself and takes shards until none is left. One that is killed
loses its unfinished shard, which another process or run does again; what is committed stays.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from deidstream.agents.archive.job_folder import JobFolder
from deidstream.agents.archive.job_plan import JobPlan
from deidstream.agents.archive.job_state import JobState
from deidstream.agents.archive.process_progress import progress_file, read_progress
from deidstream.agents.archive.run_shards import ShardShare
from deidstream.agents.runtime.progress_bar import ProgressLines, progress
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import PREFIX
from deidstream.stream.parent_end import end_with_parent

DONE, BROKEN = 0, 70
_POLL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    """How many processes, and what each is."""

    command: Sequence[str]
    count: int
    threads: int
    """CPU threads of the models of each."""

    def start(self) -> list[subprocess.Popen[bytes]]:
        """Start the processes."""
        own = {**os.environ, f"{PREFIX}_MODEL_THREADS": str(self.threads)}
        # Nothing else runs between fork and exec, and no lock is taken there.
        return [
            subprocess.Popen(self.command, env=own, preexec_fn=end_with_parent)  # noqa: S603, PLW1509
            for _ in range(self.count)
        ]


def run_processes(job: JobFolder, plan: JobPlan, share: ShardShare, processes: ProcessPlan) -> int:
    """Run processes until all have ended.

    Returns:
        0 if every shard of the share is done, or else the first exit code that is not 0; 70 where a
        signal has ended a process.
    """
    shards = share.choose(plan.shards)
    before = JobState.of(job, shards)
    if before.shards == len(shards):
        return DONE
    if before.shards:
        say(f"{before.shards:,} of {len(shards):,} shards are done already")
    children = processes.start()
    try:
        _follow(job, plan, share, children)
    finally:
        for child in children:
            if child.poll() is None:
                child.terminate()
        codes = [child.wait() for child in children]
    left = len(shards) - JobState.of(job, shards).shards
    if not left:
        return DONE
    say(f"{left:,} of {len(shards):,} shards are not done; the same command goes on with them")
    return next((code if code > 0 else BROKEN for code in codes if code), BROKEN)


def _follow(
    job: JobFolder, plan: JobPlan, share: ShardShare, children: Sequence[subprocess.Popen[bytes]]
) -> None:
    shards = share.choose(plan.shards)
    total, state = sum(shard.notes for shard in shards), JobState()
    left = state.take_done(job, shards)
    lines = ProgressLines("archive", total, state.notes)
    with progress() as bar:
        task = bar.add_task("archive", total=total, completed=state.notes)
        while running := [child for child in children if child.poll() is None]:
            with suppress(subprocess.TimeoutExpired):
                running[0].wait(_POLL_SECONDS)
            found = [read_progress(job.progress, child.pid) for child in children]
            left = state.take_done(job, left)
            now = state.with_unfinished([each for each in found if each], left)
            made = max(0, now.notes - lines.done)
            lines.note = ", ".join(
                f"{count:,} {why.partition(' ')[0]}" for why, count in now.quarantined.items()
            )
            shown = f"archive ({lines.note})" if lines.note else "archive"
            bar.update(task, completed=lines.done + made, description=shown)
            lines.advance(made)
    for child in children:
        with suppress(OSError):
            progress_file(job.progress, child.pid).unlink(missing_ok=True)


def worker_command(arguments: Sequence[str]) -> list[str]:
    """Return the command of one process."""
    return [sys.executable, "-m", "deidstream.agents", "archive", *arguments]


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
