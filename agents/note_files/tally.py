"""Count what became of the notes of a file, and say it at the end."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from deidstream.agents.note_files.input_hints import InputHints
from deidstream.agents.runtime.terminal import count_notes, say
from deidstream.schemas.outcome import Failed, Outcome, Retracted, RiskLevel

DONE, SOME_QUARANTINED = 0, 1


@dataclass(slots=True)
class Tally:
    """Numbers of notes: of quarantined ones by reason, stage and field, of others by level."""

    unit: str = "line"
    """What the places of notes count."""
    failed: Counter[str] = field(default_factory=Counter[str])
    first: dict[str, int] = field(default_factory=dict[str, int])
    """Place of the first of each."""
    levels: Counter[str] = field(default_factory=Counter[str])
    retracted: int = 0
    earlier: int = 0
    """Notes of the run that this one goes on with."""
    _started: float = field(default_factory=time.monotonic)

    @property
    def notes(self) -> int:
        """The number of all notes."""
        return self.failed.total() + self.levels.total() + self.retracted

    def add(self, failed: Failed, place: int) -> None:
        """Count one that failed; places are numbered from 0 and said from 1."""
        why = f"{failed.reason} at {failed.stage}"
        why += f", field {failed.field}" if failed.field else ""
        self.first.setdefault(why, place + 1)
        self.failed[why] += 1

    def add_outcome(self, outcome: Outcome, place: int) -> None:
        """Count a note, whatever became of it."""
        if isinstance(outcome, Failed):
            self.add(outcome, place)
        elif isinstance(outcome, Retracted):
            self.retracted += 1
        else:
            self.levels[outcome.risk.level] += 1

    def save(self) -> dict[str, object]:
        """Return the counts, for ``restore``."""
        levels = {str(level): count for level, count in self.levels.items()}
        counts = {"failed": dict(self.failed), "first": self.first, "levels": levels}
        return {**counts, "retracted": self.retracted}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Take over the counts of the run that this one goes on with."""
        self.failed, self.levels = Counter(saved["failed"]), Counter(saved["levels"])
        self.first, self.retracted = dict(saved["first"]), int(saved["retracted"])
        self.earlier = self.notes

    def summarize(self) -> str:
        """Return all counts in a line, with the speed of this run."""
        seconds = time.monotonic() - self._started
        made = self.notes - self.earlier
        return (
            f"{count_notes(self.notes)}: {', '.join(self._list_counts())}; "
            f"{made:,} in {seconds:,.0f} s, {made / max(seconds, 1e-3):,.1f} notes/s"
        )

    def close(self, hints: InputHints) -> int:
        """Write the reasons of failures and hints to stderr and return the exit code."""
        for why, count in sorted(self.failed.items()):
            say(f"quarantined: {count} x {why} (first in {self.unit} {self.first[why]})")
        for hint in hints.say():
            say(hint)
        return SOME_QUARANTINED if self.failed else DONE

    def _list_counts(self) -> Iterator[str]:
        levels = [f"{self.levels[level]:,} {level}" for level in RiskLevel if self.levels[level]]
        yield f"{self.levels.total():,} anonymized" + (f" ({', '.join(levels)})" if levels else "")
        if self.retracted:
            yield f"{self.retracted:,} retracted"
        yield f"{self.failed.total():,} quarantined"
