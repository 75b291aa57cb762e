"""When a group counts as recovered from a fault, by the rule of the verdict and by a strict one."""

from collections.abc import Sequence
from dataclasses import dataclass

from harness.events import Event
from harness.samples import Sample

WINDOWS = 5
"""Consecutive windows with progress, by which a group counts as recovered."""
SPAN = 3
"""Seconds that a window looks back: on a busy machine one batch may take longer than a second."""
STRICT_SPAN = 1
"""The same by the strict rule, which is reported beside it and judges nothing."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """How long a group took to recover from one fault; ``None``: it was not seen to."""

    what: str
    took: float | None
    strict: float | None
    """Seconds by the strict rule."""
    limit: float
    late: bool
    """Whether it was later than the row allows."""
    strictly_late: bool
    """The same by the strict rule."""


def recoveries(events: Sequence[Event], samples: Sequence[Sample]) -> list[Recovery]:
    """Return the recovery from each fault of which something is known."""
    faults = [event.at for event in events if event.kind == "fault"]
    found: list[Recovery] = []
    for event in events:
        if event.kind != "healed":
            continue
        until = min((at for at in faults if at > event.at), default=float("inf"))
        took, strict = (recovered_after(samples, event.at, until, s) for s in (SPAN, STRICT_SPAN))
        # Where the next fault came before the limit and before progress, nothing is known.
        late, strictly_late = (
            until - event.at > event.limit if seconds is None else seconds > event.limit
            for seconds in (took, strict)
        )
        if took is not None or late:
            found.append(Recovery(event.what, took, strict, event.limit, late, strictly_late))
    return found


def recovered_after(
    samples: Sequence[Sample], healed: float, until: float, span: int = SPAN
) -> float | None:
    """Return the seconds from ``healed`` until the group makes progress again.

    Up to the end of the samples that means five consecutive windows with progress or without lag.
    Where the next fault came before, the first progress counts. ``None``: it never came.
    """
    later = [s for s in samples if healed <= s.at <= until]
    run: list[Sample] = []
    first: float | None = None
    for number, now in enumerate(later[1:], start=1):
        if not _progressed(later[max(0, number - span) : number], now):
            run.clear()
            continue
        first = now.at if first is None else first
        run.append(now)
        if len(run) == WINDOWS:
            return run[0].at - healed
    short = until < samples[-1].at if samples else True
    return first - healed if short and first is not None else None


def _progressed(before: Sequence[Sample], now: Sample) -> bool:
    if now.committed is None:
        return False
    known = [sample.committed for sample in before if sample.committed is not None]
    return now.lag == 0 or not known or now.committed > known[0]
