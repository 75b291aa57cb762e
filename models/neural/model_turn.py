"""Let one thread at a time compute with a model, and one work on text.

The forward passes of a batch are computed together and use every core. Those of two batches would
only take turns on them, while those of one beside the Python work of other notes use both the cores
and the interpreter, which passes do not hold.

Two threads that both ran Python would take turns at the interpreter, and both end late: the model
would wait for both where it could begin with the batch of the first (ADR 44).

A long note takes no turn at text, for it would keep it for seconds: it works beside the thread that
has it. It computes with the models in short turns, and they go to whoever waits longest.
"""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from deidstream.models.neural.fair_lock import FairLock

_MODELS, _TEXT = FairLock(), threading.Lock()


@dataclass(slots=True)
class ModelUse:
    """What one call on a thread took of the models."""

    seconds: float = 0.0
    """How long models computed for it; the time in which it waited for its turn is left out."""
    waited_seconds: float = 0.0
    """How long it waited for a model, and to work on text again."""
    thread_seconds: float = 0.0
    """Processor seconds of the call's own thread in that time."""
    beside: bool = False
    """Whether the call works on text beside another, without the turn."""


_use: ContextVar[ModelUse] = ContextVar("model_use")
"""Where the turns of the call that runs on this thread are added up."""


@contextmanager
def take_text_turn() -> Generator[ModelUse]:
    """Wait until no other thread works on text, then run the body and add up its turns at models.

    While it waits for a model, or computes with one, another thread may take the text turn.
    """
    use = ModelUse()
    token = _use.set(use)
    try:
        with _TEXT:
            yield use
    finally:
        _use.reset(token)


@contextmanager
def work_beside() -> Generator[ModelUse]:
    """Run the body beside the thread that works on text, and add up its turns at models."""
    use = ModelUse(beside=True)
    token = _use.set(use)
    try:
        yield use
    finally:
        _use.reset(token)


def works_beside() -> bool:
    """Return whether the call that runs on this thread works beside others."""
    use = _use.get(None)
    return use is not None and use.beside


def waited_for_models() -> float:
    """Return for how many seconds the call that runs on this thread has waited for its turns."""
    use = _use.get(None)
    return use.waited_seconds if use is not None else 0.0


@contextmanager
def take_model_turn() -> Generator[None]:
    """Wait until no other thread computes with a model, then run the body.

    A thread that has the text turn leaves it to others until the body has ended. So it may hold no
    lock here that another needs for its text: that one would wait for ever.
    """
    use = _use.get(None)
    if use is None:
        with _MODELS:
            yield
        return
    asked, computed = time.perf_counter(), 0.0
    if not use.beside:
        _TEXT.release()
    try:
        with _MODELS:
            start, thread_start = time.perf_counter(), time.thread_time()
            try:
                yield
            finally:
                computed = time.perf_counter() - start
                use.thread_seconds += time.thread_time() - thread_start
    finally:
        if not use.beside:
            _TEXT.acquire()
        use.seconds += computed
        use.waited_seconds += time.perf_counter() - asked - computed
