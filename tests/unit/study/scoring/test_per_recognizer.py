from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from deidstream.models.detection.calibration import Calibration
from deidstream.models.detection.detector import Detector
from deidstream.models.neural.weights import shipped_tagger
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import DetectionPolicy, Profile
from deidstream.schemas.span import Span
from deidstream.study.scoring.per_recognizer import RAW, UNION, detect_separately
from support.notes import note

TEXT = "Ada Okoro of Zell. Foley placed. okoro agreed."


@dataclass(frozen=True, slots=True)
class Fixed:
    """Finds the same in every note, and counts its calls."""

    name: str
    spans: tuple[Span, ...]
    calls: list[int] = field(default_factory=list[int])

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        self.calls.append(len(notes))
        return [self.spans for _ in notes]


def detector(*recognizers: Fixed) -> Detector:
    policy = replace(
        read_shipped_policy("surrogate"),
        thresholds=MappingProxyType({PhiLabel.CITY: 0.5}),
        detection=DetectionPolicy(Profile.STRICT),
    )
    return Detector(policy, recognizers)


def test_each_runs_once_and_stands_alone_and_in_the_union() -> None:
    rules = Fixed("rules", (Span(0, 3, PhiLabel.PATIENT, 0.98, "rules:a"),))
    tagger = Fixed("tagger", (Span(2, 9, PhiLabel.PATIENT, 0.8, "tagger"),))
    found = detect_separately(detector(rules, tagger), [note(text=TEXT), note(2, text=TEXT)])
    assert list(found) == ["rules", "tagger", UNION]
    assert rules.calls == tagger.calls == [2]
    assert [len(found[name][0]) for name in ("rules", "tagger")] == [1, 1]
    assert found["rules"][0] == rules.spans
    # The union is swept: the surname that comes again is found, by no recognizer alone.
    assert [(span.start, span.end) for span in found[UNION][1]] == [(0, 9), (33, 38)]


def test_alone_counts_what_the_policy_lets_through() -> None:
    tagger = Fixed(
        "tagger",
        (
            Span(19, 24, PhiLabel.PATIENT, 0.9, "tagger"),
            Span(0, 3, PhiLabel.PATIENT, 0.9, "tagger"),
            Span(0, 9, PhiLabel.DOCTOR, 0.7, "tagger"),
        ),
    )
    city = Fixed("rules", (Span(13, 17, PhiLabel.CITY, 0.4, "rules:a"),))
    found = detect_separately(detector(tagger, city), [note(text=TEXT)])
    # A threshold is of the union alone, whose scores are probabilities.
    assert found["rules"][0] == city.spans
    assert PhiLabel.CITY not in {span.label for span in found[UNION][0]}
    assert [(s.start, s.end, s.label) for s in found["tagger"][0]] == [(0, 9, PhiLabel.PATIENT)]


def test_the_union_is_what_the_detector_finds() -> None:
    parts = (
        Fixed("rules", (Span(0, 3, PhiLabel.PATIENT, 0.98, "rules:a"),)),
        Fixed("tagger", (Span(2, 9, PhiLabel.DOCTOR, 0.8, "tagger"),)),
    )
    notes = [note(text=TEXT)]
    detected = detector(*parts).detect(notes)
    assert detect_separately(detector(*parts), notes)[UNION] == [each.spans for each in detected]


def test_a_note_with_something_hidden_has_a_report_like_any_other() -> None:
    rules = Fixed("rules", (Span(0, 3, PhiLabel.PATIENT, 0.98, "rules:a"),))
    found = detect_separately(
        detector(rules), [note(text="Ada Qu\u00adill saw Zo\u200bra."), note(2)]
    )
    assert [len(report) for report in found.values()] == [2, 2]
    assert rules.calls[0] > 2


def test_the_scores_before_calibration_are_kept_beside() -> None:
    rules = Fixed("rules", (Span(0, 3, PhiLabel.IDNUM, 0.98, "rules:id.record"),))
    calibrated = replace(detector(rules), calibration=Calibration.read(shipped_tagger()))
    notes = [note(text="417 of Zell"), note(2, text="Ada Qu\u00adill")]
    found = detect_separately(calibrated, notes)
    assert list(found) == ["rules", RAW, UNION]
    assert rules.calls == [len(rules.calls) + 2]
    assert found[RAW][0][0].score == 0.98
    assert found[UNION][0][0].score < 0.98
