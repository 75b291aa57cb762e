"""Every change of a span between two steps of detection has a named cause."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pytest

from deidstream.models.detection.detector import Detector
from deidstream.models.detection.review_marks import REVIEWED, MarkedNote, ReviewMarks
from deidstream.models.explanation.explain_run import AskedPlace
from deidstream.models.explanation.explained_note import SpanDecision
from deidstream.models.explanation.span_decisions import list_decisions
from deidstream.models.records import Decision, Detected
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import Combine, OperatorName, Policy, RecognizerName, Technique
from deidstream.schemas.span import POSSIBLE, Span
from support.explaining import Listed

BOTH = frozenset({RecognizerName.RULES, RecognizerName.TAGGER})
POLICY = Policy(
    "test",
    Technique.REDACT,
    BOTH,
    MappingProxyType(dict.fromkeys(PhiLabel, OperatorName.REDACT)),
    combine=Combine.CORROBORATED,
)


@dataclass(frozen=True, slots=True)
class Halves:
    """Halves every score."""

    def calibrate(
        self,
        text: str,  # noqa: ARG002  named as the protocol has it
        spans: Sequence[Span],
        reports: Sequence[Span],
    ) -> tuple[Span, ...]:
        return tuple(span.scored(span.score / 2) if reports else span for span in spans)


@dataclass(frozen=True, slots=True)
class Case:
    """A note in which one decision changes what is reported."""

    decision: Decision
    text: str
    asked: str
    """The place that is asked for."""
    rules: tuple[tuple[str, PhiLabel, float], ...] = ()
    tagger: tuple[tuple[str, PhiLabel, float], ...] = ()
    calibrated: bool = False
    policy: Policy = POLICY
    marks: ReviewMarks = field(default_factory=ReviewMarks)
    detail: str = ""

    def detect(self) -> Detected:
        """Detect in the note."""
        note = RawNote("n", "p", self.text)
        recognizers = (Listed("rules", self.rules), Listed("tagger", self.tagger))
        marks = {MarkedNote.of(note): self.marks}
        return Detector(
            self.policy, recognizers, Halves() if self.calibrated else None, marks
        ).detect([note])[0]

    def decisions(self) -> tuple[SpanDecision, ...]:
        """The decisions at the place."""
        start = self.text.index(self.asked)
        (found,) = list_decisions(
            self.detect(), self.policy, [AskedPlace(start, start + len(self.asked))]
        )
        return found


def only(label: PhiLabel, least: float) -> Policy:
    """The policy with a threshold."""
    return replace(POLICY, thresholds=MappingProxyType({label: least}))


P, D, C = PhiLabel.PATIENT, PhiLabel.DATE, PhiLabel.CITY
HL7 = "MSH|^~\\&|LAB|HOSP|EHR|HOSP|20240304||ORU^R01|1|P|2.5\rPID|1||4711||VANTERPOOL^QUENTIN\r"
CASES = (
    Case(
        Decision.CORROBORATED,
        "Ward was calm",
        "Ward",
        rules=(("Ward", P, 0.7),),
        detail="less than 0.96, and the tagger sees no PHI",
    ),
    Case(
        Decision.NOT_PHI,
        "Seen by Hill today",
        "Hill",
        tagger=(("Hill", P, 0.99),),
        policy=replace(POLICY, allow=("hill",)),
        detail="on the allow list of the policy",
    ),
    Case(
        Decision.NOT_PHI,
        "Moved to Tele",
        "Tele",
        tagger=(("Tele", C, 1.0),),
        detail="on the built-in list of equipment",
    ),
    Case(
        Decision.ALLOWED,
        "Larkin palsy since May",
        "Larkin",
        tagger=(("Larkin", P, 0.99),),
        policy=replace(POLICY, allow=("larkin palsy",)),
        detail="in a phrase that the policy allows",
    ),
    Case(Decision.CLINICAL, "Pain 3/10 today", "3/10", tagger=(("3/10", D, 0.9),)),
    Case(Decision.HIDDEN, "Mr. Oka-\nfor left", "Oka-\nfor", tagger=(("Okafor", P, 0.9),)),
    Case(Decision.FORM, HL7, "VANTERPOOL"),
    Case(Decision.TRIMMED, "Aunty Maureen left", "Aunty", tagger=(("Aunty Maureen", P, 0.99),)),
    Case(
        Decision.RECONCILED,
        "4 Main St, Corran",
        "Corran",
        rules=(("4 Main St, Corran", PhiLabel.STREET, 0.97),),
        tagger=(("4 Main St", PhiLabel.STREET, 1.0),),
    ),
    Case(
        Decision.CALIBRATED, "Okafor left", "Okafor", tagger=(("Okafor", P, 0.8),), calibrated=True
    ),
    Case(
        Decision.THRESHOLD,
        "Okafor left",
        "Okafor",
        tagger=(("Okafor", P, 0.4),),
        policy=only(P, 0.5),
        detail="PATIENT needs 0.5",
    ),
    Case(
        Decision.SWEPT,
        "Dr. Okafor left. Then okafor came",
        "okafor",
        tagger=(("Okafor", P, 0.9),),
        detail="repeats [4, 10)",
    ),
    Case(
        Decision.REPEATED,
        "Ada Okafor left. Okafor, too",
        "Okafor, too",
        tagger=(("Ada Okafor", P, 0.98), ("Okafor, t", P, 0.7)),
        calibrated=True,
    ),
    Case(
        Decision.REVIEWED,
        "Okafor left",
        "Okafor",
        tagger=(("Okafor", P, 0.9),),
        marks=ReviewMarks(cleared=(Span(0, 6, P),)),
    ),
    Case(
        Decision.REVIEWED,
        "Okafor left",
        "left",
        marks=ReviewMarks(marked=(Span(7, 11, P, 1.0, REVIEWED),)),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.decision}-{case.asked.strip()}")
def test_a_decision_is_named(case: Case) -> None:
    named = {one.decision: one for one in case.decisions()}
    assert case.decision in named
    one = named[case.decision]
    assert set(one.before) != set(one.after)
    assert one.detail == case.detail


def test_every_decision_has_a_case() -> None:
    assert {case.decision for case in CASES} == set(Decision) - {Decision.REPORTED}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.decision}-{case.asked.strip()}")
def test_decisions_lead_from_what_is_reported_to_what_is_found(case: Case) -> None:
    detected, start = case.detect(), case.text.index(case.asked)
    end = start + len(case.asked)

    def touching(spans: Sequence[Span]) -> set[Span]:
        return {span for span in spans if span.start < end and start < span.end}

    spans = touching([one for one in detected.steps[0].spans if one.source != POSSIBLE])
    for decision in case.decisions():
        assert set(decision.before) == spans
        spans = set(decision.after)
    assert spans == touching(detected.spans)
    assert detected.steps[-1].spans == detected.spans


def test_what_is_possible_to_the_tagger_is_no_span() -> None:
    case = Case(Decision.CORROBORATED, "Ward was calm", "Ward")
    note = RawNote("n", "p", case.text)
    detector = Detector(POLICY, (Listed(POSSIBLE, (("Ward", P, 0.1),)),))
    (found,) = list_decisions(detector.detect([note])[0], POLICY, [AskedPlace(0, 4)])
    assert found == ()


def test_a_place_beside_what_changes_has_no_decisions() -> None:
    (case,) = [one for one in CASES if one.decision is Decision.CLINICAL]
    (found,) = list_decisions(case.detect(), case.policy, [AskedPlace(0, 4)])
    assert found == ()
