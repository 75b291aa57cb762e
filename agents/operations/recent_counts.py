"""Keep the counts of the last quarter of an hour, and the notes of the last day, in slots.

Slots begin at multiples of their length on the wall clock, so that those of several workers can be
added. A longer range has longer slots and as many of them, so that what is kept does not grow.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from deidstream.agents.operations.running_counts import RunningCounts

SLOT_SECONDS = 5
WINDOW_SECONDS = 900
SLOTS = WINDOW_SECONDS // SLOT_SECONDS
SLOT_LENGTHS = (SLOT_SECONDS, 20, 120, 480)
"""Seconds of a slot in each range that the page shows: 15 minutes, 1, 6 and 24 hours."""
HOUR_SLOTS = 60
_MINUTE = 60
NOW_SECONDS = 15
"""Length of "now" in the throughput."""


@dataclass(frozen=True, slots=True)
class CountsAt:
    """Counts at one moment of the wall clock, in seconds."""

    at: float
    counts: RunningCounts


@dataclass(slots=True)
class RecentCounts:
    """The counts of one worker at the beginnings of slots, as far back as the page looks."""

    clock: Callable[[], float] = time.time
    read: Callable[[], RunningCounts] = RunningCounts.read
    slots: deque[CountsAt] = field(default_factory=lambda: deque(maxlen=SLOTS + 1))
    """At the first look in each slot of five seconds."""
    minutes: deque[CountsAt] = field(default_factory=lambda: deque(maxlen=HOUR_SLOTS + 1))
    """At the first look in each minute."""
    history: Mapping[int, deque[CountsAt]] = field(
        default_factory=lambda: {
            length: deque[CountsAt](maxlen=SLOTS + 1) for length in SLOT_LENGTHS[1:]
        }
    )
    """Notes alone, at the first look in each slot of the longer ranges, by the slot's length."""

    def look(self) -> CountsAt:
        """Keep the present counts where a slot has begun; return them."""
        seen = CountsAt(self.clock(), self.read())
        _keep(self.slots, seen, SLOT_SECONDS)
        _keep(self.minutes, seen, _MINUTE)
        notes = CountsAt(seen.at, RunningCounts({"notes": seen.counts.of("notes")}))
        for length, kept in self.history.items():
            _keep(kept, notes, length)
        return seen

    def window(self, now: CountsAt) -> CountsAt:
        """Return what was counted in the last quarter of an hour, and in how many seconds."""
        return _since(now, self._first_after(self.slots, now.at - WINDOW_SECONDS - SLOT_SECONDS))

    def hour(self, now: CountsAt) -> CountsAt:
        """Return what was counted in the last hour, and in how many seconds."""
        return _since(now, self._first_after(self.minutes, now.at - 3_600 - _MINUTE))

    def now(self, now: CountsAt) -> CountsAt:
        """Return what was counted just now, and in how many seconds."""
        return _since(now, self._first_after(self.slots, now.at - NOW_SECONDS - SLOT_SECONDS))

    def notes_by_slot(self, length: int = SLOT_SECONDS) -> dict[int, float]:
        """Return the notes that ended in each slot that is over, by its number since 1970.

        Args:
            length: Seconds of a slot, one of :data:`SLOT_LENGTHS`.
        """
        found: dict[int, float] = {}
        for first, second in pairwise(list(self.history.get(length, self.slots))):
            begin, end = int(first.at // length), int(second.at // length)
            added = second.counts.total("notes") - first.counts.total("notes")
            # A worker that could not look for a while has its notes spread over the gap. Where its
            # clock was set forward, by years perhaps, the last slots alone are of interest.
            for slot in range(max(begin, end - SLOTS), end):
                found[slot] = added / (end - begin)
        return found

    @staticmethod
    def _first_after(kept: deque[CountsAt], moment: float) -> CountsAt:
        return next((each for each in kept if each.at >= moment), kept[-1])


def _keep(kept: deque[CountsAt], seen: CountsAt, length: int) -> None:
    if kept and seen.at < kept[-1].at - length:
        # The clock was set back: without the later entries, their notes count before it.
        while kept and kept[-1].at > seen.at:
            kept.pop()
    if not kept or seen.at // length > kept[-1].at // length:
        kept.append(seen)


def _since(now: CountsAt, before: CountsAt) -> CountsAt:
    return CountsAt(max(0.0, now.at - before.at), now.counts.since(before.counts))
