"""What archives of 10^6, 10^8 and 10^10 notes need: machines, hours, memory of Redis and money.

    python benchmarks/scale_archive.py [--run N] [--plan N] [--verify N] [--names N] [--price 0.04]
        [--measured FILE]

Simulates what `archive run` does: processes take the shards, the largest first; machines are lost
now and then, and with them the shards that they had begun, which others do again. The speeds are
notes a second of a machine of two cores. With a file of `archive.py --json` that has the jobs
`small` and `large`, it is printed how well the simulation tells the time of the large one from the
speed of the small one.
"""

import argparse
import heapq
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table

BYTES_A_NAME = 42
"""Of Redis, with its owner: benchmarks/results/patients.json."""
LOAD_SECONDS = 10.0
HOUR = 3_600.0
HOURS_BETWEEN_LOSSES = 1_000.0
"""Of a machine: an assumption, as of machines that a cloud may take back."""
SECONDS_TO_RETURN = 300.0
MOST_OF_JOB = 10**8
"""Notes of one job: larger archives are several jobs, each with its own query, side by side."""
FEWEST_OF_SHARD, MOST_OF_SHARD, SHARDS = 100, 20_000, 200
"""As `archive plan` cuts."""
SPREAD = 0.1
"""Of the seconds a note, from shard to shard."""

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Speeds:
    """What a machine of two cores does."""

    plan: float
    """Notes a second that `plan` reads and seals, by one process."""
    run: float
    """Notes a second that all processes of the machine bring to their outcomes."""
    verify: float
    """Notes a second that `verify` compares, by one process."""
    load_seconds: float


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive, and the machines that do it."""

    notes: int
    machines: int
    """Of two cores."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a simulation has seen."""

    plan_hours: float
    run_hours: float
    verify_hours: float
    losses: int
    jobs: int

    @property
    def hours(self) -> float:
        """From the first note read to the last one verified."""
        return self.plan_hours + self.run_hours + self.verify_hours


def cut_shards(notes: int, drawn: random.Random) -> list[float]:
    """Return the notes of the shards, the largest first, as `archive plan` balances them."""
    wanted = min(MOST_OF_SHARD, max(FEWEST_OF_SHARD, notes // SHARDS))
    count = max(1, -(-notes // wanted))
    sizes = [drawn.gauss(notes / count, notes / count / 20) for _ in range(count)]
    scale = notes / sum(sizes)
    return sorted((size * scale for size in sizes), reverse=True)


def simulate(archive: Archive, speeds: Speeds, drawn: random.Random) -> Estimate:
    """Let machines take shards until none is left."""
    jobs = -(-archive.notes // MOST_OF_JOB)
    own = archive.notes / jobs
    shards = [size for _ in range(jobs) for size in cut_shards(round(own), drawn)]
    shards.sort(reverse=True)
    free = [(speeds.load_seconds, number) for number in range(archive.machines)]
    losses, end = 0, 0.0
    while shards:
        again: list[float] = []
        for size in shards:
            now, machine = heapq.heappop(free)
            seconds = size / speeds.run * drawn.lognormvariate(0, SPREAD)
            lost_after = drawn.expovariate(1 / (HOURS_BETWEEN_LOSSES * HOUR))
            if lost_after < seconds:
                losses += 1
                again.append(size)
                back = now + lost_after + SECONDS_TO_RETURN + speeds.load_seconds
                heapq.heappush(free, (back, machine))
                continue
            end = max(end, now + seconds)
            heapq.heappush(free, (now + seconds, machine))
        shards = again
    return Estimate(own / speeds.plan / HOUR, end / HOUR, own / speeds.verify / HOUR, losses, jobs)


def read_speeds(run: Record) -> Speeds:
    """Return the speeds of a measured run of two processes; its models load beside each other."""
    notes = run["notes"]
    of_process = notes / run["shard_seconds"]
    own_seconds = run["run_notes"] / of_process / run["processes"]
    return Speeds(
        plan=notes / run["plan_seconds"],
        run=of_process * run["processes"],
        verify=notes / run["verify_seconds"],
        load_seconds=max(0.0, run["run_seconds"] - own_seconds),
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=float, default=14.0, help="with the tagger")
    parser.add_argument("--plan", type=float, default=1_500.0)
    parser.add_argument("--verify", type=float, default=600.0)
    parser.add_argument("--names", type=float, default=15.0, help="in Redis, for each note")
    parser.add_argument("--price", type=float, default=0.04, help="of an hour of a core")
    parser.add_argument("--measured", type=Path)
    asked = parser.parse_args(argv)
    console = Console(width=120)
    if asked.measured:
        check(console, orjson.loads(asked.measured.read_bytes()))
    speeds = Speeds(asked.plan, asked.run, asked.verify, LOAD_SECONDS)
    print_estimates(console, speeds, asked.names, asked.price)


def check(console: Console, record: Record) -> None:
    small, large = read_speeds(record["small"]), record["large"]
    told = simulate(Archive(large["run_notes"], 1), small, random.Random(31))
    console.print(
        f"{large['run_notes']:,} notes: simulated {told.run_hours * HOUR:,.0f} s from a run of "
        f"{record['small']['notes']:,}, measured {large['run_seconds']:,.0f} s"
    )


def print_estimates(console: Console, speeds: Speeds, names: float, price: float) -> None:
    heads = ("notes", "cores", "jobs", "plan, h", "run, h", "verify, h", "losses", "Redis, GB", "$")
    table = Table(*heads)
    for archive in (
        Archive(10**6, 1),
        Archive(10**6, 8),
        Archive(10**8, 48),
        Archive(10**8, 480),
        Archive(10**10, 4_800),
    ):
        found = simulate(archive, speeds, random.Random(31))
        dollars = found.run_hours * archive.machines * 2 * price
        dollars += (found.plan_hours + found.verify_hours) * found.jobs * price
        cells = (found.plan_hours, found.run_hours, found.verify_hours)
        table.add_row(
            f"{archive.notes:,}",
            f"{archive.machines * 2:,}",
            f"{found.jobs:,}",
            *(f"{cell:,.1f}" for cell in cells),
            f"{found.losses:,}",
            f"{archive.notes * names * BYTES_A_NAME / 1e9:,.1f}",
            f"{dollars:,.0f}",
        )
    console.print(table)


if __name__ == "__main__":
    main()
