"""Outcomes for tests of what comes after the verifier.

The verifier alone holds the seal, so a permit is had from it by verifying a note without PHI.
"""

from types import MappingProxyType

from deidstream.models.records import Planned, Substituted
from deidstream.models.verification.verifier import verify
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import PolicyStamp
from deidstream.schemas.outcome import Anonymized, AnonymizedNote, RiskLevel, RiskReport
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.policy import OperatorName, Policy, RecognizerName, Technique
from support.detected import as_detected
from support.notes import note, stamp

POLICY = Policy(
    "test",
    Technique.REDACT,
    frozenset({RecognizerName.RULES}),
    MappingProxyType(dict.fromkeys(PhiLabel, OperatorName.REDACT)),
)


def permit(text: str) -> EmitPermit:
    """A permit for a text without PHI."""
    detected = as_detected(note(text=text), (), {"rules"})
    return verify(Substituted(Planned(detected, (), None, {}, ()), text, ()), POLICY)


def anonymized(text: str) -> Anonymized:
    """An emitted note."""
    made = AnonymizedNote(
        output_id="0" * 32,
        note_id="n" * 32,
        patient_id="p" * 32,
        permit=permit(text),
        technique="redact",
        policy=PolicyStamp("test", "0"),
        pipeline=stamp(),
    )
    return Anonymized(made, RiskReport(RiskLevel.GREEN, 0.0))
