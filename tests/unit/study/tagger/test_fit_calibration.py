"""Fitted weights give back the shares that they were fitted to."""

import pytest

from deidstream.models.detection.calibration import Calibration, features_of
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.tagger.fit_calibration import (
    RARE,
    EvidenceRecorder,
    JudgedEvidence,
    fit_weights,
)

TEXT = "admitted 3/14/2025"


def examples(span: Span, right: int, wrong: int) -> list[JudgedEvidence]:
    features = features_of(TEXT, span, (span,))
    return [JudgedEvidence(features, span.score, place < right) for place in range(right + wrong)]


def tagged(score: float) -> Span:
    return Span(0, 4, PhiLabel.PATIENT, score, "tagger")


def test_a_score_is_the_share_that_was_right() -> None:
    sure, doubtful = tagged(0.999), tagged(0.8)
    learnt = examples(sure, 990, 10) + examples(doubtful, 300, 700)
    calibration = Calibration(fit_weights(learnt))
    (first,) = calibration.calibrate(TEXT, (sure,), (sure,))
    (second,) = calibration.calibrate(TEXT, (doubtful,), (doubtful,))
    assert first.score == pytest.approx(0.99, abs=0.01)
    assert second.score == pytest.approx(0.3, abs=0.01)


def test_a_rule_that_errs_weighs_less_than_its_neighbour() -> None:
    good = Span(0, 4, PhiLabel.PATIENT, 0.9, "rules:name.good")
    bad = Span(0, 4, PhiLabel.PATIENT, 0.9, "rules:name.bad")
    weights = fit_weights(examples(good, 95, 5) + examples(bad, 5, 95))
    assert weights["rules:name.bad"] < 0 < weights["rules:name.good"]


def test_a_rare_rule_has_no_weight_of_its_own() -> None:
    rare = Span(0, 4, PhiLabel.PATIENT, 0.9, "rules:name.rare")
    often = Span(0, 4, PhiLabel.PATIENT, 0.9, "rules:name.often")
    weights = fit_weights(examples(rare, RARE - 1, 0) + examples(often, 5, 5))
    assert "rules:name.rare" not in weights
    assert "rules:name" in weights


@pytest.mark.parametrize(("right", "wrong"), [(0, 0), (5, 0), (0, 5)])
def test_one_sided_examples_are_refused(right: int, wrong: int) -> None:
    with pytest.raises(ValueError, match="the spans are all"):
        fit_weights(examples(tagged(0.9), right, wrong))


def test_the_recorder_changes_no_score() -> None:
    recorder, span = EvidenceRecorder(), tagged(0.8)
    assert recorder.calibrate(TEXT, (span,), (span,)) == (span,)
    assert recorder.calls == [[(span, features_of(TEXT, span, (span,)))]]
