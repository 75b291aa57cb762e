"""The line that a worker logs each minute."""

import logging

import pytest

from deidstream.agents.operations.throughput import ThroughputLog
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from deidstream.stream.observing.logs import FIELD


def test_a_line_holds_what_happened_since_the_last(caplog: pytest.LogCaptureFixture) -> None:
    now = 0.0
    health = Health(60, started=True, assigned=1)
    line = ThroughputLog(health, lambda: now)
    metrics.count("deid_notes_total", "emitted", by=90)
    metrics.count("deid_notes_total", "quarantined", by=3)
    metrics.observe("deid_batch_fill_ratio", 0.5)
    metrics.observe("deid_batch_fill_ratio", 1.0)
    health.record_backlog(12)
    now = 60.0
    with caplog.at_level(logging.INFO, "deidstream.worker"):
        line.write()
        health.record_probe("kafka", answers=False)
        now = 120.0
        line.write()
    lines = [record for record in caplog.records if record.msg == "throughput"]
    first, second = (getattr(record, FIELD) for record in lines)
    assert first == {
        "notes": 90,
        "notes_per_second": 1.5,
        "quarantined": 3,
        "lag": 12,
        "batch_fill": 0.75,
        "away": None,
    }
    assert (second["notes"], second["batch_fill"], second["away"]) == (0, None, "kafka")
