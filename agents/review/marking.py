"""Edit a work list: mark what was missed and clear what is no PHI, at one place or everywhere."""

from collections.abc import Iterable
from dataclasses import replace

from deidstream.agents.review.worklist import HeldNote, Worklist
from deidstream.models.detection.review_marks import REVIEWED, ReviewMarks
from deidstream.models.phi.not_phi import fold_term
from deidstream.models.policy.term_lists import fault
from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.span import Span, sort_spans


def mark(worklist: Worklist, number: int, span: Span, *, everywhere: bool) -> list[HeldNote]:
    """Mark a place as PHI of a label, or every occurrence of its text in all notes.

    Returns:
        The notes that must be run again, the marked one first.

    Raises:
        InvalidSpan: The place is not one of the note, or its text cannot be a term.
    """
    held = worklist.notes[number]
    term = _term(held, span)
    affected = _begin_edit(worklist, held, term, everywhere=everywhere)
    if everywhere:
        worklist.terms = worklist.terms.denying(term, span.name)
    held.marks = _with_place(held.marks, replace(span, score=1.0, source=REVIEWED))
    held.verdict = worklist.verdict_of_edit
    return affected


def clear(worklist: Worklist, number: int, span: Span, *, everywhere: bool) -> list[HeldNote]:
    """Clear a place of PHI, or every occurrence of its text in all notes.

    Returns:
        The notes that must be run again, the cleared one first.

    Raises:
        InvalidSpan: The place is not one of the note, or its text cannot be a term.
    """
    held = worklist.notes[number]
    term = _term(held, span)
    affected = _begin_edit(worklist, held, term, everywhere=everywhere)
    if everywhere:
        worklist.terms = worklist.terms.allowing(term)
    rest = _beside(held.marks, span)
    # A place is only cleared where something was found: the text of any other stays as it is.
    held.marks = ReviewMarks(rest.marked, sort_spans((*rest.cleared, span)))
    held.verdict = worklist.verdict_of_edit
    return affected


def undo(worklist: Worklist) -> list[HeldNote]:
    """Take the last edit back; return the notes that must be run again, the edited one first."""
    if not worklist.steps:
        return []
    step = worklist.steps.pop()
    worklist.terms = step.terms
    for number, marks in step.marks.items():
        worklist.notes[number].marks = marks
    edited = worklist.notes[step.number]
    edited.verdict = step.verdict
    others = [worklist.notes[number] for number in sorted(step.marks) if number != step.number]
    return [edited, *others]


def _begin_edit(
    worklist: Worklist, held: HeldNote, term: str, *, everywhere: bool
) -> list[HeldNote]:
    """Keep what an edit is about to change; return the notes it concerns, the edited one first.

    An edit of all occurrences removes the marks of single ones.
    """
    affected = _holding(worklist, held, term) if everywhere else [held]
    worklist.remember(held.number, (each.number for each in affected))
    if everywhere:
        for each in affected:
            each.marks = _without_text(each, term)
    return affected


def _term(held: HeldNote, span: Span) -> str:
    text = held.note.text[span.start : span.end]
    if span.end > len(held.note.text) or fault(" ".join(text.split())):
        raise InvalidSpan(Stage.DETECT)
    return " ".join(text.split())


def _holding(worklist: Worklist, first: HeldNote, term: str) -> list[HeldNote]:
    """Return the notes that may hold a term, ``first`` before the others."""
    words = [word.casefold() for word in term.split()]

    def may_hold(held: HeldNote) -> bool:
        text = held.note.text.casefold()
        return all(word in text for word in words)

    return [first, *(h for h in worklist.notes.values() if h is not first and may_hold(h))]


def _without_text(held: HeldNote, term: str) -> ReviewMarks:
    """Return the marks without those on a term, which is now decided for all its occurrences."""
    folded, text = fold_term(term), held.note.text

    def keep(spans: Iterable[Span]) -> tuple[Span, ...]:
        return tuple(one for one in spans if fold_term(text[one.start : one.end]) != folded)

    return ReviewMarks(keep(held.marks.marked), keep(held.marks.cleared))


def _beside(marks: ReviewMarks, span: Span) -> ReviewMarks:
    def keep(spans: Iterable[Span]) -> tuple[Span, ...]:
        return tuple(one for one in spans if one.end <= span.start or span.end <= one.start)

    return ReviewMarks(keep(marks.marked), keep(marks.cleared))


def _with_place(marks: ReviewMarks, span: Span) -> ReviewMarks:
    rest = _beside(marks, span)
    return ReviewMarks(sort_spans((*rest.marked, span)), rest.cleared)
