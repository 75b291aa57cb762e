"""Work lists: make one of uploads or of the sample notes; show, run, forget it."""

import asyncio
from http import HTTPStatus
from importlib.resources import files
from itertools import islice
from typing import Annotated
from urllib.parse import unquote

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, ConfigDict, Field

from deidstream.agents.review.desk import AtDesk, Desk, OfWholeList, OfWorklist
from deidstream.agents.review.door import AnyVisit, ReviewerVisit
from deidstream.agents.review.note_views import View, view_remarks, view_rows, view_worklist
from deidstream.agents.review.policy_draft import PolicyDraft
from deidstream.agents.review.second_opinion import begin_blind
from deidstream.agents.review.uploads import (
    MOST_NOTES,
    UploadedFile,
    UploadedNote,
    read_uploads,
)
from deidstream.agents.review.users import LONGEST_USER_NAME, ReviewRole
from deidstream.agents.review.visits import Visit
from deidstream.agents.review.worklist import Worklist
from deidstream.schemas.errors import InvalidPolicy
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal

ROUTES = APIRouter(prefix="/api/lists")
SAMPLES = 6
"""Sample notes of a list of them."""


class NewWorklist(BaseModel):
    """What a list is made of."""

    model_config = ConfigDict(extra="forbid")

    title: Annotated[str, Field(max_length=120, repr=False)] = ""
    policy: Annotated[str, Field(max_length=64)] = ""
    """A shipped or a saved policy; empty: that of the settings."""
    one_patient: bool = False
    sample: bool = False


def sees_originals(visit: Visit) -> bool:
    """Return whether a visitor may see originals."""
    return visit.user.role is ReviewRole.REVIEWER


@ROUTES.get("")
async def show_lists(visit: AnyVisit, desk: AtDesk) -> list[View]:
    """Show all lists."""
    originals = sees_originals(visit)
    own = [one for one in desk.shelf.all() if one.owner in {"", visit.user.name}]
    return [view_worklist(one, originals=originals) for one in own]


@ROUTES.post("")
async def make_list(wanted: NewWorklist, visit: ReviewerVisit, desk: AtDesk) -> View:
    """Make an empty list, or one of the sample notes."""
    draft = find_draft(wanted.policy, desk)
    kind = "sample" if wanted.sample else "upload"
    worklist = Worklist(wanted.title or "Notes", kind, draft, one_patient=wanted.one_patient)
    if wanted.sample:
        content = files("deidstream.agents").joinpath("data", "sample_notes.jsonl").read_bytes()
        upload = UploadedFile("sample_notes.jsonl", b"\n".join(content.splitlines()[:SAMPLES]))
        _add(worklist, list(read_uploads([upload], one_patient=False)))
    await desk.trail.add(visit.user, "open", {"list": worklist.id, "kind": kind})
    await desk.keep(worklist)
    desk.shelf.put(worklist)
    return view_worklist(worklist, originals=True)


@ROUTES.get("/{worklist}")
async def show_list(visit: AnyVisit, worklist: OfWorklist) -> View:
    """Show a list with its notes."""
    originals = sees_originals(visit)
    view = view_worklist(worklist, originals=originals)
    return view | {"rows": view_rows(worklist, originals=originals)} | view_remarks(worklist)


