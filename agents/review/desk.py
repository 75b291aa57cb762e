"""The desk: the state that the routes of the page share, and who may use them."""

import asyncio
import hmac
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import Annotated, cast

from fastapi import Depends, Request

from deidstream.agents.review.oidc_login import OidcLogin
from deidstream.agents.review.policy_draft import PolicyDraft
from deidstream.agents.review.review_folder import ReviewFolder
from deidstream.agents.review.review_service import ReviewService
from deidstream.agents.review.trail import Trail
from deidstream.agents.review.users import ReviewRole, UserFile
from deidstream.agents.review.visits import LoginLimit, Visit, Visits
from deidstream.agents.review.worklist import HeldNote, Worklist, WorklistShelf
from deidstream.agents.runtime.policy_files import policy_path
from deidstream.agents.settings import Settings
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal
from deidstream.stream.observing.logs import Logger

LOG = Logger("review")
CSRF_HEADER = "X-CSRF-Token"
POLL_HEADER = "X-Poll"
"""Header of the requests that the page repeats by itself; they do not prolong a visit."""
FORGET_SECONDS = 60.0
"""Time between two rounds in which expired lists and visits are forgotten."""
_READING = frozenset({"GET", "HEAD"})


@dataclass(slots=True)
class Desk:
    """What the routes share."""

    settings: Settings
    service: ReviewService
    shelf: WorklistShelf
    folder: ReviewFolder
    visits: Visits
    secure: bool
    """Whether the page is served over TLS, so that its cookies are for TLS only."""
    oidc: OidcLogin
    limit: LoginLimit = field(default_factory=LoginLimit)
    checking: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    """Limits how many passwords are hashed at once: each takes 32 MB."""
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

    async def forget_unused(self) -> None:
        """Forget expired lists and visits again and again, until cancelled."""
        while True:
            await asyncio.sleep(FORGET_SECONDS)
            self.shelf.forget_old()
            self.visits.forget_old()

    def find_visit(self, request: Request) -> Visit | None:
        """Return the visit of a request; ``None`` without a valid login.

        Raises:
            MissingArtefact: The file of users cannot be read.
        """
        token = request.cookies.get(self.cookie, "")
        visit = self.visits.find(token, used=POLL_HEADER not in request.headers)
        if visit is not None and not UserFile(self.folder.users).admits(visit.user):
            self.visits.end(token)
            return None
        return visit

    async def close(self) -> None:
        """Cancel the runs, and release the models."""
        running = list(self.tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self.service.close()

    def default_draft(self) -> PolicyDraft:
        """Return the policy of the settings as a draft."""
        named = self.settings.policy
        path = policy_path(named)
        name = named if path is None else path.stem
        return PolicyDraft.read(name, path, self.settings.tagger.model)

    @property
    def trail(self) -> Trail:
        """The audit log."""
        return Trail(self.folder.trail)

    @property
    def cookie(self) -> str:
        """Name of the cookie; with the prefix, browsers take it from this host over TLS alone."""
        return "__Host-deidstream-review" if self.secure else "deidstream-review"


def desk_of(request: Request) -> Desk:
    """Return the desk of an app."""
    return cast("Desk", request.app.state.desk)


AtDesk = Annotated[Desk, Depends(desk_of)]


def require_visit(request: Request, desk: AtDesk) -> Visit:
    """Return the visit of a request; one that changes something must show its CSRF token.

    Raises:
        HttpRefusal: Nobody is logged in, or the token is not that of the visit.
    """
    visit = desk.find_visit(request)
    if visit is None:
        raise HttpRefusal(HTTPStatus.UNAUTHORIZED, HttpErrorCode.NO_TOKEN)
    shown = request.headers.get(CSRF_HEADER, "").encode()
    if request.method not in _READING and not hmac.compare_digest(shown, visit.csrf.encode()):
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)
    return visit


AnyVisit = Annotated[Visit, Depends(require_visit)]


def require_reviewer(visit: AnyVisit) -> Visit:
    """Return the visit of a reviewer.

    Raises:
        HttpRefusal: Nobody is logged in, or it is a reader.
    """
    if visit.user.role is not ReviewRole.REVIEWER:
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)
    return visit


ReviewerVisit = Annotated[Visit, Depends(require_reviewer)]


def find_worklist(worklist: str, desk: AtDesk) -> Worklist:
    """Return the work list of an address.

    Raises:
        HttpRefusal: There is no such list, or no longer.
    """
    found = desk.shelf.find(worklist)
    if found is None:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    return found


OfWorklist = Annotated[Worklist, Depends(find_worklist)]


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
