"""Metrics: a closed catalogue; labels come from closed sets, histograms are in seconds."""

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from types import MappingProxyType
from typing import Literal, get_args

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

from deidstream.schemas.errors import LeakKind

CounterName = Literal[
    "deid_notes_total",
    "deid_quarantine_total",
    "deid_batch_tokens_total",
    "deid_batch_halved_total",
    "deid_lane_busy_seconds_total",
    "deid_surrogate_lookups_total",
    "deid_risk_level_total",
    "deid_dates_unread_total",
    "deid_entities_total",
    "deid_leak_scan_hits_total",
    "deid_unavailable_total",
    "deid_policy_reloads_total",
    "deid_redis_lost_total",
    "deid_lost_to_retention_total",
]
GaugeName = Literal[
    "deid_lane_queue",
    "deid_consumer_lag",
    "deid_last_progress_timestamp_seconds",
    "deid_notes_in_flight",
    "deid_info",
    "deid_policy_refused",
    "deid_redis_fault",
    "deid_breaker_state",
]
HistogramName = Literal[
    "deid_note_e2e_seconds",
    "deid_stage_seconds",
    "deid_redis_seconds",
    "deid_event_loop_lag_seconds",
    "deid_batch_notes",
    "deid_batch_fill_ratio",
]
HELP: Mapping[str, str] = MappingProxyType(
    {
        "deid_notes_total": "Notes by what became of them: emitted or quarantined.",
        "deid_quarantine_total": "Quarantined notes by reason code.",
        "deid_batch_tokens_total": (
            "Word pieces that went through the lanes; those of short notes are estimated."
        ),
        "deid_batch_halved_total": "Batches that failed as a whole and were halved.",
        "deid_lane_busy_seconds_total": (
            "Busy seconds by lane. models: a model has computed. text: processor seconds of all "
            "else that is done to notes."
        ),
        "deid_surrogate_lookups_total": (
            "Surrogates by origin: recalled, claimed, shared since their pool is nearly "
            "used up, or displaced by an original of the note."
        ),
        "deid_risk_level_total": "Risk levels of emitted notes.",
        "deid_dates_unread_total": (
            "Dates that were to be moved, counted or shortened, and could be redacted only."
        ),
        "deid_entities_total": "Replaced spans by PHI label.",
        "deid_leak_scan_hits_total": (
            "Notes in whose output the verifier found original PHI, by the check that saw it."
        ),
        "deid_unavailable_total": "Times a service was unavailable.",
        "deid_policy_reloads_total": (
            "Changed policies by what became of them: applied or refused."
        ),
        "deid_redis_lost_total": "Times Redis was seen to have lost claims of this worker.",
        "deid_lost_to_retention_total": "Messages that retention deleted before they were read.",
        "deid_lane_queue": "Groups of notes waiting for the lanes, in them, or being delivered.",
        "deid_consumer_lag": "Messages of a partition not yet acknowledged.",
        "deid_last_progress_timestamp_seconds": (
            "When a note was last acknowledged, in seconds of the Unix clock."
        ),
        "deid_notes_in_flight": "Notes taken and not yet acknowledged.",
        "deid_info": "Always 1; its labels say what runs.",
        "deid_policy_refused": (
            "Policies whose files are refused, so that what they held before is in force."
        ),
        "deid_redis_fault": "1 for each thing about Redis that is not as it should be.",
        "deid_breaker_state": (
            "Whether calls reach the service: 0 closed, they do; 1 half open, one tries; 2 "
            "open, none does."
        ),
        "deid_note_e2e_seconds": (
            "From the message's creation to the broker's confirmation of its outputs."
        ),
        "deid_stage_seconds": (
            "Seconds of a batch in one stage, without its wait for models that compute for another."
        ),
        "deid_redis_seconds": "Seconds of one round trip to Redis.",
        "deid_event_loop_lag_seconds": "How late the event loop wakes.",
        "deid_batch_notes": "Notes in a batch.",
        "deid_batch_fill_ratio": "Tokens of a batch as share of the budget.",
    }
)
"""What each metric says, as Prometheus and Grafana show it."""

METRIC_NAMES = frozenset(
    (*get_args(CounterName), *get_args(GaugeName), *get_args(HistogramName)),
)

_LABELS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "deid_notes_total": ("outcome",),
        "deid_quarantine_total": ("reason",),
        "deid_leak_scan_hits_total": ("kind",),
        "deid_lane_busy_seconds_total": ("lane",),
        "deid_surrogate_lookups_total": ("result",),
        "deid_risk_level_total": ("level",),
        "deid_entities_total": ("label",),
        "deid_unavailable_total": ("service",),
        "deid_policy_reloads_total": ("result",),
        "deid_consumer_lag": ("topic", "partition"),
        "deid_redis_fault": ("fault",),
        "deid_breaker_state": ("service",),
        "deid_info": ("version", "policy", "policy_sha256", "index", "tagger", "key_version"),
        "deid_stage_seconds": ("stage",),
        "deid_redis_seconds": ("call",),
    }
)
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
_BUCKETS: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {
        "deid_batch_notes": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512),
        "deid_batch_fill_ratio": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    }
)

REGISTRY = CollectorRegistry()
_COUNTERS = {
    name: Counter(name.removesuffix("_total"), HELP[name], _LABELS.get(name, ()), registry=REGISTRY)
    for name in get_args(CounterName)
}
for _kind in LeakKind:
    # A series that first appears with its first leak has no increase to raise an alert.
    _COUNTERS["deid_leak_scan_hits_total"].labels(_kind)
_GAUGES = {
    name: Gauge(name, HELP[name], _LABELS.get(name, ()), registry=REGISTRY)
    for name in get_args(GaugeName)
}
_HISTOGRAMS = {
    name: Histogram(
        name,
        HELP[name],
        _LABELS.get(name, ()),
        registry=REGISTRY,
        buckets=_BUCKETS.get(name, _SECONDS),
    )
    for name in get_args(HistogramName)
}


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
    pairs = dict(zip(_LABELS.get(name, ()), labels, strict=True))
    return REGISTRY.get_sample_value(name, pairs) or 0.0


def exposition() -> bytes:
    """Everything in Prometheus' text form."""
    return generate_latest(REGISTRY)
