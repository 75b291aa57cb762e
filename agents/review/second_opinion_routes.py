"""The second opinion of a list: how far its readers are, how they agree, and who decides."""

from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from deidstream.agents.review.agreement import Agreement
from deidstream.agents.review.desk import AtDesk, Desk, OfWholeList
from deidstream.agents.review.door import ReviewerVisit
from deidstream.agents.review.note_views import View
from deidstream.agents.review.second_opinion import (
    ComparedNote,
    Comparison,
    Disputed,
    compare,
    count_read,
    decide,
)
from deidstream.agents.review.trail import describe_note
from deidstream.agents.review.worklist import Worklist
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal

ROUTES = APIRouter(prefix="/api/lists/{worklist}/opinions")
CONTEXT = 60
"""Characters that are shown on each side of what readers differ about."""


class Decision(BaseModel):
    """Which option holds in each stretch of a note that is disputed, in their order."""

    model_config = ConfigDict(extra="forbid")

    choices: Annotated[list[Literal[0, 1]], Field(min_length=1, max_length=5_000)]


@ROUTES.get("")
async def show_opinions(visit: ReviewerVisit, desk: AtDesk, worklist: OfWholeList) -> View:
    """Show how far readers are and, of what both have ended, how they agree and where not."""
    found = _compare(desk, worklist)
    reading = count_read(one for one in desk.blind_lists(worklist) if not one.closed)
    if found.notes:
        numbers = [one.held.number for one in found.notes]
        await desk.trail.add(visit.user, "opinions", {"list": worklist.id, "numbers": numbers})
    return {
        "reading": [
            {"name": name, "read": read, "notes": notes} for name, (read, notes) in reading.items()
        ],
        "compared": len(found.notes),
        "alike": sum(not one.disputed for one in found.notes),
        "overall": _view_agreement(found.overall),
        "labels": [
            {"label": label, **_view_agreement(one)} for label, one in found.by_label.items()
        ],
        "disputed": [_view_compared(one) for one in found.notes if one.disputed],
    }


@ROUTES.post("/end", status_code=HTTPStatus.NO_CONTENT)
async def end_reading(visit: ReviewerVisit, desk: AtDesk, worklist: OfWholeList) -> None:
    """Compare what both have read by now; the other notes can be shared again."""
    await desk.trail.add(visit.user, "end-opinions", {"list": worklist.id})
    await desk.close_reading(worklist)


@ROUTES.put("/{number}", status_code=HTTPStatus.NO_CONTENT)
async def decide_note(
    number: int, decision: Decision, visit: ReviewerVisit, desk: AtDesk, worklist: OfWholeList
) -> None:
    """Decide what holds in a note about which its readers differ."""
    found = {one.held.number: one for one in _compare(desk, worklist).notes if one.disputed}
    one = found.get(number)
    if one is None:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    if one.held.decided or len(decision.choices) != len(one.disputed):
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    await desk.trail.add(visit.user, "decide", describe_note(worklist, one.held))
    if one.held.decided:
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    decide(one, decision.choices)
    await desk.keep(worklist)
    desk.run_in_background(worklist, [one.held])


def _compare(desk: Desk, worklist: Worklist) -> Comparison:
    return compare(worklist, [one for one in desk.blind_lists(worklist) if one.closed])


def _view_agreement(one: Agreement) -> View:
    return {"words": one.units, "kappa": one.kappa, "low": one.low, "high": one.high}


def _view_compared(one: ComparedNote) -> View:
    text = one.held.note.text
    return {
        "number": one.held.number,
        "name": one.held.name,
        "decided": one.held.decided,
        "places": [_view_disputed(place, text) for place in one.disputed],
    }


def _view_disputed(place: Disputed, text: str) -> View:
    first, last = max(0, place.start - CONTEXT), place.end + CONTEXT
    return {
        "before": "…" * (first > 0) + text[first : place.start],
        "text": text[place.start : place.end],
        "after": text[place.end : last] + "…" * (last < len(text)),
        "options": [
            [{"text": text[span.start : span.end], "label": span.name} for span in option]
            for option in place.options
        ],
    }
