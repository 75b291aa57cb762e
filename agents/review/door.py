"""The door of a page: who may enter, which logins last, and the log of what its visitors do."""

import asyncio
import hmac
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, cast

from fastapi import Depends, Request

from deidstream.agents.review.oidc_login import OidcLogin
from deidstream.agents.review.review_folder import ReviewFolder
from deidstream.agents.review.trail import Trail
from deidstream.agents.review.users import ReviewRole, UserFile
from deidstream.agents.review.visits import LoginLimit, Visit, Visits
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal

CSRF_HEADER = "X-CSRF-Token"
POLL_HEADER = "X-Poll"
"""Header of the requests that the page repeats by itself; they do not prolong a visit."""
_READING = frozenset({"GET", "HEAD"})


@dataclass(slots=True, kw_only=True)
class Door:
    """What logins need; a page that has one is reached through it."""

    folder: ReviewFolder
    visits: Visits
    secure: bool
    """Whether the page is served over TLS, so that its cookies are for TLS only."""
    oidc: OidcLogin
    limit: LoginLimit = field(default_factory=LoginLimit)
    checking: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    """Limits how many passwords are hashed at once: each takes 32 MB."""

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

    @property
    def trail(self) -> Trail:
        """The audit log."""
        return Trail(self.folder.trail)

    @property
    def cookie(self) -> str:
        """Name of the cookie; with the prefix, browsers take it from this host over TLS alone."""
        return "__Host-deidstream-review" if self.secure else "deidstream-review"


def door_of(request: Request) -> Door:
    """Return the door of an app."""
    return cast("Door", request.app.state.door)


AtDoor = Annotated[Door, Depends(door_of)]


def require_visit(request: Request, door: AtDoor) -> Visit:
    """Return the visit of a request; one that changes something must show its CSRF token.

    Raises:
        HttpRefusal: Nobody is logged in, or the token is not that of the visit.
    """
    visit = door.find_visit(request)
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
