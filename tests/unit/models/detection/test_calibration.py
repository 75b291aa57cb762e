"""Scores that are probabilities: what counts as evidence, and what it weighs."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deidstream.models.detection.calibration import (
    CALIBRATION,
    Calibration,
    features_of,
    gather_evidence,
    is_calibrated,
    log_odds,
    write_calibration,
)
from deidstream.models.neural.weights import (
    SHIPPED_TAGGERS,
    digest,
    shipped_tagger,
    shipped_tagger_digest,
)
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import POSSIBLE, Span

DATE = Span(10, 20, PhiLabel.DATE, 0.97, "tagger")
SURE = Span(10, 20, PhiLabel.DATE, 0.999, POSSIBLE)
RULE = Span(8, 20, PhiLabel.DATE, 0.9, "rules:date.iso")
WEAK = Span(10, 20, PhiLabel.DATE, 0.02, POSSIBLE)

TEXT = "admitted 3/14/2025, seen by okonkwo"


SHIPPED = Calibration.read(shipped_tagger())


def scored(span: Span, *reports: Span) -> float:
    (calibrated,) = SHIPPED.calibrate(TEXT, (span,), reports)
    return calibrated.score


def test_evidence_goes_to_every_span_that_it_touches() -> None:
    first, second = Span(0, 5, PhiLabel.CITY), Span(6, 9, PhiLabel.STATE)
    across, beside = Span(3, 8, PhiLabel.CITY, 0.9, "rules:a.b"), Span(5, 6, PhiLabel.ZIP)
    assert gather_evidence((first, second), (across, beside)) == [[across], [across]]


def test_the_tagger_counts_with_its_highest_score() -> None:
    features = features_of(TEXT, DATE, (DATE, WEAK, SURE))
    assert features["tagger"] == features["time.tagger"] == log_odds(0.999)
    assert features["time"] == 1
    assert "rules" not in features


def test_a_rule_counts_by_itself_its_module_and_its_kind() -> None:
    features = features_of(
        TEXT, RULE, (RULE, Span(0, 9, PhiLabel.DATE, 1, "dictionary:date.feast"))
    )
    named = {"rules", "rules:date", "rules:date.iso", "dictionary", "dictionary:date", "several"}
    assert named <= features.keys()
    assert features["tagger"] == log_odds(0) < log_odds(0.001)


def test_a_swept_span_is_known_as_one() -> None:
    assert "sweep" in features_of(TEXT, Span(0, 4, PhiLabel.PATIENT, 0.9, "sweep"), ())


def test_more_evidence_makes_a_span_surer() -> None:
    alone, doubted = scored(RULE, RULE), scored(DATE, WEAK)
    assert doubted < scored(DATE, DATE) < scored(DATE, DATE, SURE) < scored(DATE, DATE, SURE, RULE)
    assert alone < scored(RULE, RULE, SURE)


@pytest.mark.parametrize("source", ["known", "dictionary:deny", "list:wards", "pattern:ward"])
def test_what_sender_and_site_state_is_certain(source: str) -> None:
    assert scored(Span(0, 4, PhiLabel.PATIENT, 1.0, source), WEAK) == 1.0


def test_a_pattern_that_is_unsure_is_raised_and_never_lowered() -> None:
    unsure = Span(SURE.start, SURE.end, SURE.label, 0.6, "pattern:ward")
    assert scored(unsure) == 0.6
    assert scored(unsure, SURE, RULE) > 0.9


@pytest.mark.parametrize(
    ("label", "source"),
    [
        (PhiLabel.DATE, "rules:date.iso_week"),
        (PhiLabel.IDNUM, "rules:national.grouped"),
        (PhiLabel.DOCTOR, "rules:name.initials_of_role"),
    ],
)
def test_what_is_one_thing_alone_needs_no_tagger(label: PhiLabel, source: str) -> None:
    assert scored(Span(0, 4, label, 1.0, source)) == 0.95
    assert scored(Span(0, 4, label, 0.99, source)) < 0.2


@settings(max_examples=50)
@given(st.floats(0, 1), st.sampled_from(PhiLabel), st.sampled_from(("a", "name.caret", "date.x")))
def test_a_score_is_a_rounded_probability(score: float, label: PhiLabel, source: str) -> None:
    result = scored(Span(0, 4, label, score, f"rules:{source}"), Span(0, 4, label, score, "tagger"))
    assert 0 <= result <= 1
    assert result == round(result, 3)


@given(
    st.sampled_from((DATE, RULE, Span(8, 20, PhiLabel.CITY, 0.4, "sweep"))),
    st.lists(st.sampled_from((DATE, SURE, WEAK, RULE, Span(9, 12, PhiLabel.CITY, 1, "known:a.b")))),
)
def test_a_score_is_the_probability_of_the_named_features(span: Span, reports: list[Span]) -> None:
    assert scored(span, *reports) == SHIPPED.probability(features_of(TEXT, span, reports))


def test_a_checkpoint_without_weights_has_the_shipped_ones(tmp_path: Path) -> None:
    assert Calibration.read(tmp_path) == SHIPPED
    write_calibration(tmp_path, {"always": -1.0}, {"notes": 2, "spans": 3})
    assert Calibration.read(tmp_path) == Calibration({"always": -1.0})


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"weights": {"a": "b"}}'])
def test_broken_weights_are_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / CALIBRATION).write_text(content)
    with pytest.raises(MissingArtefact, match=r"calibration\.json"):
        Calibration.read(tmp_path)


def test_weights_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact):
        write_calibration(tmp_path / "absent", {}, {})


@pytest.mark.parametrize("name", SHIPPED_TAGGERS)
def test_the_shipped_digest_covers_the_calibration(name: str) -> None:
    folder = shipped_tagger(name)
    assert (folder / CALIBRATION).exists()
    assert shipped_tagger_digest(name) == digest(folder)
    assert digest(folder) in (folder / "README.md").read_text()


def test_a_checkpoint_is_calibrated_where_weights_lie_beside_it(tmp_path: Path) -> None:
    assert not is_calibrated(tmp_path)
    (tmp_path / CALIBRATION).write_text('{"weights": {}}')
    assert is_calibrated(tmp_path)
    assert is_calibrated(shipped_tagger())
