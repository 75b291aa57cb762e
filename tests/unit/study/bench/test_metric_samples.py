"""Metrics that are read back and subtracted."""

from deidstream.stream.observing import metrics
from deidstream.study.bench.in_process import lane_idle, summarise_stages
from deidstream.study.bench.metric_samples import MetricSamples

EARLY = """
# TYPE deid_stage_seconds histogram
deid_stage_seconds_bucket{le="+Inf",stage="detect"} 1.0
deid_stage_seconds_sum{stage="detect"} 1.0
deid_stage_seconds_count{stage="detect"} 1.0
# TYPE deid_event_loop_lag_seconds histogram
deid_event_loop_lag_seconds_bucket{le="0.01"} 90.0
deid_event_loop_lag_seconds_bucket{le="0.1"} 100.0
deid_event_loop_lag_seconds_bucket{le="+Inf"} 100.0
"""
LATE = (
    EARLY.replace('sum{stage="detect"} 1.0', 'sum{stage="detect"} 4.0')
    .replace("90.0", "190.0")
    .replace("100.0", "200.0")
)


def test_what_was_added_is_what_is_left_after_subtraction() -> None:
    added = MetricSamples.parse(LATE).since(MetricSamples.parse(EARLY))
    assert added.total("deid_stage_seconds_sum") == 3.0
    stages = summarise_stages([added, added], notes=10)
    assert (stages["detect"].ms, stages["detect"].share) == (300.0, 1.0)
    assert list(stages) == ["detect"]


def test_a_quantile_is_the_bound_of_its_bucket() -> None:
    late = MetricSamples.parse(LATE)
    assert late.quantile("deid_event_loop_lag_seconds", 0.95) == 0.01
    assert late.quantile("deid_event_loop_lag_seconds", 0.99) == 0.1
    assert late.quantile("deid_note_e2e_seconds", 0.99) == 0


def test_a_mean_of_nothing_is_zero() -> None:
    assert MetricSamples({}).mean("deid_batch_notes") == 0


def test_own_metrics_are_read() -> None:
    before = MetricSamples.read_own()
    metrics.count("deid_batch_tokens_total", by=7)
    assert MetricSamples.read_own().since(before).total("deid_batch_tokens_total") == 7


def test_a_lane_is_idle_when_it_computes_nothing() -> None:
    added = MetricSamples({("deid_lane_busy_seconds_total", frozenset()): 3.0})
    assert list(lane_idle(added, 4.0)) == [("lane", 0.25)]
    assert list(lane_idle(added, 2.0)) == [("lane", 0.0)]
