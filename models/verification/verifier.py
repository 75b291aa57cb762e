"""Verify a note before it leaves; only this module permits an output."""

from itertools import pairwise

from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.records import Substituted, remaining
from deidstream.models.verification.cleared_places import find_cleared_places
from deidstream.models.verification.copied_words import copies_words
from deidstream.models.verification.identifying_correlation import holds_identifier
from deidstream.models.verification.issued_surrogates import IssuedSurrogates
from deidstream.models.verification.left_identifiers import find_identifier
from deidstream.models.verification.replaced_spans import is_span_lost, is_unchanged
from deidstream.models.verification.second_detection import find_detected
from deidstream.schemas.errors import (
    IdentifyingCorrelation,
    LeakDetected,
    LeakKind,
    Reason,
    Rejected,
    Stage,
)
from deidstream.schemas.permit import EmitPermit, take_seal
from deidstream.schemas.policy import Policy

_SEAL = take_seal()


def verify(substituted: Substituted, policy: Policy) -> EmitPermit:
    """Permit a note to leave.

    It must have been read by every recognizer of the policy, every span must have been replaced at
    the place that its replacement names, and no check may see original PHI in its text.

    Raises:
        Rejected: A recognizer did not finish on the note, or a span was not replaced.
        LeakDetected: The output holds an original.
        IdentifyingCorrelation: The correlation holds an identifier of the note.
    """
    detected = substituted.planned.detected
    if detected.finished != policy.recognizers:
        raise Rejected(Reason.RECOGNIZER_UNFINISHED, Stage.VERIFY)
    if not _is_every_span_replaced(substituted):
        raise Rejected(Reason.STAGE_FAILED, Stage.VERIFY)
    leak = find_leak(substituted, policy)
    if leak:
        raise LeakDetected(leak)
    if holds_identifier(substituted.planned, policy):
        raise IdentifyingCorrelation
    return EmitPermit(_SEAL, substituted.text, substituted.replacements)


def find_leak(substituted: Substituted, policy: Policy) -> LeakKind | None:
    """Return how original PHI is left in an output, if any is."""
    text, replacements = substituted.text, substituted.replacements
    planned = substituted.planned
    messages, released = Hl7Guard.read(text), find_cleared_places(substituted)
    # Short codes of HL7 messages stay as they are, also where a name is spelled like one.
    places = (*messages.short_codes(), *released)
    issued = IssuedSurrogates.of_output(replacements).with_places(places)
    if is_span_lost(planned.detected, replacements):
        return LeakKind.LOST
    if is_unchanged(planned.note.text, replacements, policy):
        return LeakKind.UNCHANGED
    if copies_words(substituted, policy):
        return LeakKind.COPIED
    left = find_identifier(text, planned, policy, issued)
    return left or find_detected(substituted, messages, policy, issued)


def _is_every_span_replaced(substituted: Substituted) -> bool:
    """Return whether the replacements are those of the spans, and stand where they say."""
    replacements = substituted.replacements
    if tuple(one.span for one in replacements) != substituted.planned.detected.spans:
        return False
    ours = remaining(replacements)
    in_order = all(one.out_end <= following.out_start for one, following in pairwise(ours))
    return in_order and all(
        substituted.text[one.out_start : one.out_end] == one.text for one in ours
    )