class TextSearch(BaseModel):
    """What is looked for in the notes of a list."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=200, repr=False)]


@ROUTES.post("/{worklist}/search")
async def search_list(
    wanted: TextSearch, visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist
) -> View:
    """Return the numbers of the notes whose name or original holds a text, in whatever case."""
    await desk.trail.add(visit.user, "search", {"list": worklist.id})
    folded = wanted.text.casefold()
    return {
        "found": [
            held.number
            for held in worklist.notes.values()
            if folded in held.name.casefold() or folded in held.note.text.casefold()
        ]
    }


_BOTH = 2
ReaderName = Annotated[str, Field(min_length=1, max_length=LONGEST_USER_NAME)]


class NoteReaders(BaseModel):
    """Whom the notes of a list are shared among."""

    model_config = ConfigDict(extra="forbid")

    names: Annotated[list[ReaderName], Field(max_length=50)]
    """Names of users, each once; none: the notes are assigned to nobody."""
    twice: Annotated[float, Field(ge=0, le=1)] = 0
    """The share of the notes that two of them read, blind to each other."""


@ROUTES.post("/{worklist}/readers", status_code=HTTPStatus.NO_CONTENT)
async def share_list(
    wanted: NoteReaders, visit: ReviewerVisit, desk: AtDesk, worklist: OfWholeList
) -> None:
    """Assign the notes that are not reviewed yet to users by turns, a share of them to two."""
    readers = list(dict.fromkeys(wanted.names))
    if wanted.twice and len(readers) < _BOTH:
        raise HttpRefusal(HTTPStatus.UNPROCESSABLE_ENTITY, HttpErrorCode.INVALID_REQUEST)
    if wanted.twice and not desk.shelf.has_room(2 * worklist.characters):
        raise HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HttpErrorCode.BODY_TOO_LARGE)
    details = {"list": worklist.id, "readers": readers, "twice": wanted.twice}
    await desk.trail.add(visit.user, "share", details)
    for blind in begin_blind(worklist, readers, wanted.twice) if wanted.twice else ():
        await desk.keep(blind)
        desk.shelf.put(blind)
        start_run(desk, blind, again=False)
    worklist.share(readers)
    await desk.keep(worklist)


@ROUTES.post("/{worklist}/files")
async def add_file(
    request: Request,
    visit: ReviewerVisit,
    desk: AtDesk,
    worklist: OfWholeList,
    file_name: Annotated[str, Header(alias="X-File-Name", max_length=1_000)],
) -> View:
    """Add the notes of a file, whose bytes are the body: no part of it is written to a disk."""
    upload = UploadedFile(unquote(file_name), await request.body())
    # No more lines are read than a list may have notes.
    notes = islice(read_uploads([upload], one_patient=worklist.one_patient), MOST_NOTES + 1)
    found = await asyncio.to_thread(lambda: list(notes))
    readable = [one for one in found if one.note]
    await desk.trail.add(visit.user, "upload", {"list": worklist.id, "notes": len(readable)})
    if len(worklist.notes) + len(found) > MOST_NOTES:
        raise HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HttpErrorCode.TOO_MANY_NOTES)
    if not desk.shelf.has_room(
        sum(len(one.note.text) + len(one.word) for one in readable if one.note)
    ):
        raise HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HttpErrorCode.BODY_TOO_LARGE)
    added = _add(worklist, found)
    await desk.keep(worklist)
    problems = [{"name": one.name, "problem": one.problem} for one in found if not one.note]
    return {"added": added, "problems": problems}


def find_draft(name: str, desk: Desk) -> PolicyDraft:
    """Return the policy of a name as a draft; that of the settings where none is named.

    Raises:
        HttpRefusal: There is no such policy.
    """
    try:
        return desk.folder.draft(name) if name else desk.default_draft()
    except InvalidPolicy:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND) from None


def _add(worklist: Worklist, found: list[UploadedNote]) -> int:
    added = 0
    for one in found:
        if one.note is not None:
            worklist.add(one.name, one.note, word=one.word)
            added += 1
    return added


@ROUTES.post("/{worklist}/run", status_code=HTTPStatus.ACCEPTED)
async def run_list(_visit: ReviewerVisit, desk: AtDesk, worklist: OfWorklist) -> None:
    """Run the notes that were not run yet."""
    start_run(desk, worklist, again=False)


def start_run(desk: Desk, worklist: Worklist, *, again: bool) -> None:
    """Run the notes of a list in the background: all of them, or those without an outcome."""
    notes = [held for held in worklist.notes.values() if again or held.outcome is None]
    desk.run_in_background(worklist, notes)


@ROUTES.delete("/{worklist}", status_code=HTTPStatus.NO_CONTENT)
async def forget_list(visit: ReviewerVisit, desk: AtDesk, worklist: OfWholeList) -> None:
    """Forget a list with its originals."""
    await desk.trail.add(visit.user, "forget", {"list": worklist.id})
    await desk.forget(worklist)
