"""A lock that threads get in the order in which they asked for it."""

import threading
from collections import deque
from dataclasses import dataclass, field
from types import TracebackType


@dataclass(slots=True)
class FairLock:
    """A lock whose holder, if it asks again at once, comes after all that wait.

    ``threading.Lock`` would go to the holder again: the others have yet to wake up.
    """

    _changing: threading.Lock = field(default_factory=threading.Lock)
    _waiting: deque[threading.Lock] = field(default_factory=deque[threading.Lock])
    """A closed gate for each thread that waits."""
    _held: bool = False

    def __enter__(self) -> None:
        """Wait for the lock."""
        gate = threading.Lock()
        with self._changing:
            if not self._held:
                self._held = True
                return
            gate.acquire()
            self._waiting.append(gate)
        gate.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Hand the lock to the thread that has waited longest."""
        with self._changing:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._held = False
