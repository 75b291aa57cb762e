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
    """Collect garbage rarely, in a process that is about to load much."""
    gc.set_threshold(*_RARELY)


def keep_loaded() -> None:
    """Exempt all objects that are loaded from collection; collect new ones as usual."""
    gc.freeze()
    gc.set_threshold(*_USUALLY)


@contextmanager
def collecting_rarely() -> Generator[None]:
    """Collect garbage rarely within this context, then as the calling program had set it."""
    before = gc.get_threshold()
    gc.set_threshold(*_RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)
