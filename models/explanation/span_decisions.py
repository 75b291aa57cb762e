"""Find which decisions of detection changed the spans at a place."""

from collections.abc import Iterator, Sequence

from deidstream.models.detection.calibration import Bounded, gather_evidence
from deidstream.models.detection.reconcile import SURE, drop_possible
from deidstream.models.detection.sweep import find_echoes
from deidstream.models.explanation.explained_note import SpanDecision
from deidstream.models.phi.not_phi import TermList, find_term_list
from deidstream.models.records import Decision, Detected
from deidstream.schemas.policy import Policy
from deidstream.schemas.span import Span, sort_spans

_LISTS = {
    TermList.ALLOW: "on the allow list of the policy",
    TermList.CLINICAL: "on the built-in list of clinical terms",
    TermList.EQUIPMENT: "on the built-in list of equipment",
    TermList.GENERIC: "nothing but the kind of a hospital or unit",
    TermList.SHORTHAND: "on the built-in list of words cut short",
    TermList.SPEECH: "on the built-in list of fillers of transcripts",
    TermList.TITLES: "a title without a name",
    TermList.STANDARDS: "the web address of a terminology",
}


def list_decisions(
    detected: Detected, policy: Policy, places: Sequence[Bounded]
) -> list[tuple[SpanDecision, ...]]:
    """List the decisions at each of some disjoint places, which are in order.

    What the tagger holds for possible is evidence, not a span: that it is no span is no decision.
    """
    decisions: list[list[SpanDecision]] = [[] for _ in places]
    first, *following = detected.steps
    spans = drop_possible(first.spans)
    for step in following:
        earlier, later = gather_evidence(places, spans), gather_evidence(places, step.spans)
        for found, before, after in zip(decisions, earlier, later, strict=True):
            if set(before) == set(after):
                continue
            gone = [span for span in before if span not in after]
            new = [span for span in after if span not in before]
            if step.decision is Decision.SWEPT:
                details = _find_repeated(detected.note.text, policy, spans, new)
            else:
                details = _say_why_gone(step.decision, detected.note.text, policy, gone)
            detail = ", ".join(dict.fromkeys(details))
            found.append(SpanDecision(step.decision, sort_spans(before), sort_spans(after), detail))
        spans = step.spans
    return [tuple(found) for found in decisions]


def _say_why_gone(
    decision: Decision, text: str, policy: Policy, gone: Sequence[Span]
) -> Iterator[str]:
    """Yield by what spans were dropped, in our own words and numbers."""
    for span in gone:
        if decision is Decision.CORROBORATED:
            yield f"less than {SURE}, and the tagger sees no PHI"
        elif decision is Decision.NOT_PHI:
            named = find_term_list(text, span, policy.allow)
            yield _LISTS[named] if named else ""
        elif decision is Decision.ALLOWED:
            yield "in a phrase that the policy allows"
        elif decision is Decision.THRESHOLD:
            yield f"{span.label} needs {policy.least_scores.get(span.label, 0.0)}"


def _find_repeated(
    text: str, policy: Policy, before: Sequence[Span], new: Sequence[Span]
) -> Iterator[str]:
    """Yield the places for whose sake the sweep found its new spans, and how they are related."""
    for echo in find_echoes(text, before, policy.allow):
        if any(echo.span.start < span.end and span.start < echo.span.end for span in new):
            yield f"{echo.relation} [{echo.origin.start}, {echo.origin.end})"
