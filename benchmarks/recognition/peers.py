"""Scores other de-identifiers and this one on the same labelled notes with the same scorer.

    python benchmarks/recognition/peers.py GOLD.jsonl [--peers presidio,philter,pydeid] [--out FILE]

Each peer runs in a virtual environment of its own under .cache/peers, made at first use, and sees
note ids and texts only. The figures of the table are all label-blind: what a peer calls what it
removes does not count.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from environment import HERE, PEERS, Unavailable
from measure import OURS, Figures, Work, measure
from rich.console import Console
from rich.table import Table

from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.labelled import decode_labelled

CACHE = HERE.parents[1] / ".cache" / "peers"
COLUMNS = {
    "recall": ("redact_recall", 3),
    "of direct\nidentifiers": ("direct_recall", 3),
    "precision": ("redact_precision", 3),
    "F1": ("redact_f1", 3),
    "notes\nwithout leak": ("leak_free_notes", 3),
    "leaks per\n1,000 notes": ("leaks_per_1000_notes", 0),
    "alarms per\n1,000 words": ("false_alarms_per_1000_words", 1),
}


def main() -> int:
    arguments = parse()
    names = [*arguments.peers, OURS] if arguments.ours else arguments.peers
    with tempfile.TemporaryDirectory() as folder:
        work = prepared(arguments, Path(folder))
        measured, absent = compare(names, work)
    if arguments.out:
        arguments.out.write_text(json.dumps(record(work.gold, measured, absent), indent=2) + "\n")
    report(work.gold, measured, absent)
    return 0 if measured else 1


def prepared(arguments: argparse.Namespace, folder: Path) -> Work:
    spans = arguments.spans or folder
    spans.mkdir(parents=True, exist_ok=True)
    notes = folder / "notes.jsonl"
    notes.write_bytes(b"".join(bare(arguments.gold)))
    return Work(arguments.gold, notes, spans, arguments.environments, arguments.policy)


def bare(gold: Path) -> Iterator[bytes]:
    """Strip labelled notes to what is to be searched; a line that cannot be read, to nothing."""
    with gold.open("rb") as lines:
        for line in lines:
            try:
                note = decode_labelled(line).note
            except InvalidNote:
                continue
            yield json.dumps({"note_id": note.note_id, "text": note.text}).encode() + b"\n"


def compare(names: list[str], work: Work) -> tuple[dict[str, Figures], dict[str, str]]:
    measured: dict[str, Figures] = {}
    absent: dict[str, str] = {}
    for name in names:
        sys.stderr.write(f"{name} ...\n")
        try:
            measured[name] = measure(name, work)
        except Unavailable as reason:
            absent[name] = str(reason)
    return measured, absent


def record(
    gold: Path, measured: Mapping[str, Figures], absent: Mapping[str, str]
) -> dict[str, object]:
    return {
        "gold": {"name": gold.name, "sha256": sha256(gold.read_bytes()).hexdigest()},
        "processors": os.cpu_count(),
        "measured": measured,
        "absent": absent,
    }


def report(gold: Path, measured: Mapping[str, Figures], absent: Mapping[str, str]) -> None:
    console = Console(width=120, highlight=False)
    table = Table(title=f"{gold.name}: tokens, whatever their label")
    table.add_column("")
    for heading in (*COLUMNS, "notes/s", "per CPU\nsecond"):
        table.add_column(heading, justify="right")
    for name, figures in measured.items():
        head = figures["headline"]
        cells = [written(head[key], digits) for key, digits in COLUMNS.values()]
        speeds = [written(figures[f"notes_per_{unit}"], 1) for unit in ("second", "cpu_second")]
        table.add_row(name, *cells, *speeds)
    console.print(table)
    for name, figures in measured.items():
        console.print(f"{name}: {figures['what']}; Python {figures['python']}", markup=False)
    for name, reason in absent.items():
        console.print(f"{name}: not measured: {reason}", markup=False)


def written(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Score peers and this project on the same notes.")
    parser.add_argument("gold", metavar="GOLD.jsonl", type=Path)
    parser.add_argument("--peers", type=chosen, default=list(PEERS), help=", ".join(PEERS))
    parser.add_argument("--no-ours", dest="ours", action="store_false", help="the peers alone")
    parser.add_argument("--policy", help="ours; default: that of the settings")
    parser.add_argument("--out", metavar="FILE.json", type=Path, help="every figure")
    parser.add_argument("--spans", metavar="FOLDER", type=Path, help="keep what each one found")
    parser.add_argument("--environments", metavar="FOLDER", type=Path, default=CACHE)
    return parser.parse_args()


def chosen(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    if not set(names) <= set(PEERS):
        msg = f"a peer is one of {', '.join(PEERS)}"
        raise argparse.ArgumentTypeError(msg)
    return names


if __name__ == "__main__":
    sys.exit(main())
