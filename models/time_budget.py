"""The processor time that a stage may take, checked by the stage itself between its steps.

A thread cannot be interrupted, so whatever loops over a note's text, spans or surrogates calls
``check_time`` on its way. What counts is the processor time of the thread that runs the stage: on a
busy machine a note takes no more of it, so a replay does not depend on what else runs.
"""

import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

from deidstream.schemas.errors import OutOfTime

T = TypeVar("T")
_deadline: ContextVar[float] = ContextVar("deadline")
"""Reading of the thread's processor clock from which on its stage is out of time."""


@dataclass(slots=True)
class TimeBudget:
    """Processor seconds for the stages of one batch, used up by one after another."""

    seconds: float
    """What is left."""

    @contextmanager
    def running(self) -> Generator[None]:
        """Run a stage on this thread: ``check_time`` raises when the budget is used up."""
        start = time.thread_time()
        token = _deadline.set(start + self.seconds)
        try:
            yield
        finally:
            _deadline.reset(token)
            self.seconds -= time.thread_time() - start


def check_time() -> None:
    """End the stage that runs on this thread if its budget is used up.

    Raises:
        OutOfTime: It is.
    """
    deadline = _deadline.get(None)
    if deadline is not None and time.thread_time() > deadline:
        raise OutOfTime


def within_time(items: Iterable[T], *, every: int = 1) -> Iterator[T]:
    """Yield each of ``items``, and check the time before it.

    Args:
        items: What a loop goes over.
        every: Check only before the first of so many; to read the clock takes longer than some
            steps.

    Raises:
        OutOfTime: The budget of the stage is used up.
    """
    for place, item in enumerate(items):
        if place % every == 0:
            check_time()
        yield item
