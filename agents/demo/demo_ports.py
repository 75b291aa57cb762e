"""The ports of the demo's pages, known before anything has started."""

import socket
from dataclasses import dataclass
from typing import Self

from deidstream.agents.runtime.terminal import say

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class DemoPorts:
    """Where the two pages of the demo are."""

    operations: int
    review: int

    @classmethod
    def choose(cls, operations: int, review: int) -> Self:
        """Take the ports that are asked for; a free one for each that is taken, or is 0."""
        return cls(_choose(operations), _choose(review))

    @property
    def operations_url(self) -> str:
        """Address of the operations page."""
        return f"http://{LOOPBACK}:{self.operations}/"

    @property
    def review_url(self) -> str:
        """Address of the review page."""
        return f"http://{LOOPBACK}:{self.review}/"


def _choose(asked: int) -> int:
    try:
        return _bind(asked)
    except OSError:
        free = _bind(0)
        say(f"port {asked} is taken; {free} in its place")
        return free


def _bind(port: int) -> int:
    with socket.socket() as listener:
        # As the servers of the pages do: a port of a server that has just ended is free.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        taken: int = listener.getsockname()[1]
        return taken
