"""What large feeds need: workers, cores, partitions, memory of Redis and money, by simulation.

    python benchmarks/capacity.py [--price 0.04] [--target 10] [--notes-a-year 1e10] [--json FILE]

Reads worker.json, workers.json and patients.json of benchmarks/results (docs/performance.md). The
model is fitted to the speed of a worker, to the latency of a nearly idle one and to the median of a
loaded one; how well it predicts the other figures is printed too.
"""

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson
from queue_model import (
    PROFILE,
    GroupService,
    Target,
    draw_arrivals,
    fit_service,
    simulate,
    size_feed,
)
from rich.console import Console
from rich.table import Table

from deidstream.study.bench.worker_bench import BUSY, NEARLY_IDLE

RESULTS = Path(__file__).parent / "results"
MINUTE, DAY_MINUTES, YEAR_DAYS, MONTH_HOURS = 60, 1_440, 365, 730
GROUP_NOTES_A_MINUTE = 10_000
MOST_LOAD = 0.7
"""Of the measured speed, in the busiest hour."""
PARTITIONS_A_WORKER = 4

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Feed:
    """A stream of notes."""

    name: str
    peak_notes_a_minute: float
    """In the busiest hour."""
    patients: int


@dataclass(frozen=True, slots=True)
class Check:
    """A figure that the model predicts and that was measured."""

    name: str
    predicted: float
    measured: float

    @property
    def error(self) -> float:
        """Share by which the prediction is above what was measured."""
        return self.predicted / self.measured - 1 if self.measured else 0.0


def fit(worker: Record) -> GroupService:
    """Fit the model to a bench of a whole worker."""
    busy, idle = worker["loads"][BUSY], worker["loads"][NEARLY_IDLE]
    return fit_service(
        worker["path"]["notes_per_second"]["median"],
        idle["p50_ms"] / 1000,
        (busy["notes_per_second"], busy["p50_ms"] / 1000),
        worker["subject"]["batch"],
    )


def check_model(service: GroupService, worker: Record, workers: Record | None) -> Iterator[Check]:
    """Compare predictions with what the model was not fitted to."""
    for name, load in worker["loads"].items():
        arrivals = draw_arrivals([load["notes_per_second"]], 3_600)
        predicted = simulate(arrivals, service)
        yield Check(f"p95 at {name}, ms", 1000 * predicted.p95, load["p95_ms"])
    if workers is None:
        return
    cores, cpu = workers["machine"]["cores"], worker["path"]["cpu_ms_a_note"] / 1000
    for run in workers["runs"]:
        able = min(run["workers"], run["partitions"])
        predicted_speed = min(able * service.speed, cores / cpu)
        name = f"notes/s of {run['workers']} workers on {run['partitions']} partitions"
        yield Check(name, predicted_speed, run["notes_per_second"])


def list_feeds(notes_a_year: float) -> tuple[Feed, ...]:
    """A hospital group, and a national feed that is an assumption (docs/performance.md)."""
    mean = notes_a_year / YEAR_DAYS / DAY_MINUTES
    return (
        Feed("hospital group", GROUP_NOTES_A_MINUTE, 5_000_000),
        Feed("national", mean * max(PROFILE) * len(PROFILE) / sum(PROFILE), 330_000_000),
    )


def size(
    feed: Feed, service: GroupService, arguments: argparse.Namespace, worker: Record
) -> Record:
    """Find what a feed needs."""
    target = Target(arguments.target, MOST_LOAD, PARTITIONS_A_WORKER)
    sizing = size_feed(feed.peak_notes_a_minute / MINUTE, service, target)
    cores = sizing.workers * worker["machine"]["cores"]
    patients = read_result("patients.json")
    bytes_a_patient = patients["runs"][-1]["bytes_a_patient"] if patients else math.nan
    return {
        **asdict(feed),
        "workers": sizing.workers,
        "partitions": sizing.partitions,
        "cores": cores,
        "p95_seconds": sizing.day.p95,
        "p95_seconds_one_lost": sizing.one_lost.p95 if sizing.one_lost else None,
        "busy_share": sizing.day.busy_share,
        "redis_gigabytes": feed.patients * bytes_a_patient / 1e9,
        "money_a_month": cores * arguments.price * MONTH_HOURS,
    }


def read_result(name: str) -> Record | None:
    path = RESULTS / name
    return orjson.loads(path.read_bytes()) if path.exists() else None


def main() -> None:
    arguments = parse()
    worker = read_result("worker.json")
    if worker is None:
        sys.exit("benchmarks/results/worker.json is not recorded: see docs/performance.md")
    service = fit(worker)
    feeds = [size(f, service, arguments, worker) for f in list_feeds(arguments.notes_a_year)]
    checks = list(check_model(service, worker, read_result("workers.json")))
    record = {
        "service": asdict(service),
        "price_a_core_hour": arguments.price,
        "target_p95_seconds": arguments.target,
        "notes_a_year": arguments.notes_a_year,
        "feeds": feeds,
        "checks": [{**asdict(check), "error": check.error} for check in checks],
    }
    show(record)
    if arguments.json:
        arguments.json.write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def show(record: Record) -> None:
    """Print needs and checks."""
    console = Console(width=110)
    names = [name for name in record["feeds"][0] if name != "name"]
    needs = Table("", *(feed["name"] for feed in record["feeds"]), title="needs")
    for name in names:
        cells = [feed[name] for feed in record["feeds"]]
        shown = ["-" if cell is None else f"{cell:,.2f}" for cell in cells]
        needs.add_row(name.replace("_", " "), *shown)
    console.print(needs)
    checks = Table("figure", "predicted", "measured", "error", title="the model, checked")
    for check in record["checks"]:
        figures = (f"{check['predicted']:,.1f}", f"{check['measured']:,.1f}")
        checks.add_row(check["name"], *figures, f"{check['error']:+.0%}")
    console.print(checks)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--price", type=float, default=0.04, help="of an hour of a core: 0.04")
    parser.add_argument("--target", type=float, default=10.0, help="seconds of p95: 10")
    parser.add_argument("--notes-a-year", type=float, default=1e10, help="of the national feed")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
