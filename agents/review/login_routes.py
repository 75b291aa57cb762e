"""Log in by a password, say who is logged in, and log out."""

import asyncio
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from deidstream.agents.review.door import AnyVisit, AtDoor, Door
from deidstream.agents.review.users import (
    LONGEST_PASSWORD,
    LONGEST_USER_NAME,
    ReviewUser,
    UserFile,
)
from deidstream.agents.review.visits import Visit
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal

ROUTES = APIRouter()
_OWN_SITE = frozenset({"", "none", "same-origin"})


class Login(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=LONGEST_USER_NAME)]
    password: Annotated[str, Field(max_length=LONGEST_PASSWORD, repr=False)]


@ROUTES.get("/api/door")
async def show_door(door: AtDoor) -> dict[str, bool]:
    """Return the ways to log in."""
    return {"password": True, "oidc": bool(door.oidc.settings.oidc_issuer)}


@ROUTES.post("/api/login")
async def log_in(login: Login, request: Request, response: Response, door: AtDoor) -> Any:  # noqa: ANN401
    """Log in; after too many wrong passwords that name, or that address, has to wait."""
    if request.headers.get("Sec-Fetch-Site", "") not in _OWN_SITE:
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)
    address = request.client.host if request.client else ""
    async with door.checking:
        # Here, so that requests that come together count each other's failures.
        seconds = door.limit.wait_seconds(login.name, address)
        if seconds:
            raise HttpRefusal(
                HTTPStatus.TOO_MANY_REQUESTS,
                HttpErrorCode.CLIENT_BUSY,
                retry_after=int(seconds) + 1,
            )
        users = UserFile(door.folder.users)
        user = await asyncio.to_thread(users.check, login.name, login.password)
        if user is None:
            door.limit.count_failure(login.name, address)
            raise HttpRefusal(HTTPStatus.UNAUTHORIZED, HttpErrorCode.NO_TOKEN)
    door.limit.forgive(login.name)
    return await admit(user, response, door)


async def admit(user: ReviewUser, response: Response, door: Door) -> dict[str, str]:
    """Begin a visit: log it, and set its cookie."""
    await door.trail.add(user, "login", {})
    token, visit = door.visits.begin(user)
    response.set_cookie(
        door.cookie, token, httponly=True, samesite="strict", secure=door.secure, path="/"
    )
    return _describe(visit)


@ROUTES.get("/api/visit")
async def show_visit(request: Request, door: AtDoor) -> dict[str, str]:
    """Return who is logged in; an empty object if nobody is."""
    visit = door.find_visit(request)
    return {} if visit is None else _describe(visit)


@ROUTES.post("/api/logout")
async def log_out(request: Request, response: Response, visit: AnyVisit, door: AtDoor) -> None:
    """Log out."""
    door.visits.end(request.cookies.get(door.cookie, ""))
    response.delete_cookie(door.cookie, httponly=True, samesite="strict", secure=door.secure)
    await door.trail.add(visit.user, "logout", {})


def _describe(visit: Visit) -> dict[str, str]:
    return {"name": visit.user.name, "role": visit.user.role, "csrf": visit.csrf}
