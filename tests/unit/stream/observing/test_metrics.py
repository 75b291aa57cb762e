"""The catalogue of metrics."""

import pytest

from deidstream.schemas.errors import LeakKind
from deidstream.schemas.outcome import LevelRule, RiskLevel
from deidstream.stream.observing import metrics
from deidstream.stream.observing.metric_catalogue import HELP, METRIC_NAMES


def test_every_name_is_exposed_with_its_prefix() -> None:
    exposed = metrics.exposition().decode()
    for name in METRIC_NAMES:
        assert name.startswith("deid_")
        help_text = HELP[name]
        assert f"# HELP {name} {help_text}\n" in exposed


def test_help_is_a_sentence_and_not_the_name() -> None:
    assert HELP.keys() == METRIC_NAMES
    for name, help_text in HELP.items():
        assert name not in help_text
        assert help_text[0].isupper() or help_text[0].isdigit()
        assert help_text.endswith(".")
        assert len(help_text.split()) > 2


def test_a_counter_counts() -> None:
    before = metrics.value("deid_notes_total", "emitted")
    metrics.count("deid_notes_total", "emitted", by=2)
    assert metrics.value("deid_notes_total", "emitted") == before + 2


def test_a_body_that_raises_is_timed_too() -> None:
    def samples() -> float:
        sample = "deid_redis_seconds_count"
        return metrics.REGISTRY.get_sample_value(sample, {"call": "recall"}) or 0

    before = samples()
    with (
        pytest.raises(ValueError, match="planted"),
        metrics.observe_time("deid_redis_seconds", "recall"),
    ):
        raise ValueError("planted")  # noqa: EM101
    assert samples() == before + 1


def test_a_sole_gauge_drops_what_was_said_before() -> None:
    labels = ("0.1.0", "site", "0" * 64, "", "", "1")
    metrics.sole_gauge("deid_info", 1, *labels)
    metrics.sole_gauge("deid_info", 1, *labels[:2], "f" * 64, *labels[3:])
    exposed = metrics.exposition().decode()
    assert "f" * 64 in exposed
    assert "0" * 64 not in exposed


def test_every_kind_of_leak_is_exposed_before_the_first() -> None:
    exposed = metrics.exposition().decode()
    for kind in LeakKind:
        assert f'deid_leak_scan_hits_total{{kind="{kind}"}}' in exposed


def test_every_risk_level_is_exposed_before_its_first_note() -> None:
    exposed = metrics.exposition().decode()
    for level in RiskLevel:
        for rule in LevelRule:
            assert f'deid_risk_level_total{{level="{level}",rule="{rule}"}}' in exposed
