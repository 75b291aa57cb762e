"""Verify a note before it leaves; only this module permits an output."""

from deidstream.models.records import Substituted
from deidstream.models.verification.issued_surrogates import IssuedSurrogates
from deidstream.models.verification.left_identifiers import find_identifier
from deidstream.schemas.errors import LeakDetected, LeakKind, Reason, Rejected, Stage
from deidstream.schemas.permit import EmitPermit, take_seal
from deidstream.schemas.policy import Policy

_SEAL = take_seal()


def verify(substituted: Substituted, policy: Policy) -> EmitPermit:
    """Permit a note to leave.

    It must have been read by every recognizer of the policy, every span must have been replaced,
    and its text must hold none of its identifiers outside a surrogate.

    Raises:
        Rejected: A recognizer did not finish on the note, or a span was not replaced.
        LeakDetected: The output holds an original.
    """
    planned = substituted.planned
    if planned.detected.finished != policy.recognizers:
        raise Rejected(Reason.RECOGNIZER_UNFINISHED, Stage.VERIFY)
    if len(substituted.replacements) != len(planned.detected.spans):
        raise Rejected(Reason.STAGE_FAILED, Stage.VERIFY)
    leak = find_leak(substituted, policy)
    if leak:
        raise LeakDetected(leak)
    return EmitPermit(_SEAL, substituted.text, substituted.replacements)


def find_leak(substituted: Substituted, policy: Policy) -> LeakKind | None:
    """Return how original PHI is left in an output, if any is."""
    issued = IssuedSurrogates.of_output(substituted.replacements)
    return find_identifier(substituted.text, substituted.planned, policy, issued)
