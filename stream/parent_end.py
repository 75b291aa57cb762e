"""End a child process with its parent, however that ends."""

import ctypes
import signal
import sys

_SET_DEATH_SIGNAL = 1
"""``PR_SET_PDEATHSIG`` of prctl(2), which Linux alone has."""
_PRCTL = ctypes.CDLL(None).prctl if sys.platform == "linux" else None


def end_with_parent() -> None:
    """Ask the kernel to terminate this process when its parent ends, even by SIGKILL.

    For ``preexec_fn`` of a child: it runs between fork and exec and does nothing else. The parent
    is the thread that starts the child, which must therefore be the main thread.
    """
    if _PRCTL is not None:
        _PRCTL(_SET_DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
