"""Keep Python's garbage collector from walking what a process loads and then keeps.

Modules, lists and models are a million objects in which nothing is garbage. Walking them again and
again took a fifth of a start, and another half second at the end of the process.
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager

_RARELY = (100_000, 20, 20)
_USUALLY = gc.get_threshold()


def collect_rarely() -> None:
    """Begin a process that loads much: collect garbage once in so many objects."""
    gc.set_threshold(*_RARELY)


def keep_loaded() -> None:
    """End the loading: what is there stays, and new objects are collected as usual."""
    gc.freeze()
    gc.set_threshold(*_USUALLY)


@contextmanager
def collecting_rarely() -> Generator[None]:
    """Load within a process of somebody else, whose settings are as before afterwards."""
    before = gc.get_threshold()
    gc.set_threshold(*_RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)
