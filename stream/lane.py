"""Run calls on the one accelerator lane, a thread off the event loop, some within a budget."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from deidstream.schemas.time_budget import TimeBudget
from deidstream.stream import metrics

P = ParamSpec("P")
T = TypeVar("T")


def _one_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="lane")


@dataclass(frozen=True, slots=True)
class Lane:
    """Runs calls one after another on one thread, in the order they were given.

    The caller bounds how many wait: the agent lets one batch wait while one runs.
    """

    _pool: ThreadPoolExecutor = field(default_factory=_one_thread)

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``call`` on the lane and return what it returns; raise what it raises."""

        def run_call() -> T:
            start = time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                metrics.count("deid_lane_busy_seconds_total", by=time.perf_counter() - start)

        return await asyncio.get_running_loop().run_in_executor(self._pool, run_call)

    def close(self) -> None:
        """Let the running call end in the background; start no other."""
        self._pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class LimitedLane:
    """A lane whose calls share one budget of processor time.

    Only the lane's own thread is counted: what other threads of a model compute for it is
    bounded by the word pieces of the note.
    """

    lane: Lane
    budget: TimeBudget

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``call`` on the lane; ``check_time`` in it raises once the budget is used up."""

        def run_call() -> T:
            with self.budget.running():
                return call(*args, **kwargs)

        return await self.lane.run(run_call)
