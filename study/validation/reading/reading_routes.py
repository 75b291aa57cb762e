"""Read a note and mark what was missed; decide where readers differ."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

import orjson
from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from deidstream.agents.review.door import ReviewerVisit
from deidstream.agents.runtime.private_files import append_private
from deidstream.schemas.label import LABELS, PhiLabel
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal
from deidstream.study.validation.reading.reading_room import (
    AdjudicatorName,
    InRoom,
    ReaderName,
    ReadingRole,
    RoomState,
)
from deidstream.study.validation.site.judged_notes import JudgedNote, Place
from deidstream.study.validation.site.sampled_note import SampledNote

ROUTES = APIRouter(prefix="/api")
View = dict[str, Any]
_MOST_MARKS = 2_000
_LONGEST_SECONDS = 24 * 3600.0


class MarkedPlace(BaseModel):
    """A place of the original in code points, and what is said of it."""

    model_config = ConfigDict(extra="forbid")

    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=1)]
    label: PhiLabel | None = None
    """``None``: of an adjudicator, it is no identifier."""


class FinishedReading(BaseModel):
    """What a reader marked in a note, and for how long the reader was at it."""

    model_config = ConfigDict(extra="forbid")

    seconds: Annotated[float, Field(ge=0, le=_LONGEST_SECONDS)]
    marks: Annotated[list[MarkedPlace], Field(max_length=_MOST_MARKS)]


class Decided(BaseModel):
    """What the adjudicator says of every disputed place of a note."""

    model_config = ConfigDict(extra="forbid")

    places: Annotated[list[MarkedPlace], Field(min_length=1, max_length=_MOST_MARKS)]


@ROUTES.get("/facts")
async def show_facts(_visit: ReviewerVisit) -> View:
    """Show the labels with their groups, which give them their colours."""
    return {
        "labels": [{"name": label, "group": facts.deidclinic} for label, facts in LABELS.items()]
    }


@ROUTES.get("/reading")
async def show_reading(visit: ReviewerVisit, room: InRoom) -> View:
    """Show how far a visitor is: which note comes next, and what there is to wait for."""
    role = room.role_of(visit.user.name)
    if role is None:
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)
    state = await asyncio.to_thread(room.look)
    if role is ReadingRole.ADJUDICATOR:
        return {"role": role, **_describe_adjudication(state)}
    return {"role": role, **_describe_reader(visit.user.name, state)}


@ROUTES.get("/notes/{number}")
async def show_note(number: int, visit: ReviewerVisit, name: ReaderName, room: InRoom) -> View:
    """Show a note to a reader, with the reader's own marks, after the audit log has it."""
    note = room.find(number)
    state = await asyncio.to_thread(room.look)
    own = state.readings.by_reader[name].get(number)
    if own is None and number not in state.progress.wanted:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    await room.trail.add(visit.user, "read", {"note": number})
    marks = [] if own is None else own.marks
    return {
        "number": number,
        "segments": list(_cut_note(note, controls=False)),
        "marks": [{"start": m.start, "end": m.end, "label": m.label} for m in marks],
    }


@ROUTES.put("/notes/{number}", status_code=HTTPStatus.NO_CONTENT)
async def keep_reading(
    number: int, reading: FinishedReading, visit: ReviewerVisit, name: ReaderName, room: InRoom
) -> None:
    """Keep what a reader marked. It may be changed until somebody has decided about the note."""
    note = room.find(number)
    state = await asyncio.to_thread(room.look)
    _check_places(note, reading.marks)
    if any(mark.label is None for mark in reading.marks):
        raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, HttpErrorCode.INVALID_REQUEST)
    if number in state.readings.rulings or number not in _readable(name, state):
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    await room.trail.add(visit.user, "finish", {"note": number, "marks": len(reading.marks)})
    record = {"number": number, "at": time.time(), **reading.model_dump()}
    await asyncio.to_thread(append_private, room.validation.readings(name), orjson.dumps(record))


@ROUTES.get("/disputes/{number}")
async def show_dispute(
    number: int, visit: ReviewerVisit, _name: AdjudicatorName, room: InRoom
) -> View:
    """Show the adjudicator what the readers differ about; not who said what."""
    note = room.find(number)
    state = await asyncio.to_thread(room.look)
    places = _find_disputed(state.judged.get(number))
    if not places:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    await room.trail.add(visit.user, "adjudicate", {"note": number})
    shown = [
        {
            "start": place.start,
            "end": place.end,
            "labels": sorted(set(place.by.values())),
            "readers": len(place.by),
        }
        for place in places
    ]
    return {"number": number, "segments": list(_cut_note(note, controls=True)), "places": shown}


@ROUTES.put("/disputes/{number}", status_code=HTTPStatus.NO_CONTENT)
async def keep_rulings(
    number: int, decided: Decided, visit: ReviewerVisit, name: AdjudicatorName, room: InRoom
) -> None:
    """Keep what the adjudicator decided, if it is about every disputed place."""
    note = room.find(number)
    state = await asyncio.to_thread(room.look)
    _check_places(note, decided.places)
    disputed = {(place.start, place.end) for place in _find_disputed(state.judged.get(number))}
    if disputed != {(place.start, place.end) for place in decided.places}:
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    await room.trail.add(visit.user, "ruling", {"note": number, "places": len(decided.places)})
    record = {"number": number, "at": time.time(), "by": name, **decided.model_dump()}
    await asyncio.to_thread(append_private, room.validation.adjudication, orjson.dumps(record))


def _readable(name: str, state: RoomState) -> set[int]:
    """Return the numbers of the notes that a reader has read, or is to read by now."""
    return {*state.progress.wanted, *state.readings.by_reader[name]}


def _describe_reader(name: str, state: RoomState) -> View:
    done = state.readings.by_reader[name]
    left = [number for number in state.progress.wanted if number not in done]
    # Whether the claim is proved would tell a reader what the other one marked.
    return {
        "done": len(done),
        "wanted": len({*done, *state.progress.wanted}),
        "next": left[0] if left else None,
        "last": max(done, default=None) if not left else _before(left[0], done),
    }


def _before(number: int, done: Mapping[int, object]) -> int | None:
    return max((each for each in done if each < number), default=None)


def _describe_adjudication(state: RoomState) -> View:
    disputed = state.progress.disputed
    standing = state.progress.standing
    return {
        "disputed": len(disputed),
        "next": disputed[0] if disputed else None,
        "decision": standing.decision,
        "notes": standing.notes,
        "read": {reader: len(own) for reader, own in state.readings.by_reader.items()},
        "wanted": len(state.progress.wanted),
    }


def _find_disputed(judged: JudgedNote | None) -> list[Place]:
    return [] if judged is None else [place for place in judged.places if not place.is_decided]


def _check_places(note: SampledNote, places: Sequence[MarkedPlace]) -> None:
    if any(not place.start < place.end <= len(note.text) for place in places):
        raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, HttpErrorCode.INVALID_REQUEST)


def _cut_note(note: SampledNote, *, controls: bool) -> Iterator[View]:
    """Cut a note into what was found and plain text; each says where it begins.

    Args:
        note: The note.
        controls: Whether controls are shown as found: to the adjudicator, who judges what is left.
    """
    read = 0
    for span in sorted(note.spans, key=lambda one: one.start):
        if span.start < read or (span.is_control and not controls):
            continue
        if span.start > read:
            yield {"at": read, "text": note.text[read : span.start]}
        text = note.text[span.start : span.end]
        yield {"at": span.start, "text": text, "label": span.label, "stays": span.stays}
        read = span.end
    if read < len(note.text):
        yield {"at": read, "text": note.text[read:]}
