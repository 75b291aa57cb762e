"""The terms of a note that must not stand in its output."""

from deidstream.models.occurrences import Term
from deidstream.models.stages import Planned
from deidstream.models.sweep import leak_terms
from deidstream.schemas.policy import OperatorName, Policy


def originals(planned: Planned, policy: Policy) -> tuple[Term, ...]:
    """What the spans of a note betray, those left out that the policy keeps or allows.

    They are the terms that the sweep looked for, so whatever is found of them in the output was
    overlooked or put there.
    """
    kept = OperatorName.KEEP
    spans = [s for s in planned.detected.spans if policy.operators[s.label] is not kept]
    return leak_terms(spans, planned.note.text, policy.allow)
