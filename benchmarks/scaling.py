"""How the cost grows: with workers and partitions, the length of a note, patients, and time.

    make services && export PYTHONPATH=tests
    python benchmarks/scaling.py workers [--runs 1x1,1x8,2x2,2x8,4x8] [--notes 240]
    python benchmarks/scaling.py length [--rounds 3]
    python benchmarks/scaling.py patients [--most-seconds 200]
    python benchmarks/scaling.py minutes [--minutes 30]

All but ``length`` start a real Kafka and a real Redis. ``--json FILE`` keeps the figures.
The size of the pool is measured by ``kneo_index.py``.
"""

import argparse
import asyncio
from dataclasses import asdict
from pathlib import Path

import orjson
from scale_length import measure_lengths
from scale_minutes import measure_minutes
from scale_patients import measure_patients
from scale_workers import WorkerCount, measure_worker_counts

from deidstream.study.bench.machine_state import describe_machine

LENGTHS = (1_000, 3_000, 10_000, 30_000, 100_000, 200_000)
RUNS = "1x1,1x8,2x2,2x8,4x8"


def main() -> None:
    arguments = parse()
    record: dict[str, object] = {"machine": asdict(describe_machine())}
    if arguments.what == "workers":
        counts = [WorkerCount.parse(text) for text in arguments.runs.split(",")]
        record |= asyncio.run(measure_worker_counts(counts, arguments.notes, arguments.policy))
    elif arguments.what == "length":
        record |= asyncio.run(measure_lengths(LENGTHS, arguments.rounds))
    elif arguments.what == "minutes":
        record |= asyncio.run(measure_minutes(arguments.minutes, arguments.policy))
    else:
        record |= asyncio.run(measure_patients(arguments.most_seconds))
    encoded = orjson.dumps(record, option=orjson.OPT_INDENT_2)
    print(encoded.decode())
    if arguments.json:
        arguments.json.write_bytes(encoded + b"\n")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("workers", "length", "patients", "minutes"))
    parser.add_argument("--runs", default=RUNS, help="WORKERSxPARTITIONS, comma separated")
    parser.add_argument("--notes", type=int, default=240, help="of one run of workers")
    parser.add_argument("--policy", default="surrogate", help="of workers")
    parser.add_argument("--rounds", type=int, default=3, help="of the lengths")
    parser.add_argument(
        "--most-seconds", type=float, default=200, help="a million patients are left out above"
    )
    parser.add_argument("--minutes", type=float, default=30, help="at full load")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
