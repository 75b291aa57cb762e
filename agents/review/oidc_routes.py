"""Send browsers to the OIDC issuer, and log in those that come back."""

import hmac
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse

from deidstream.agents.review.door import AtDoor
from deidstream.agents.review.login_routes import admit
from deidstream.agents.review.oidc_login import PENDING_SECONDS, LoginRefused
from deidstream.schemas.errors import Unavailable
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal

ROUTES = APIRouter(prefix="/api/oidc")
_STATE = "deidstream-review-state"
_PATH = "/api/oidc"


@ROUTES.get("/login", response_model=None)
async def go_to_issuer(door: AtDoor) -> RedirectResponse:
    """Send the browser to the issuer; a cookie keeps the state, which ends with this login."""
    if not door.oidc.settings.oidc_issuer:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_OFFERED)
    try:
        state, place = await door.oidc.begin()
    except Unavailable:
        raise HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, HttpErrorCode.UNAVAILABLE) from None
    response = RedirectResponse(place, HTTPStatus.SEE_OTHER)
    # Lax: the way back begins at another site.
    response.set_cookie(
        _STATE,
        state,
        max_age=int(PENDING_SECONDS),
        path=_PATH,
        httponly=True,
        samesite="lax",
        secure=door.secure,
    )
    return response


@ROUTES.get("/callback", response_model=None)
async def come_back(
    request: Request,
    door: AtDoor,
    state: Annotated[str, Query(max_length=200)] = "",
    code: Annotated[str, Query(max_length=4_000)] = "",
) -> RedirectResponse:
    """Log in the user that the issuer names, if that user has a role of this page."""
    kept = request.cookies.get(_STATE, "")
    response = RedirectResponse("/", HTTPStatus.SEE_OTHER)
    if not code or not kept or not hmac.compare_digest(kept.encode(), state.encode()):
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)
    try:
        user = await door.oidc.finish(state, code)
    except LoginRefused:
        return RedirectResponse("/#not-admitted", HTTPStatus.SEE_OTHER)
    except Unavailable:
        raise HttpRefusal(HTTPStatus.SERVICE_UNAVAILABLE, HttpErrorCode.UNAVAILABLE) from None
    await admit(user, response, door)
    response.delete_cookie(_STATE, path=_PATH)
    return response
