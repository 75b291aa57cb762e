"""Run calls on threads off the event loop, some of them within a budget.

Two lanes share the work of a batch. The text lane, these threads, runs its stages, one call at a
time. Within a stage the model lane runs the forward passes of one batch at a time
(``models.neural.model_turn``); they do not hold the interpreter. So while a model computes for one
batch, Python works on the other. Whoever makes a lane hands it the turn, because what moves knows
nothing of models.
"""

import asyncio
import contextvars
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import ParamSpec, Protocol, TypeVar

from deidstream.stream.observing import metrics

P = ParamSpec("P")
T = TypeVar("T")

BATCHES_IN_WORK = 2
"""One batch computes with a model while Python works on the other. A third would only wait."""
MODELS, TEXT = "models", "text"
"""The lanes, as metrics name them."""


class ModelSeconds(Protocol):
    """How long a call computed with models."""

    @property
    def seconds(self) -> float:
        """Seconds in which models computed for it."""
        ...

    @property
    def thread_seconds(self) -> float:
        """Processor seconds of the call's own thread in that time."""
        ...


TakeTurn = Callable[[], AbstractContextManager[ModelSeconds]]
"""Waits until no other thread works on text, then adds up what the call takes of the models."""


class Budget(Protocol):
    """Processor seconds that several calls share."""

    def running(self) -> AbstractContextManager[None]:
        """Run a call on this thread; its loops end when the budget is used up."""
        ...


def _start_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=BATCHES_IN_WORK, thread_name_prefix="lane")


@dataclass(frozen=True, slots=True)
class Lane:
    """Runs calls on ``BATCHES_IN_WORK`` threads, which take turns at text and at the models.

    The caller bounds how many wait: the service lets no more batches be in work than there are
    threads.
    """

    take_turn: TakeTurn
    """The turn that a call takes before it runs."""
    _pool: ThreadPoolExecutor = field(default_factory=_start_threads)

    @classmethod
    def of_one(cls, take_turn: TakeTurn) -> "Lane":
        """Make a lane of one thread."""
        return cls(take_turn, ThreadPoolExecutor(max_workers=1, thread_name_prefix="long"))

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``call`` on the lane and return what it returns; raise what it raises."""

        def run_call() -> T:
            with self.take_turn() as use:
                start = time.thread_time()
                try:
                    return call(*args, **kwargs)
                finally:
                    spent = time.thread_time() - start - use.thread_seconds
                    metrics.count("deid_lane_busy_seconds_total", MODELS, by=use.seconds)
                    metrics.count("deid_lane_busy_seconds_total", TEXT, by=max(0.0, spent))

        # What the caller runs in says to which step of a trace the call belongs.
        within = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._pool, within.run, run_call)

    def close(self) -> None:
        """Let the running calls end in the background; start no other."""
        self._pool.shutdown(wait=False, cancel_futures=True)


@dataclass(frozen=True, slots=True)
class LimitedLane:
    """A lane whose calls share one budget of processor time.

    The calls of a batch run one after another, so the thread of each is what is counted: its
    Python and its own part of a model. What other threads of a model compute for it is bounded by
    the word pieces of the note.
    """

    lane: Lane
    budget: Budget

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``call`` on the lane; ``check_time`` in it raises once the budget is used up."""

        def run_call() -> T:
            with self.budget.running():
                return call(*args, **kwargs)

        return await self.lane.run(run_call)
