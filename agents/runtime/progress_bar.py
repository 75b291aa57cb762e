"""A progress bar on stderr."""

import sys
import time
from dataclasses import dataclass, field
from datetime import timedelta

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from deidstream.agents.runtime.terminal import say


def progress(unit: str = "notes") -> Progress:
    """Return a progress bar on stderr; it shows nothing unless stderr is a terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(unit),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, disable=not sys.stderr.isatty())


LINE_SECONDS = 30.0


@dataclass(slots=True)
class ProgressLines:
    """Says on stderr, every half minute, how far a run has come, unless a bar shows it."""

    verb: str
    total: int | None
    done: int
    """Notes, also those of an earlier run."""
    shows: bool = field(default_factory=lambda: not sys.stderr.isatty())
    note: str = ""
    """What is said behind the numbers, such as counts of another kind."""
    _made: int = 0
    _started: float = field(default_factory=time.monotonic)
    _said_at: float = field(default_factory=time.monotonic)

    def advance(self, count: int) -> None:
        """Count notes that are done."""
        self.done += count
        self._made += count
        now = time.monotonic()
        if self.shows and now >= self._said_at + LINE_SECONDS:
            self._said_at = now
            say(self._describe(now - self._started))

    def _describe(self, seconds: float) -> str:
        rate = self._made / seconds
        speed = f"{rate:,.1f} notes/s"
        behind = f"; {self.note}" if self.note else ""
        if self.total is None:
            return f"{self.verb}: {self.done:,} notes, {speed}{behind}"
        left = f", {timedelta(seconds=round((self.total - self.done) / rate))} left" if rate else ""
        return f"{self.verb}: {self.done:,} of {self.total:,} notes, {speed}{left}{behind}"


class _Rate(ProgressColumn):
    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed or 0:.1f} {self._unit}/s")
