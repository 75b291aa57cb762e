"""Say an explanation in lines: what was reported, what was decided, and what was drawn.

They hold text of the note, quoted so that no character of it moves the cursor of a terminal.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deidstream.models.detection.reconcile import drop_possible, keep_possible
from deidstream.models.explanation.explained_note import (
    DrawReason,
    ExplainedDraw,
    ExplainedNote,
    ExplainedPiece,
    ExplainedPlace,
    ExplainedReplacement,
    PlaceEnd,
    SpanDecision,
)
from deidstream.models.explanation.mention_pieces import KEPT
from deidstream.models.phi.names.identity import FAMILY, GIVEN
from deidstream.models.records import Decision
from deidstream.models.risk.reason_sentences import explain_failure
from deidstream.schemas.kneo_report import KneoReport
from deidstream.schemas.outcome import Anonymized, Failed
from deidstream.schemas.span import Span

_LONGEST = 60
"""Characters of a quoted text; what is longer is cut in its middle."""
_ENDED = {
    PlaceEnd.REPLACED: "replaced",
    PlaceEnd.DROPPED: "stays in the text, as what was reported was dropped",
    PlaceEnd.POSSIBLE: "stays in the text, as PHI is possible here to the tagger and no more",
    PlaceEnd.UNREPORTED: "stays in the text, as no recognizer reported it",
}
_REASONS = {
    DrawReason.FIRST: "",
    DrawReason.NEXT: ", as the earlier ones are originals or others have them",
    DrawReason.SHARED: ", which another identity has too, as the pool is nearly exhausted",
    DrawReason.REDRAWN: ", as the note holds the earlier ones",
}


class ExplainedLine(NamedTuple):
    """One line of an explanation."""

    about: str
    """``reported``, ``possible``, a decision of detection, ``operator``, ``piece``, ``kneo`` or
    ``risk``."""
    text: str


def say_ending(note: ExplainedNote) -> str:
    """Say what a note became."""
    outcome = note.outcome
    if isinstance(outcome, Anonymized):
        return f"emitted, risk {outcome.risk.level} ({outcome.risk.score})"
    if isinstance(outcome, Failed):
        told = explain_failure(outcome.reason, outcome.leak)
        return f"held back at {outcome.stage}, {outcome.reason}: {told}"
    return "taken back by its sender"


def say_kneo(report: KneoReport) -> str:
    """Say what KNEO did with a note as a whole."""
    kept = "".join(f", {count} {form} kept" for form, count in sorted(report.kept.items()))
    found = report.deniability
    rank = f"; {min(found.jaccard, found.dense)} of deniability {found.wanted}" if found else ""
    return (
        f"{report.replaced} of {report.units} sentences or words were replaced"
        f"{kept}, {report.withheld} withheld{rank}"
    )


def say_place(note: ExplainedNote, place: ExplainedPlace) -> list[ExplainedLine]:
    """Say all that is known of a place of a note, the most telling first."""
    return [*_iterate_lines(note.text, place)]


def say_ended(place: ExplainedPlace) -> str:
    """Say what became of a place."""
    return _ENDED[place.ended]


def name_place(place: ExplainedPlace) -> str:
    """Say where a place is and what became of it."""
    at = f"[{place.start}, {place.end})"
    whole = [one for one in place.replacements if one.original == place.text]
    if not whole:
        return f"{at} {_quote(place.text)}: {_ENDED[place.ended]}"
    (one,) = whole
    labelled = f"{one.span.name} {one.span.score:.3f}"
    return f"{at} {labelled} {_quote(one.original)} -> {_quote(one.text)}"


def _iterate_lines(text: str, place: ExplainedPlace) -> Iterator[ExplainedLine]:
    for span in drop_possible(place.reports):
        yield ExplainedLine("reported", _name_span(text, span))
    possible = keep_possible(place.reports)
    if possible and place.ended is not PlaceEnd.REPLACED:
        highest = max(span.score for span in possible)
        yield ExplainedLine("possible", f"to the tagger with probability {highest:.3f}")
    for decision in place.decisions:
        yield ExplainedLine(decision.decision, _say_decision(text, decision))
    for one in place.replacements:
        yield from _iterate_replacement(one)
    for span in place.doubts:
        yield ExplainedLine("risk", f"counts {_quote(text[span.start : span.end])} as a doubt")


def _iterate_replacement(one: ExplainedReplacement) -> Iterator[ExplainedLine]:
    yield ExplainedLine("operator", _say_operator(one))
    for piece in one.pieces:
        yield ExplainedLine("piece", _say_piece(piece))
    if one.exchanged:
        yield ExplainedLine("kneo", "its sentence was exchanged: the output has no word of it")


def _say_decision(text: str, decision: SpanDecision) -> str:
    gone = [span for span in decision.before if span not in decision.after]
    new = [span for span in decision.after if span not in decision.before]
    detail = f" ({decision.detail})" if decision.detail else ""
    if decision.decision is Decision.RECONCILED and gone and not new:
        return f"{_name_spans(text, decision.after, ' + ')} covers {_name_spans(text, gone, ', ')}"
    if not gone:
        return f"adds {_name_spans(text, new, ', ')}{detail}"
    if not new:
        return f"drops {_name_spans(text, gone, ', ')}{detail}"
    return f"{_name_spans(text, gone, ' + ')} -> {_name_spans(text, new, ' + ')}{detail}"


def _say_operator(one: ExplainedReplacement) -> str:
    said = f"{one.operator} {_quote(one.original)} -> {_quote(one.text)}"
    if one.doubtful:
        other = "" if one.operator == one.named else f", not {one.named}"
        return f"{said}{other}: {one.span.score:.3f} is too doubtful to invent a value"
    if one.labelled:
        return f"{said}, the label of what cannot be replaced"
    return f"{said}, as the policy says for {one.span.name}"


def _say_piece(piece: ExplainedPiece) -> str:
    if piece.draw is None:
        return f"{_quote(piece.text)} stays" if piece.role == KEPT else _quote(piece.text)
    return f"{_quote(piece.text)} ({piece.role}) -> {_say_draw(piece.draw)}"


def _say_draw(draw: ExplainedDraw) -> str:
    identity = f"{draw.kind} {_quote(draw.value)}" if draw.value else draw.kind
    # A name may have a short form, or one for women.
    forms = draw.surrogate.split() if draw.kind in {GIVEN, FAMILY} else [draw.surrogate]
    return (
        f"{' or '.join(map(_quote, forms))}, draw {draw.number + 1}{_REASONS[draw.reason]}, from "
        f"{draw.pool}; the same wherever this {draw.scope} has {identity}"
    )


def _name_spans(text: str, spans: Sequence[Span], joint: str) -> str:
    return joint.join(_name_span(text, span) for span in spans)


def _name_span(text: str, span: Span) -> str:
    return f"{span.name} {span.score:.3f} {span.source} {_quote(text[span.start : span.end])}"


def _quote(text: str) -> str:
    half = _LONGEST // 2
    return repr(text if len(text) <= _LONGEST else f"{text[:half]}…{text[-half:]}")
