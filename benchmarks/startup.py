"""Measure how long a process takes to its first note: processor time and time on the clock.

python benchmarks/startup.py [--rounds 3] [--python .venv/bin/python]

Each command runs in a process of its own, on one note; the least of the rounds is printed, because
other load on the machine only ever adds. One thread computes, as in a worker. Give the interpreter
of another checkout to compare with it.
"""

import argparse
import os
import resource
import secrets
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

NOTE = (
    '{"note_id":"n1","patient_id":"p1","authored_at":"2024-03-04T10:00:00Z",'
    '"text":"Mr. Quentin Vanterpool (MRN: 5512873) was seen on 03/04/2024 by Dr. Brightwater."}\n'
)
IN_PYTHON = """
from deidstream.agents.deidentifier import Deidentifier
with Deidentifier.load("surrogate", key="root.key") as deidentifier:
    deidentifier.deidentify("Seen by Dr. Brightwater on 03/04/2024.")
"""
COMMANDS = {
    "--help": ["-m", "deidstream.agents", "--help"],
    "config check": ["-m", "deidstream.agents", "config", "check"],
    "detect": ["-m", "deidstream.agents", "detect", "in.jsonl", "--out", "spans.jsonl"],
    "deidentify": ["-m", "deidstream.agents", "deidentify", "in.jsonl", "--out", "out.jsonl"],
    "Deidentifier": ["-c", IN_PYTHON],
}


@dataclass(frozen=True, slots=True)
class Cost:
    """What one process took."""

    cpu_seconds: float
    wall_seconds: float


def measure(python: str, command: list[str], folder: Path) -> Cost:
    """Run a command to its end.

    Raises:
        CalledProcessError: It failed.
    """
    environment = os.environ | {"OMP_NUM_THREADS": "1", "DEIDSTREAM_KEY_FILE": "root.key"}
    # An installation has its bytecode, and so has a checkout after the first round.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, start = _children_seconds(), time.perf_counter()
    subprocess.run(  # noqa: S603  our own commands
        [python, *command], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL
    )
    return Cost(_children_seconds() - before, time.perf_counter() - start)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def least(costs: list[Cost]) -> Cost:
    """Return the least of each measure."""
    return Cost(min(c.cpu_seconds for c in costs), min(c.wall_seconds for c in costs))


def main() -> None:
    """Print a table."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--python", default=sys.executable)
    given = arguments.parse_args()
    python = str(Path(given.python).absolute())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.jsonl").write_text(NOTE)
        (folder / "root.key").write_text(secrets.token_hex(32))
        (folder / "root.key").chmod(0o600)
        sys.stdout.write(f"{'':14}{'CPU s':>7}{'wall s':>8}\n")
        for title, command in COMMANDS.items():
            cost = least([measure(python, command, folder) for _ in range(given.rounds)])
            sys.stdout.write(f"{title:14}{cost.cpu_seconds:7.2f}{cost.wall_seconds:8.2f}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
