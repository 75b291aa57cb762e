"""The display of the demo: a live table, then notes side by side."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import orjson
from rich.columns import Columns
from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from deidstream.models.keyring import Keyring
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.note import RawNote

EXCERPT = 900
COLOURS = {"green": "green", "yellow": "yellow", "red": "red"}
Record = dict[str, Any]


@dataclass(slots=True)
class Board:
    """Counts output records and shows the counts while they arrive."""

    expected: int | None
    """Number of notes after which the demo ends; ``None``: it does not end."""
    url: str
    notes: dict[str, Record] = field(default_factory=dict[str, Record], repr=False)
    risks: dict[str, Record] = field(default_factory=dict[str, Record], repr=False)
    quarantined: Counter[str] = field(default_factory=Counter[str])
    first: float | None = None
    """When the feed began, by the monotonic clock."""
    last: float = 0.0
    live: Live = field(default_factory=lambda: Live(auto_refresh=False))

    def add(self, topic: str, value: bytes) -> None:
        """Count one output record; duplicates count once."""
        record: Record = orjson.loads(value)
        self.last = time.monotonic()
        if topic == "anonymized":
            self.notes[record["note_id"]] = record
        elif topic == "risk":
            self.risks[record["note_id"]] = record
        else:
            self.quarantined[record["reason"]] += 1

    @property
    def full(self) -> bool:
        """Whether every note that was sent has an outcome."""
        done = min(len(self.notes), len(self.risks)) + self.quarantined.total()
        return self.expected is not None and done >= self.expected

    def __enter__(self) -> Self:
        """Show the table and start the clock."""
        self.first = self.last = time.monotonic()
        self.live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Show the last counts and leave them on the screen."""
        self.refresh()
        self.live.__exit__(kind, error, trace)

    def refresh(self) -> None:
        """Show the current counts."""
        self.live.update(self.table(), refresh=True)

    def table(self) -> Table:
        """Return the current counts as a table."""
        levels = Counter(str(record["level"]) for record in self.risks.values())
        elapsed = self.last - self.first if self.first else 0.0
        table = Table(title="deidstream demo", caption=f"ops page: {self.url}/metrics")
        for heading in ("notes out", "notes/s", "green", "yellow", "red", "quarantined"):
            table.add_column(heading, justify="right")
        of_all = f" of {self.expected}" if self.expected else ""
        rate = f"{len(self.notes) / elapsed:.1f}" if elapsed else "-"
        counts = [str(levels[level]) for level in COLOURS]
        table.add_row(f"{len(self.notes)}{of_all}", rate, *counts, str(self.quarantined.total()))
        return table


def show_notes(notes: Sequence[RawNote], board: Board, keyring: Keyring) -> None:
    """Show notes beside their outputs."""
    releases = {record["policy"].get("release", "") for record in board.notes.values()}
    console = Console()
    for note in notes:
        names = [note_pseudonym(keyring, note.note_id, release) for release in releases]
        for name in (one for one in names if one in board.notes and one in board.risks):
            console.print(_side_by_side(note, board.notes[name], board.risks[name], console.width))


def _side_by_side(note: RawNote, out: Record, risk: Record, width: int) -> Columns:
    half = max(30, width // 2 - 2)
    colour = COLOURS[risk["level"]]
    reasons = ", ".join(risk["reasons"][:3]) or "nothing stands out"
    head = f"risk [{colour}]{risk['level']}[/] {risk['score']:.2f} · {reasons}"
    given = Panel(_excerpt(note.text), title="input (fictional)", width=half)
    made = Panel(_excerpt(out["text"]), title="output", subtitle=head, width=half)
    return Columns([given, made])


def _excerpt(text: str) -> Text:
    cut = text if len(text) <= EXCERPT else text[:EXCERPT].rsplit(None, 1)[0] + " …"
    return Text(cut)
