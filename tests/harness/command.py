"""``python -m harness``: run rows, judge them, write the report."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from harness import (
    data_rows,
    defect_rows,
    kafka_rows,
    redis_rows,
    soak_rows,
    version_rows,
    worker_rows,
)
from harness.lanes import Lanes, say
from harness.rows import Row, RowResult

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
    parser.add_argument(
        "--resume", action="store_true", help="keep what passed in the report of an earlier run"
    )
    arguments = parser.parse_args()
    wanted = choose(arguments.rows, defect_rows.ROWS if arguments.defects else ROWS)
    out = arguments.out.resolve()
    lanes = Lanes(wanted, out, arguments.scale, arguments.seed, arguments.jobs, arguments.resume)
    results = lanes.run()
    held = _caught if arguments.defects else _passed
    failed = [result.name for result in results if not held(result)]
    word = "defects caught" if arguments.defects else "rows passed or not run"
    say(f"{len(results) - len(failed)} of {len(results)} {word} {' '.join(failed)}")
    say(f"{out}/report.html")
    return 1 if failed else 0


def _caught(result: RowResult) -> bool:
    return result.caught


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
