"""The figures of one worker, as it shows them to the other workers of its group."""

import typing
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self, cast

import orjson

from deidstream.agents.operations.running_counts import RunningCounts
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health

FORM = 2
"""Version of the published form; figures of another version are not read."""
_MOST = 2.0**53
"""Above it a figure is none that a worker shows, and sums may leave the range of numbers."""


@dataclass(frozen=True, slots=True)
class WorkerFigures:
    """Counts, states and digests of one worker; nothing of a note."""

    name: str
    """Host and port."""
    version: str
    up_seconds: float
    alive: bool
    missing: tuple[str, ...]
    away_seconds: Mapping[str, float]
    partitions: int
    lag: int
    oldest_seconds: float
    in_flight: int
    now_seconds: float
    now: Mapping[str, float]
    """Notes of the last seconds, by outcome."""
    window_seconds: float
    counts: Mapping[str, Mapping[str, float]]
    """Counts of the last quarter of an hour; see :class:`RunningCounts`."""
    slots: Mapping[str, Mapping[str, float]]
    """Notes by slot, for each length of slots."""
    hour: Mapping[str, float]
    """Replaced spans of the last hour, by label."""
    hour_notes: float
    """Notes of that hour that were emitted."""
    totals: Mapping[str, float]
    """Notes since the start, by outcome."""
    runs: tuple[Mapping[str, str], ...]
    """What runs: the labels of ``deid_info``."""
    engine: str
    redis: Mapping[str, object] = field(default_factory=dict[str, object])

    def encode(self) -> bytes:
        """Return it as JSON."""
        return orjson.dumps({"form": FORM, **asdict(self)})

    @classmethod
    def decode(cls, value: bytes) -> Self | None:
        """Read what another worker wrote; ``None`` where its form is another one.

        Whoever may write to Redis may have written it, so every figure has to be of its type.
        """
        try:
            fields: dict[str, Any] = orjson.loads(value)
            form = fields.pop("form")
            typed = all(_fits(each, _KINDS[name]) for name, each in fields.items())
            return cls(**fields) if form == FORM and typed else None
        except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
            return None

    def window(self) -> RunningCounts:
        """Return the counts of the last quarter of an hour."""
        return RunningCounts({name: dict(parts) for name, parts in self.counts.items()})


_KINDS: Mapping[str, Any] = typing.get_type_hints(WorkerFigures)


def _fits(value: object, kind: Any) -> bool:  # noqa: ANN401 - a type, or one of its parts
    """Return whether a value of JSON is of the type that a figure has."""
    inner = typing.get_args(kind)
    if typing.get_origin(kind) is tuple:
        several = cast("list[object]", value) if isinstance(value, list) else [None]
        return all(_fits(each, inner[0]) for each in several)
    if typing.get_origin(kind) is Mapping:
        parts = cast("dict[str, object]", value) if isinstance(value, dict) else {"": None}
        return all(_fits(each, inner[1]) for each in parts.values())
    if kind is float:
        return type(value) in {int, float} and -_MOST < cast("float", value) < _MOST
    return kind is object or type(value) is kind


def read_runs() -> tuple[dict[str, str], ...]:
    """Return what runs, from the labels of ``deid_info``; nothing while models load."""
    series = metrics.read_series()
    return tuple(dict(labels) for labels in series.get("deid_info", {}))


def read_redis(health: Health) -> dict[str, object]:
    """Return what is known of Redis: faults and memory."""
    series = metrics.read_series()
    faults = series.get("deid_redis_fault", {})

    def sole(name: str) -> float:
        return series.get(name, {}).get((), 0.0)

    return {
        "away": "redis" in health.away,
        "faults": sorted(dict(labels)["fault"] for labels, on in faults.items() if on),
        "memory_bytes": sole("deid_redis_memory_bytes"),
        "memory_limit_bytes": sole("deid_redis_memory_limit_bytes"),
        "evicted": sole("deid_redis_evicted_keys"),
    }
