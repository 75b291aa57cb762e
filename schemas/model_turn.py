"""Let one thread at a time compute with a model, and say for how long it did.

The forward passes of a batch are computed together and use every core. Those of two batches would
only take turns on them, while those of one beside the Python work of other notes use both the cores
and the interpreter, which passes do not hold.
"""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

_FREE = threading.Lock()


@dataclass(slots=True)
class ModelUse:
    """What one call on a thread took of the models."""

    seconds: float = 0.0
    """How long models computed for it; the time in which it waited for its turn is left out."""
    waited_seconds: float = 0.0
    """How long it waited for its turns."""
    thread_seconds: float = 0.0
    """Processor seconds of the call's own thread in that time."""


_use: ContextVar[ModelUse] = ContextVar("model_use")
"""Where the turns of the call that runs on this thread are added up."""


@contextmanager
def measure_models() -> Generator[ModelUse]:
    """Add up the turns that the body takes on this thread."""
    use = ModelUse()
    token = _use.set(use)
    try:
        yield use
    finally:
        _use.reset(token)


def waited_for_models() -> float:
    """Return for how many seconds the call that runs on this thread has waited for its turns."""
    use = _use.get(None)
    return use.waited_seconds if use is not None else 0.0


@contextmanager
def take_model_turn() -> Generator[None]:
    """Wait until no other thread computes with a model, then run the body."""
    use, asked = _use.get(None), time.perf_counter()
    with _FREE:
        start, thread_start = time.perf_counter(), time.thread_time()
        try:
            yield
        finally:
            if use is not None:
                use.waited_seconds += start - asked
                use.seconds += time.perf_counter() - start
                use.thread_seconds += time.thread_time() - thread_start
