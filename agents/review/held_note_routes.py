"""One note: see it, mark what was missed, clear what is no PHI, judge it, take an edit back."""

import asyncio
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from deidstream.agents.review.desk import AtDesk, Desk, OfNote, OfWorklist
from deidstream.agents.review.door import AnyVisit, ReviewerVisit
from deidstream.agents.review.list_routes import sees_originals
from deidstream.agents.review.marking import clear, mark, undo
from deidstream.agents.review.note_views import View, view_explanation, view_note
from deidstream.agents.review.policy_draft import LabelName
from deidstream.agents.review.trail import describe_note
from deidstream.agents.review.worklist import HeldNote, ReviewVerdict, Worklist
from deidstream.models.explanation.explain_run import AskedPlace
from deidstream.schemas.errors import InvalidPolicy, InvalidSpan
from deidstream.schemas.label import own_name
from deidstream.schemas.span import Span
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal

ROUTES = APIRouter(prefix="/api/lists/{worklist}")


class EditKind(StrEnum):
    """What is done to a place."""

    MARK = "mark"
    """It is PHI of the label, also where it had another."""
    CLEAR = "clear"
    """It is no PHI."""


class Edit(BaseModel):
    """An edit of a place in the original, in code points."""

    model_config = ConfigDict(extra="forbid")

    kind: EditKind
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=1)]
    label: LabelName
    everywhere: bool
    """Whether it is meant for all occurrences, in all notes of the list."""


class AskedStretch(BaseModel):
    """A stretch of the original that is to be explained, in code points; both or neither."""

    model_config = ConfigDict(extra="forbid")

    start: Annotated[int, Field(ge=0)] | None = None
    end: Annotated[int, Field(ge=1)] | None = None

    def place_in(self, held: HeldNote) -> AskedPlace | None:
        """Return the place in a note; ``None`` if none is asked for.

        Raises:
            HttpRefusal: The note has no such place.
        """
        start, end = self.start, self.end
        if start is None and end is None:
            return None
        if start is None or end is None or not start < end <= len(held.note.text):
            raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, HttpErrorCode.INVALID_REQUEST)
        return AskedPlace(start, end)


class Judgement(BaseModel):
    """What a reviewer says of a whole note."""

    model_config = ConfigDict(extra="forbid")

    verdict: ReviewVerdict
    runs: Annotated[int, Field(ge=1)] | None = None
    """Of how many runs the outcome is that was looked at; absent: whatever is there now."""

    def is_of(self, held: HeldNote) -> bool:
        """Return whether a note still has the outcome that was looked at."""
        return held.outcome is not None and self.runs in {None, held.runs}


@ROUTES.get("/notes/{number}")
async def show_note(visit: AnyVisit, desk: AtDesk, worklist: OfWorklist, held: OfNote) -> View:
    """Show a note, after the audit log has who sees what of it."""
    originals = sees_originals(visit)
    action = "view" if originals else "view-output"
    await desk.trail.add(visit.user, action, describe_note(worklist, held))
    return view_note(worklist, held, originals=originals)


@ROUTES.get("/notes/{number}/explanation")
async def explain_note(
    asked: Annotated[AskedStretch, Query()],
    visit: ReviewerVisit,
    desk: AtDesk,
    worklist: OfWorklist,
    held: OfNote,
) -> View:
    """Explain the spans of a note or one stretch, after the audit log has who asks for it."""
    place = asked.place_in(held)
    await desk.trail.add(visit.user, "explain", describe_note(worklist, held))
    return await asyncio.to_thread(view_explanation, held, place)


@ROUTES.post("/notes/{number}/edits")
async def edit_note(
    edit: Edit, visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist, held: OfNote
) -> View:
    """Edit a note, run it again, and then the others that the edit concerns."""
    label = worklist.draft.labels.get(edit.label)
    if label is None or not edit.start < edit.end <= len(held.note.text):
        raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, HttpErrorCode.INVALID_REQUEST)
    _require_editable(worklist, held)
    span = Span(edit.start, edit.end, label, own=own_name(edit.label))
    details = describe_note(worklist, held) | {
        "start": edit.start,
        "end": edit.end,
        "label": edit.label,
        "everywhere": edit.everywhere,
    }
    await desk.trail.add(visit.user, str(edit.kind), details)
    _require_editable(worklist, held)
    change = mark if edit.kind is EditKind.MARK else clear
    try:
        affected = change(worklist, held.number, span, everywhere=edit.everywhere)
        worklist.draft.policy(worklist.terms)
    except InvalidSpan:
        raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, HttpErrorCode.INVALID_REQUEST) from None
    except InvalidPolicy:
        # A policy without a dictionary takes no terms.
        undo(worklist)
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED) from None
    return await _run_again(desk, worklist, affected)


@ROUTES.post("/undo")
async def undo_edit(visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist) -> View:
    """Take the last edit of a list back; return the note that was edited."""
    if not worklist.steps or worklist.closed:
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    step = worklist.steps[-1]
    details = describe_note(worklist, worklist.notes[step.number])
    await desk.trail.add(visit.user, "undo", details)
    # Somebody else was faster: the trail would name another note than is shown.
    if not worklist.steps or worklist.steps[-1] is not step:
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    return await _run_again(desk, worklist, undo(worklist))


@ROUTES.put("/notes/{number}/verdict")
async def judge_note(
    judgement: Judgement, visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist, held: OfNote
) -> View:
    """Keep a verdict about a note that was run, and not again since it was looked at."""
    _require_editable(worklist, held)
    if not judgement.is_of(held):
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    details = describe_note(worklist, held) | {"verdict": judgement.verdict}
    await desk.trail.add(visit.user, "verdict", details)
    _require_editable(worklist, held)
    if not judgement.is_of(held):
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    held.judge(judgement.verdict)
    await desk.keep(worklist)
    if worklist.of:
        await desk.close_if_read(worklist)
    return view_note(worklist, held, originals=True)


def _require_editable(worklist: Worklist, held: HeldNote) -> None:
    """Refuse to change what two readers say, or a note that they are reading."""
    if worklist.closed or held.is_read_blind:
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)


async def _run_again(desk: Desk, worklist: Worklist, affected: list[HeldNote]) -> View:
    first, *others = affected
    await desk.keep(worklist)
    await desk.service.run(worklist, [first])
    if others:
        desk.run_in_background(worklist, others)
    return view_note(worklist, first, originals=True) | {"others": len(others)}
