"""Work lists of what Kafka holds: notes in quarantine, red and yellow notes of the stream."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from deidstream.agents.review.desk import AtDesk, Desk
from deidstream.agents.review.door import ReviewerVisit
from deidstream.agents.review.list_routes import find_draft
from deidstream.agents.review.note_views import View, view_worklist
from deidstream.agents.review.quarantine_source import QuarantinedNotes, read_quarantined
from deidstream.agents.review.risk_source import MOST_READ, RiskChoice, RiskyNotes, read_risky
from deidstream.agents.review.uploads import LONGEST_NAME
from deidstream.agents.review.worklist import Worklist
from deidstream.schemas.errors import Unavailable
from deidstream.schemas.outcome import RiskLevel
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal

ROUTES = APIRouter(prefix="/api/lists")
MOST_QUARANTINED = 500
MOST_RISKY = 200
"""Red and yellow notes of a list."""
_FULL = "Notes left out, because the page may hold no more text: {}."


class QuarantineWorklist(BaseModel):
    """Options of a list of the notes in quarantine."""

    model_config = ConfigDict(extra="forbid")

    policy: Annotated[str, Field(max_length=64)] = ""


class RiskWorklist(BaseModel):
    """Options of a list of red and yellow notes."""

    model_config = ConfigDict(extra="forbid")

    policy: Annotated[str, Field(max_length=64)] = ""
    levels: Annotated[list[Literal["red", "yellow"]], Field(min_length=1, max_length=2)] = [
        "red",
        "yellow",
    ]
    hours: Annotated[float, Field(gt=0, le=366 * 24)] = 24
    """Their risk was written in this many hours before now."""


@ROUTES.post("/quarantine")
async def open_quarantine(wanted: QuarantineWorklist, visit: ReviewerVisit, desk: AtDesk) -> View:
    """Make a list of the notes in quarantine, whose originals Kafka still holds."""
    if not desk.settings.review.quarantine:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_OFFERED)
    worklist = Worklist("Quarantine", "quarantine", find_draft(wanted.policy, desk))
    # Logged before anything is read.
    details = {"list": worklist.id, "kind": "quarantine"}
    await desk.trail.add(visit.user, "open", details)
    try:
        found = await read_quarantined(desk.settings, MOST_QUARANTINED)
    except Unavailable:
        raise HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, HttpErrorCode.UNAVAILABLE) from None
    for one in found.notes:
        if desk.shelf.has_room(worklist.characters + len(one.note.text)):
            worklist.add(one.note.note_id[:LONGEST_NAME], one.note, f"{one.place} {one.reason}")
    worklist.remarks = tuple(_remark_quarantine(found, len(worklist.notes)))
    await desk.keep(worklist)
    desk.shelf.put(worklist)
    return view_worklist(worklist, originals=True)


def _remark_quarantine(found: QuarantinedNotes, held: int) -> Iterator[str]:
    if found.of > found.looked_up:
        yield f"Only the latest {found.looked_up} of {found.of:,} open dead letters were read."
    if unreadable := found.looked_up - len(found.notes):
        yield f"Dead letters whose original is not a note in the input topic: {unreadable}."
    if left_out := len(found.notes) - held:
        yield _FULL.format(left_out)


@ROUTES.post("/risk")
async def open_risky(wanted: RiskWorklist, visit: ReviewerVisit, desk: AtDesk) -> View:
    """Make a list of the red and yellow notes of the stream, the newest first."""
    if not desk.settings.review.risk:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_OFFERED)
    levels = [level for level in RiskLevel if level in wanted.levels]
    title = " and ".join(reversed(levels)).capitalize() + " notes"
    worklist = Worklist(title, "risk", find_draft(wanted.policy, desk))
    details = {"list": worklist.id, "kind": "risk", "levels": levels, "hours": wanted.hours}
    await desk.trail.add(visit.user, "open", details)
    choice = RiskChoice(frozenset(levels), wanted.hours, MOST_RISKY)
    try:
        found = await read_risky(desk.settings, desk.service.loaded.keys, choice)
    except Unavailable:
        raise HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, HttpErrorCode.UNAVAILABLE) from None
    left_out = _add_risky(worklist, found, desk)
    worklist.remarks = tuple(_remark(found, left_out))
    await desk.keep(worklist)
    desk.shelf.put(worklist)
    return view_worklist(worklist, originals=True)


def _add_risky(worklist: Worklist, found: RiskyNotes, desk: Desk) -> int:
    """Add the notes that there is room for; return how many others there are."""
    left_out = 0
    for one in found.notes:
        if one.original is None:
            worklist.lost = (*worklist.lost, one.risk)
            continue
        note, source = one.original.note, one.original.source
        if desk.shelf.has_room(worklist.characters + len(note.text)):
            # Its name is that of the stream: the id of the original may identify the patient.
            place = f"{source.topic}/{source.partition}/{source.offset}"
            worklist.add(one.risk.note_id, note, place, one.risk)
        else:
            left_out += 1
    return left_out


def _remark(found: RiskyNotes, left_out: int) -> list[str]:
    remarks: list[str] = []
    if not found.whole_span:
        remarks.append(f"Only the newest {MOST_READ:,} records of that time were read.")
    if found.total > MOST_RISKY:
        remarks.append(f"These are the newest {MOST_RISKY} of {found.total:,} notes.")
    if left_out:
        remarks.append(_FULL.format(left_out))
    if not found.whole_search and any(one.original is None for one in found.notes):
        remarks.append("The search for originals ended after a minute: more of them may exist.")
    return remarks
