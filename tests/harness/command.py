"""``python -m harness``: run rows, judge them, write the report."""

import argparse
import os
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from deidstream.agents.settings import settings_table
from harness import (
    data_rows,
    defect_rows,
    kafka_rows,
    redis_rows,
    soak_rows,
    version_rows,
    worker_rows,
)
from harness.broker import running_proxied_kafka
from harness.fleet import Zygote
from harness.report import write_report
from harness.rows import Row, RowResult, Stage

ROWS: tuple[Row, ...] = (
    *worker_rows.ROWS,
    *kafka_rows.ROWS,
    *redis_rows.ROWS,
    *data_rows.ROWS,
    *version_rows.ROWS,
)


def main() -> int:
    """Run what the command line asks for; return 0 when every row passed."""
    parser = argparse.ArgumentParser(prog="harness", description=__doc__)
    parser.add_argument("--rows", default="", help="rows to run, comma separated; empty: all")
    parser.add_argument("--scale", type=float, default=float(os.environ.get("CHAOS_SCALE") or 1))
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2, help="rows at a time, each on its broker")
    parser.add_argument("--out", type=Path, default=Path("build/chaos"))
    parser.add_argument("--defects", action="store_true", help="run rows with planted defects")
    arguments = parser.parse_args()
    wanted = choose(arguments.rows, defect_rows.ROWS if arguments.defects else ROWS)
    arguments.out.mkdir(parents=True, exist_ok=True)
    results = run_rows(wanted, arguments.out, arguments.scale, arguments.seed, arguments.jobs)
    page = write_report(results, arguments.out, arguments.scale)
    held = defect_rows.caught if arguments.defects else _passed
    failed = [result.name for result in results if not held(result)]
    word = "defects caught" if arguments.defects else "rows passed or not run"
    _say(f"{len(results) - len(failed)} of {len(results)} {word}; {page} {' '.join(failed)}")
    return 1 if failed else 0


def _passed(result: RowResult) -> bool:
    return result.passed or bool(result.not_run)


def choose(names: str, rows: Sequence[Row] = ROWS) -> list[Row]:
    """Return the rows of these names.

    Raises:
        SystemExit: There is no such row.
    """
    by_name = {row.name: row for row in (*rows, *soak_rows.ROWS)}
    usual = [row.name for row in rows]
    wanted = [name.strip().upper() for name in names.split(",") if name.strip()] or usual
    if unknown := set(wanted) - set(by_name):
        message = f"no row {', '.join(sorted(unknown))}; there are {', '.join(by_name)}"
        raise SystemExit(message)
    return [by_name[name] for name in wanted]


def exactly_once() -> bool:
    """Return whether the worker promises exactly-once, by its default settings."""
    defaults = {setting.key: setting.default for setting in settings_table()}
    return defaults.get("kafka.delivery") == "exactly-once"


def run_rows(rows: Sequence[Row], out: Path, scale: float, seed: str, jobs: int) -> list[RowResult]:
    """Run rows, several at a time, each on a broker of its own; return results in their order."""
    waiting: queue.SimpleQueue[Row] = queue.SimpleQueue()
    for row in rows:
        waiting.put(row)
    results: dict[str, RowResult] = {}
    zygote = Zygote(out / "zygote.log")
    lanes = [
        threading.Thread(target=_run_lane, args=(waiting, results, out, zygote, scale, seed))
        for _ in range(min(jobs, len(rows)))
    ]
    try:
        zygote.wait_ready()
        for lane in lanes:
            lane.start()
        for lane in lanes:
            lane.join()
    finally:
        zygote.stop()
    return [results[row.name] for row in rows if row.name in results]


def _run_lane(
    waiting: "queue.SimpleQueue[Row]",
    results: dict[str, RowResult],
    out: Path,
    zygote: Zygote,
    scale: float,
    seed: str,
) -> None:
    home = Path(tempfile.mkdtemp(prefix="broker-", dir=out))
    with running_proxied_kafka(home) as broker:
        stage = Stage(out, broker, zygote, seed, scale, exactly_once())
        while True:
            try:
                row = waiting.get_nowait()
            except queue.Empty:
                return
            result = results[row.name] = stage.run(row)
            _say(describe(result))


def describe(result: RowResult) -> str:
    """Return one line about a row."""
    if result.not_run:
        return f"{result.name} not run: {result.not_run}"
    verdict = result.verdict
    broken = [f"{f.invariant}: {f.count} {f.where}" for f in verdict.findings if f.count]
    missed = [f"{what}: {detail}" for what, held, detail in result.criteria if not held]
    slowest = max((took or 0.0 for _, took, _ in result.recoveries), default=0.0)
    return (
        f"{time.strftime('%H:%M:%S')} {result.name} {'ok  ' if result.passed else 'FAIL'} "
        f"{result.seconds:.0f} s, sent {verdict.sent}, out {verdict.emitted}, quarantined "
        f"{verdict.quarantined}, duplicates {verdict.duplicates} "
        f"({verdict.committed_duplicates} committed), kills {result.kills}, "
        f"recovery {slowest:.1f} s {'; '.join([*broken, *missed])} {result.error}".rstrip()
    )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
