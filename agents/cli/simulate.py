"""``deidstream simulate leaks``: its flags, and which module does the work."""

import argparse
import sys
from pathlib import Path
from typing import Any

from deidstream.agents.lines import say
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.label import PhiLabel

Verbs = Any
"""argparse's own type for a set of sub-commands is private."""
MISSES = "0.005,0.01,0.02,0.05"
MOST_ROUNDS = 100_000


def add_simulate(verbs: Verbs) -> None:
    """``deidstream simulate leaks``."""
    verb = verbs.add_parser("simulate", help="what a policy's choices would cost")
    inner = verb.add_subparsers(required=True, metavar="WHAT")
    leaks = inner.add_parser("leaks", help="documents that give a leak away, by consistency scope")
    leaks.add_argument("notes", metavar="NOTES.jsonl", type=Path, help="labelled notes")
    leaks.add_argument("--misses", metavar="SHARES", type=_shares, default=_shares(MISSES))
    leaks.add_argument("--seed", metavar="N", type=int, default=0)
    leaks.add_argument("--rounds", metavar="N", type=_rounds, default=50, help="default: 50")
    leaks.add_argument(
        "--label",
        metavar="LABEL",
        choices=list(map(str, PhiLabel)),
        action="append",
        help="count this one; may be given again; default: all but DATE and AGE",
    )
    leaks.add_argument("--json", metavar="FILE", type=Path, help="every figure, for machines")
    leaks.set_defaults(run=_leaks)


def _leaks(arguments: argparse.Namespace) -> int:
    from deidstream.agents.evaluation.error_table import write  # noqa: PLC0415 - brings numpy
    from deidstream.agents.evaluation.leak_simulation import (  # noqa: PLC0415 - brings numpy
        encode_simulation,
        run_simulation,
        told,
    )
    from deidstream.models.scoring.leakage import Trial  # noqa: PLC0415 - brings numpy

    where: Path | None = arguments.json
    if where is not None and not where.parent.is_dir():
        msg = f"{where}: cannot be written: there is no such folder"
        raise MissingArtefact(msg)
    trial = Trial(arguments.misses, arguments.rounds, arguments.seed)
    labels = None if arguments.label is None else [PhiLabel(name) for name in arguments.label]
    simulation = run_simulation(arguments.notes, trial, labels)
    sys.stdout.write(told(simulation))
    if where is not None:
        write(where, encode_simulation(simulation))
    for reason, count in sorted(simulation.unread.items()):
        say(f"lines that are no labelled note: {count} x {reason}")
    return 1 if simulation.unread else 0


def _shares(text: str) -> tuple[float, ...]:
    try:
        shares = sorted({float(part) for part in text.split(",")})
    except ValueError:
        shares = []
    if not shares or not all(0 <= share <= 1 for share in shares):
        msg = "must be shares from 0 to 1, separated by commas"
        raise argparse.ArgumentTypeError(msg)
    return tuple(shares)


def _rounds(text: str) -> int:
    if not (text.isdecimal() and 1 <= int(text) <= MOST_ROUNDS):
        msg = f"must be a whole number from 1 to {MOST_ROUNDS}"
        raise argparse.ArgumentTypeError(msg)
    return int(text)
