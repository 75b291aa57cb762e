"""The desk: the state that the routes of the review page share."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Annotated, cast

from fastapi import Depends, Request

from deidstream.agents.review.door import AnyVisit, Door
from deidstream.agents.review.policy_draft import PolicyDraft
from deidstream.agents.review.review_service import ReviewService
from deidstream.agents.review.saved_lists import SavedLists, drop_expired
from deidstream.agents.review.second_opinion import close_blind, is_all_read
from deidstream.agents.review.worklist import HeldNote, Worklist, WorklistShelf
from deidstream.agents.runtime.policy_files import policy_path
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidPolicy, MissingArtefact
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal
from deidstream.stream.observing.logs import Logger

LOG = Logger("review")
FORGET_SECONDS = 60.0
"""Time between two rounds in which expired lists and visits are forgotten."""


@dataclass(slots=True, kw_only=True)
class Desk(Door):
    """What the routes share, behind the door."""

    settings: Settings
    service: ReviewService
    shelf: WorklistShelf
    saved: SavedLists | None = None
    """``None``: lists are in memory alone."""
    tasks: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]], repr=False)
    """Runs in the background."""

    def run_in_background(self, worklist: Worklist, notes: Iterable[HeldNote]) -> None:
        """Run notes without waiting for them; the page asks how far they are."""
        worklist.fault = ""
        task = asyncio.create_task(self.service.run(worklist, list(notes)))
        self.tasks.add(task)
        task.add_done_callback(partial(self._end_run, worklist))

    def _end_run(self, worklist: Worklist, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            # Its message may quote a note.
            LOG.error("review-run-failed", kind=type(error).__name__)
            worklist.fault = "Some notes could not be run. Apply the settings to try again."

    async def restore(self) -> None:
        """Put the saved lists on the shelf, and run their notes."""
        drop_expired(self.folder.lists)
        if self.saved is None:
            return
        for worklist in await asyncio.to_thread(list, self.saved.read(self._find_drafts)):
            self.shelf.put(worklist)
            self.run_in_background(worklist, worklist.notes.values())

    def _find_drafts(self, name: str) -> Iterator[PolicyDraft]:
        with suppress(InvalidPolicy):
            yield self.default_draft()
        with suppress(InvalidPolicy):
            yield self.folder.draft(name)

    async def keep(self, worklist: Worklist) -> None:
        """Save a list, where lists are saved. Where that fails the list says so and goes on."""
        if self.saved is None:
            return
        try:
            await self.saved.keep(worklist)
        except MissingArtefact:
            LOG.warning("review-list-unsaved", name=worklist.id)
            worklist.unsaved = True
        else:
            worklist.unsaved = False

    async def forget(self, worklist: Worklist) -> None:
        """Forget a list, and delete what is saved of it.

        Raises:
            MissingArtefact: It cannot be deleted; the list is kept.
        """
        for one in (*self.blind_lists(worklist), worklist):
            if self.saved is not None:
                await self.saved.drop(one)
            self.shelf.remove(one.id)

    def blind_lists(self, worklist: Worklist) -> list[Worklist]:
        """Return the lists of those who read notes of a list blind."""
        return self.shelf.blind_lists(worklist)

    async def close_reading(self, worklist: Worklist) -> None:
        """End the blind reading of a list; what both readers say alike becomes that of the list."""
        blind = [one for one in self.blind_lists(worklist) if not one.closed]
        agreed = close_blind(worklist, blind)
        for one in (*blind, worklist):
            await self.keep(one)
        self.run_in_background(worklist, agreed)

    async def close_if_read(self, blind: Worklist) -> None:
        """End the blind reading that a list is part of, once all of it is read."""
        whole = self.shelf.find(blind.of)
        if whole is None:
            return
        if is_all_read([one for one in self.blind_lists(whole) if not one.closed]):
            await self.close_reading(whole)

    async def forget_unused(self) -> None:
        """Forget expired lists and visits again and again, until cancelled."""
        while True:
            await asyncio.sleep(FORGET_SECONDS)
            self.shelf.forget_old()
            self.visits.forget_old()
            await asyncio.to_thread(drop_expired, self.folder.lists)

    async def close(self) -> None:
        """Cancel the runs, and release the models."""
        running = list(self.tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self.service.close()
        if self.saved is not None:
            self.saved.close()

    def default_draft(self) -> PolicyDraft:
        """Return the policy of the settings as a draft."""
        named = self.settings.policy
        path = policy_path(named)
        name = named if path is None else path.stem
        return PolicyDraft.read(name, path, self.settings.tagger.model)


def desk_of(request: Request) -> Desk:
    """Return the desk of an app."""
    return cast("Desk", request.app.state.door)


AtDesk = Annotated[Desk, Depends(desk_of)]


def find_worklist(worklist: str, desk: AtDesk, visit: AnyVisit) -> Worklist:
    """Return the work list of an address.

    Raises:
        HttpRefusal: There is no such list, or no longer, or it is another reader's.
    """
    found = desk.shelf.find(worklist)
    if found is None or found.owner not in {"", visit.user.name}:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    return found


OfWorklist = Annotated[Worklist, Depends(find_worklist)]


def require_whole(worklist: OfWorklist) -> Worklist:
    """Return a list that is no blind reader's; nothing but marks and verdicts changes in those.

    Raises:
        HttpRefusal: It is a blind reader's.
    """
    if worklist.of:
        raise HttpRefusal(HTTPStatus.CONFLICT, HttpErrorCode.NOT_OFFERED)
    return worklist


OfWholeList = Annotated[Worklist, Depends(require_whole)]


def find_note(number: int, worklist: OfWorklist) -> HeldNote:
    """Return the note of an address.

    Raises:
        HttpRefusal: There is no such note.
    """
    found = worklist.notes.get(number)
    if found is None:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    return found


OfNote = Annotated[HeldNote, Depends(find_note)]
