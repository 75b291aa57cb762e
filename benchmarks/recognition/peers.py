"""Scores other de-identifiers and this one on the same labelled notes with the same scorer.

    python benchmarks/recognition/peers.py GOLD... [--peers NAMES] [--out FILE.json]

Each GOLD, a file of labelled notes or a folder of marked ones, gets a table. Each peer runs in a
virtual environment of its own under .cache/peers, made at first use, and sees note ids and texts
only. The figures of the tables are all label-blind: what a peer calls what it removes does not
count.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from environment import HERE, Unavailable
from measure import OURS, Entrant, Figures, Work, measure, peer_entrants
from rich.console import Console
from rich.table import Table
from run_deidstream import PROFILE

from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.labelled import decode_labelled, encode_labelled
from deidstream.schemas.policy import Profile
from deidstream.study.corpus.marked import read_folder

CACHE = HERE.parents[1] / ".cache" / "peers"
PEER_NAMES = list(peer_entrants(CACHE))
DEFAULT_PROFILES = [Profile.BALANCED, Profile.STRICT]
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
    rows = entrants(arguments)
    sets: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for gold in arguments.gold:
            work = prepared(gold, arguments, Path(folder))
            measured, absent = compare(rows, work)
            report(work.name, measured, absent)
            sets.append(record(work, measured, absent))
    if arguments.out:
        kept = {"processors": os.cpu_count(), "sets": sets}
        arguments.out.write_text(json.dumps(kept, indent=2) + "\n")
    return 0 if all(each["measured"] for each in sets) else 1


def entrants(arguments: argparse.Namespace) -> list[Entrant]:
    """List the peers, then ours with each of its profiles."""
    policy = {"DEIDSTREAM_POLICY": arguments.policy} if arguments.policy else {}
    ours = [
        Entrant(f"{OURS}-{profile}", OURS, {**policy, PROFILE: profile})
        for profile in arguments.profiles
    ]
    peers = peer_entrants(arguments.environments)
    return [*(peers[name] for name in arguments.peers), *ours]


def prepared(gold: Path, arguments: argparse.Namespace, folder: Path) -> Work:
    here = folder / gold.name
    spans = (arguments.spans or folder / "spans") / gold.name
    here.mkdir()
    spans.mkdir(parents=True, exist_ok=True)
    labelled = written_out(gold, here / "gold.jsonl") if gold.is_dir() else gold
    notes = here / "notes.jsonl"
    notes.write_bytes(b"".join(bare(labelled)))
    return Work(gold.name, labelled, notes, spans, arguments.environments)


def written_out(marked: Path, labelled: Path) -> Path:
    lines = (encode_labelled(note) + b"\n" for note in read_folder(marked))
    labelled.write_bytes(b"".join(lines))
    return labelled


def bare(gold: Path) -> Iterator[bytes]:
    """Strip labelled notes to what is to be searched; a line that cannot be read, to nothing."""
    with gold.open("rb") as lines:
        for line in lines:
            try:
                note = decode_labelled(line).note
            except InvalidNote:
                continue
            yield json.dumps({"note_id": note.note_id, "text": note.text}).encode() + b"\n"


def compare(rows: Sequence[Entrant], work: Work) -> tuple[dict[str, Figures], dict[str, str]]:
    measured: dict[str, Figures] = {}
    absent: dict[str, str] = {}
    for entrant in rows:
        sys.stderr.write(f"{work.name}: {entrant.name} ...\n")
        try:
            measured[entrant.name] = measure(entrant, work)
        except Unavailable as reason:
            absent[entrant.name] = str(reason)
    return measured, absent


def record(
    work: Work, measured: Mapping[str, Figures], absent: Mapping[str, str]
) -> dict[str, object]:
    return {
        "gold": {"name": work.name, "sha256": sha256(work.gold.read_bytes()).hexdigest()},
        "measured": measured,
        "absent": absent,
    }


def report(name: str, measured: Mapping[str, Figures], absent: Mapping[str, str]) -> None:
    console = Console(width=120, highlight=False)
    table = Table(title=f"{name}: tokens, whatever their label")
    table.add_column("", no_wrap=True)
    for heading in (*COLUMNS, "notes per\nCPU second"):
        table.add_column(heading, justify="right")
    for row, figures in measured.items():
        head = figures["headline"]
        cells = [written(head[key], digits) for key, digits in COLUMNS.values()]
        table.add_row(row, *cells, written(figures["notes_per_cpu_second"], 1))
    console.print(table)
    for row, figures in measured.items():
        console.print(f"{row}: {figures['what']}; Python {figures['python']}", markup=False)
    for row, reason in absent.items():
        console.print(f"{row}: not measured: {reason}", markup=False)


def written(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Score peers and this project on the same notes.")
    parser.add_argument("gold", metavar="GOLD", type=Path, nargs="+")
    parser.add_argument("--peers", type=chosen, default=PEER_NAMES, help=", ".join(PEER_NAMES))
    parser.add_argument(
        "--profiles", type=profiles, default=DEFAULT_PROFILES, help="ours; an empty text: none"
    )
    parser.add_argument("--policy", help="ours; default: that of the settings")
    parser.add_argument("--out", metavar="FILE.json", type=Path, help="every figure")
    parser.add_argument("--spans", metavar="FOLDER", type=Path, help="keep what each one found")
    parser.add_argument("--environments", metavar="FOLDER", type=Path, default=CACHE)
    return parser.parse_args()


def chosen(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    if not set(names) <= set(PEER_NAMES):
        msg = f"a peer is one of {', '.join(PEER_NAMES)}"
        raise argparse.ArgumentTypeError(msg)
    return names


def profiles(text: str) -> list[Profile]:
    try:
        return [Profile(name) for name in text.split(",") if name]
    except ValueError:
        msg = f"a profile is one of {', '.join(Profile)}"
        raise argparse.ArgumentTypeError(msg) from None


if __name__ == "__main__":
    sys.exit(main())
