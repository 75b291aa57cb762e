"""Where a text holds what a message states."""

from typing import NamedTuple

from deidstream.schemas.label import PhiLabel


class KnownMatch(NamedTuple):
    """A stretch ``[start, end)`` that a message states, or nearly states."""

    start: int
    end: int
    label: PhiLabel
    exact: bool
    """Whether it is what the message states rather than a form that resembles it."""
