"""Trace where the time of notes goes; what is told are names, counts, sizes and keyed digests.

OpenTelemetry calls a step a span; here a span is a stretch of text. Nothing is traced until a
process names a tracer (``use``), and then only what belongs to a group of messages.
"""

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import Context
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, Unpack

from deidstream.schemas.errors import Stage
from deidstream.schemas.outcome import Coordinates, Outcome

HEADER = "traceparent"
"""The header of a message that says which trace it belongs to (W3C Trace Context)."""
StepName = Literal["batch"] | Stage


class Counts(TypedDict, total=False):
    """What a step may say beside its name."""

    names: int
    """Surrogates that Redis is asked for."""
    notes: int
    records: int
    tokens: int
    """Word pieces."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """What a trace may know of a message that is taken."""

    source: Coordinates
    traceparent: str | None
    """The value of its header; whatever the sender put there."""
    size_bytes: int
    created: float | None
    """When it was created, in seconds of the Unix clock."""


class GroupTrace(Protocol):
    """The trace of messages that are taken together."""

    @property
    def context(self) -> Context | None:
        """In which the group's work runs, so that its steps belong to it; ``None``: any."""
        ...

    @property
    def traceparents(self) -> Sequence[bytes | None]:
        """The header of each message's outputs; ``None``: none."""
        ...

    def end_note(self, number: int, outcome: Outcome) -> None:
        """Say what became of a message whose outputs are delivered."""
        ...

    def end(self) -> None:
        """End the group; messages that have no outcome by now were given up."""
        ...


class Tracer(Protocol):
    """Tells steps to whoever keeps traces."""

    def step(self, name: StepName, counts: Counts) -> AbstractContextManager[None]:
        """Time the body as a step of what runs now."""
        ...

    def begin_group(self, arrivals: Sequence[Arrival]) -> GroupTrace:
        """Begin the trace of messages that are taken together."""
        ...


@dataclass(frozen=True, slots=True)
class _Untraced:
    """The trace of a group where nothing is traced."""

    traceparents: Sequence[bytes | None]
    context: Context | None = None

    def end_note(self, number: int, outcome: Outcome) -> None:
        """Tell nothing."""

    def end(self) -> None:
        """Tell nothing."""


@dataclass(slots=True)
class _Process:
    tracer: Tracer | None = None


_PROCESS = _Process()


@contextmanager
def use(tracer: Tracer | None) -> Generator[None]:
    """Tell the steps of this process to a tracer while the body runs."""
    before, _PROCESS.tracer = _PROCESS.tracer, tracer
    try:
        yield
    finally:
        _PROCESS.tracer = before


@contextmanager
def step(name: StepName, **counts: Unpack[Counts]) -> Generator[None]:
    """Trace the body as a step of what runs now."""
    if _PROCESS.tracer is None:
        yield
        return
    with _PROCESS.tracer.step(name, counts):
        yield


def begin_group(arrivals: Sequence[Arrival]) -> GroupTrace:
    """Begin the trace of messages that are taken together."""
    if _PROCESS.tracer is None:
        return _Untraced([None] * len(arrivals))
    return _PROCESS.tracer.begin_group(arrivals)
