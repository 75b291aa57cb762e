"""The display of the demo: what starts, then a live table."""

import sys
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

import orjson
from rich.console import Console
from rich.live import Live
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from deidstream.agents.demo.comparison import LEVEL_COLOURS, compare
from deidstream.agents.runtime.terminal import say
from deidstream.models.keyring import Keyring
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.note import RawNote
from deidstream.schemas.risk_policy import RedAction

Record = dict[str, Any]

RED_NOTES = {
    RedAction.EMIT: "Red notes were emitted too, with their level: this policy holds none back.",
    RedAction.QUARANTINE: "Red notes went to quarantine, as this policy asks.",
    RedAction.STRENGTHEN: "Red notes were made anew by a stronger technique, as this policy asks.",
}
"""What became of the red notes of the table above, by ``risk.on_red`` of the policy."""


@contextmanager
def waiting(for_what: str) -> Generator[None]:
    """Show a spinner and the seconds while the body waits; a line where stderr is no terminal."""
    if not sys.stderr.isatty():
        say(f"{for_what} …")
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task(f"{for_what} …", total=None)
        yield


@dataclass(slots=True)
class Board:
    """Counts output records and shows the counts while they arrive."""

    expected: int
    """Notes of a pass: those of the first are kept, to be shown."""
    url: str
    """Of the operations page."""
    red: RedAction = RedAction.EMIT
    """What the policy does with a red note."""
    console: Console = field(default_factory=Console)
    emitted: int = 0
    levels: Counter[str] = field(default_factory=Counter[str])
    quarantined: Counter[str] = field(default_factory=Counter[str])
    notes: dict[str, Record] = field(default_factory=dict[str, Record], repr=False)
    audits: dict[str, Record] = field(default_factory=dict[str, Record], repr=False)
    risks: dict[str, Record] = field(default_factory=dict[str, Record], repr=False)
    started: float = field(default_factory=time.monotonic)
    last: float = 0.0
    live: Live | None = None

    def add(self, topic: str, value: bytes) -> None:
        """Count one output record."""
        record: Record = orjson.loads(value)
        self.last = time.monotonic()
        if topic == "quarantine":
            self.quarantined[record["reason"]] += 1
            return
        kept = {"anonymized": self.notes, "risk": self.risks, "audit": self.audits}[topic]
        if len(kept) < self.expected:
            kept[record["note_id"]] = record
        if topic == "anonymized":
            self.emitted += 1
        elif topic == "risk":
            self.levels[record["level"]] += 1

    @property
    def done(self) -> int:
        """Notes that have an outcome."""
        return min(self.emitted, self.levels.total()) + self.quarantined.total()

    @property
    def full(self) -> bool:
        """Whether every note of the first pass has an outcome, and its audit record is there."""
        audited = len(self.audits) + self.quarantined.total() >= self.expected
        return self.done >= self.expected and audited

    def __enter__(self) -> Self:
        """Show the table."""
        self.live = Live(self.table(), console=self.console, auto_refresh=False)
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
        if self.live is not None:
            self.live.__exit__(kind, error, trace)
            if not self.console.is_terminal:
                self.console.line()

    def refresh(self) -> None:
        """Show the current counts."""
        if self.live is not None:
            self.live.update(self.table(), refresh=True)

    def table(self) -> Table:
        """Return the current counts as a table."""
        elapsed = self.last - self.started
        table = Table(caption=f"operations page: {self.url}")
        for heading in ("notes out", "notes/s", *LEVEL_COLOURS, "quarantined"):
            table.add_column(heading, justify="right", style=LEVEL_COLOURS.get(heading))
        of_all = f" of {self.expected}" if self.emitted <= self.expected else ""
        rate = f"{self.done / elapsed:.1f}" if elapsed > 0 else "-"
        counts = [str(self.levels[level]) for level in LEVEL_COLOURS]
        table.add_row(f"{self.emitted}{of_all}", rate, *counts, str(self.quarantined.total()))
        return table


def show_notes(notes: list[RawNote], board: Board, keyring: Keyring) -> None:
    """Show notes beside their outputs."""
    releases = {record["policy"].get("release", "") for record in board.notes.values()}
    board.console.print(Text(RED_NOTES[board.red]))
    for note in notes:
        names = [note_pseudonym(keyring, note.note_id, release) for release in releases]
        for name in names:
            if name in board.audits and name in board.risks:
                audit, risk = board.audits[name], board.risks[name]
                board.console.print(compare(note.text, audit, risk, board.console))
