"""Verify a note before it leaves; only this module permits an output."""

from bisect import bisect_right
from collections.abc import Collection, Sequence

from deidstream.models.records import Substituted, remaining
from deidstream.models.text.search import Occurrence, Term, find_occurrences
from deidstream.schemas.errors import LeakDetected, Reason, Rejected, Stage
from deidstream.schemas.permit import EmitPermit, take_seal
from deidstream.schemas.policy import OperatorName, Policy
from deidstream.schemas.span import Replacement

_SEAL = take_seal()


def verify(substituted: Substituted, policy: Policy) -> EmitPermit:
    """Permit a note to leave.

    It must have been read by every recognizer of the policy, every span must have been replaced,
    and its text must hold none of its direct identifiers outside a surrogate.

    Raises:
        Rejected: A recognizer did not finish on the note, or a span was not replaced.
        LeakDetected: The output holds an original.
    """
    planned = substituted.planned
    if planned.detected.finished != policy.recognizers:
        raise Rejected(Reason.RECOGNIZER_UNFINISHED, Stage.VERIFY)
    if len(substituted.replacements) != len(planned.detected.spans):
        raise Rejected(Reason.STAGE_FAILED, Stage.VERIFY)
    ours = [r for r in remaining(substituted.replacements) if r.operator != OperatorName.KEEP]
    if leaks(substituted.text, planned.leak_terms, ours):
        raise LeakDetected
    return EmitPermit(_SEAL, substituted.text, substituted.replacements)


def leaks(text: str, terms: Collection[Term], replacements: Sequence[Replacement]) -> bool:
    """Return whether ``text`` holds one of the terms outside the replacements."""
    landed = [(r.out_start, r.out_end) for r in replacements]
    return any(not _inside(found, landed) for found in find_occurrences(text, terms))


def _inside(found: Occurrence, landed: Sequence[tuple[int, int]]) -> bool:
    place = bisect_right(landed, found.start, key=lambda ends: ends[0]) - 1
    return place >= 0 and found.end <= landed[place][1]
