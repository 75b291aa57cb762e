"""Measure how fast this machine is on notes of the archive, and say how long all of them take."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from deidstream.agents.archive.run_shards import CHUNK
from deidstream.agents.runtime.service import Service

_FEW = 16
"""Notes of a first chunk that is not measured: the engine prepares itself on it."""


@dataclass(frozen=True, slots=True)
class MeasuredSpeed:
    """The notes that one process has done, and how long it took."""

    notes: int
    seconds: float

    @property
    def rate(self) -> float:
        """Notes a second."""
        return self.notes / max(self.seconds, 1e-3)

    def describe(self, total: int, processes: int, price: float | None) -> str:
        """Say how long all notes take, and what that costs.

        Args:
            total: All notes.
            processes: Processes of this machine, each of which has its share of the cores.
            price: Dollars an hour of a machine like this.
        """
        hours = total / self.rate / processes / 3600
        shown = timedelta(seconds=round(hours * 3600))
        cost = "" if price is None else f", {hours * price:,.2f} dollars"
        return (
            f"measured: {self.notes:,} notes in {self.seconds:,.1f} s by one process, "
            f"{self.rate:,.1f} notes/s; {total:,} notes in {processes} such processes: "
            f"about {shown}{cost}"
        )


async def measure_speed(
    service: Service, sample: Sequence[bytes], seconds: float
) -> MeasuredSpeed | None:
    """Bring notes to their outcomes for some time; nothing is stored.

    Returns:
        What was measured; nothing if the sample is too small.
    """
    await service.run(sample[:_FEW])
    rest = sample[_FEW:]
    if not rest:
        return None
    started, done = time.perf_counter(), 0
    while done < len(rest) and time.perf_counter() < started + seconds:
        chunk = rest[done : done + CHUNK // 4]
        await service.run(chunk)
        done += len(chunk)
    return MeasuredSpeed(done, time.perf_counter() - started)
