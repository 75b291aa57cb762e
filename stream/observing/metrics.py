"""Metrics: a closed catalogue; labels come from closed sets, histograms are in seconds."""

import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from deidstream.schemas.errors import LeakKind
from deidstream.schemas.outcome import LevelRule, RiskLevel
from deidstream.stream.observing.metric_catalogue import (
    BUCKETS,
    HELP,
    LABELS,
    METRIC_NAMES,
    SECONDS,
    CounterName,
    GaugeName,
    HistogramName,
)

__all__ = [
    "HELP",
    "METRIC_NAMES",
    "REGISTRY",
    "CounterName",
    "GaugeName",
    "HistogramName",
    "clear_gauge",
    "count",
    "drop_gauge",
    "exposition",
    "gauge",
    "labels_of",
    "observe",
    "observe_time",
    "read_series",
    "sole_gauge",
    "value",
]

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
_COUNTERS = {
    name: Counter(name.removesuffix("_total"), HELP[name], LABELS.get(name, ()), registry=REGISTRY)
    for name in get_args(CounterName)
}
for _kind in LeakKind:
    # A series that first appears with its first leak has no increase to raise an alert.
    _COUNTERS["deid_leak_scan_hits_total"].labels(_kind)
for _level in RiskLevel:
    # Without a red note the share of red notes is 0: a series that is missing has no share.
    for _rule in LevelRule:
        _COUNTERS["deid_risk_level_total"].labels(_level, _rule)
_GAUGES = {
    name: Gauge(name, HELP[name], LABELS.get(name, ()), registry=REGISTRY)
    for name in get_args(GaugeName)
}
_HISTOGRAMS = {
    name: Histogram(
        name,
        HELP[name],
        LABELS.get(name, ()),
        registry=REGISTRY,
        buckets=BUCKETS.get(name, SECONDS),
    )
    for name in get_args(HistogramName)
}


def labels_of(name: str) -> tuple[str, ...]:
    """Return the labels of a metric, in the catalogue's order."""
    return LABELS.get(name, ())


def count(name: CounterName, *labels: str, by: float = 1) -> None:
    """Add to a counter; ``labels`` in the catalogue's order."""
    (_COUNTERS[name].labels(*labels) if labels else _COUNTERS[name]).inc(by)


def gauge(name: GaugeName, value: float, *labels: str) -> None:
    """Set a gauge; ``labels`` in the catalogue's order."""
    (_GAUGES[name].labels(*labels) if labels else _GAUGES[name]).set(value)


def sole_gauge(name: GaugeName, value: float, *labels: str) -> None:
    """Set a gauge and drop it under all other labels; ``labels`` in the catalogue's order."""
    _GAUGES[name].clear()
    gauge(name, value, *labels)


def clear_gauge(name: GaugeName) -> None:
    """Drop a gauge under all labels."""
    _GAUGES[name].clear()


def drop_gauge(name: GaugeName, *labels: str) -> None:
    """Drop a gauge under these labels; ``labels`` in the catalogue's order."""
    with suppress(KeyError):
        _GAUGES[name].remove(*labels)


def observe(name: HistogramName, value: float, *labels: str) -> None:
    """Add to a histogram; ``labels`` in the catalogue's order."""
    (_HISTOGRAMS[name].labels(*labels) if labels else _HISTOGRAMS[name]).observe(value)


@contextmanager
def observe_time(name: HistogramName, *labels: str) -> Generator[None]:
    """Observe how long the body took, also when it raises."""
    start = time.perf_counter()
    try:
        yield
    finally:
        observe(name, time.perf_counter() - start, *labels)


def value(name: CounterName, *labels: str) -> float:
    """Read a counter, for the demo's table."""
    pairs = dict(zip(LABELS.get(name, ()), labels, strict=True))
    return REGISTRY.get_sample_value(name, pairs) or 0.0


def read_series() -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Return the value of every series of this process by its name, then by its labels."""
    found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in REGISTRY.collect():
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sample.labels.items())] = sample.value
    return found


def exposition() -> bytes:
    """Everything in Prometheus' text form."""
    return generate_latest(REGISTRY)
