"""The app of the review page: its routes, its files, and what protects it."""

from http import HTTPStatus
from importlib.resources import files

from fastapi import APIRouter, FastAPI, Response
from starlette.types import ASGIApp

from deidstream.agents.review import (
    download_routes,
    held_note_routes,
    kafka_list_routes,
    list_routes,
    login_routes,
    oidc_routes,
    settings_routes,
)
from deidstream.agents.review.desk import Desk
from deidstream.stream.http.admission import HttpLimits
from deidstream.stream.http.http_clients import ANYBODY, ClientBook
from deidstream.stream.http.protection import protect
from deidstream.stream.http.replies import HttpErrorCode, HttpRefusal, answer_errors
from deidstream.stream.observing.health import PROBE_PATHS

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
BODY_BYTES = 32 * 2**20
REQUEST_SECONDS = 120.0
_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PAGES = APIRouter()
_ROUTES = (
    login_routes,
    oidc_routes,
    settings_routes,
    list_routes,
    kafka_list_routes,
    held_note_routes,
    download_routes,
)


def make_app(desk: Desk) -> ASGIApp:
    """Make the app, with the checks that every request passes first."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.state.desk = desk
    answer_errors(app)
    for routes in _ROUTES:
        app.include_router(routes.ROUTES)
    app.include_router(_PAGES)
    limits = HttpLimits(
        requests=64, requests_of_client=64, seconds=REQUEST_SECONDS, body_bytes=BODY_BYTES
    )
    open_to_all = ClientBook.open_to(ANYBODY)
    return protect(app, open_to_all, limits, open_paths=PROBE_PATHS, content_policy=CONTENT_POLICY)


@_PAGES.get("/")
async def show_page() -> Response:
    """Answer with the page, which has no data in it."""
    return _send("review", "review.html")


@_PAGES.get("/static/{folder}/{name}")
async def show_file(folder: str, name: str) -> Response:
    """Answer with a file of the page."""
    return _send(folder, name)


@_PAGES.get("/livez")
async def show_life() -> dict[str, str]:
    """Answer 200 while the process runs."""
    return {"status": "alive"}


def _send(folder: str, name: str) -> Response:
    kind = _KINDS.get(f".{name.rpartition('.')[2]}")
    place = files("deidstream.agents").joinpath("static", folder)
    # Only names that the folder has: nothing of the address becomes a path.
    known = [each for each in place.iterdir() if each.name == name] if folder in _FOLDERS else []
    if kind is None or not known:
        raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
    return Response(known[0].read_bytes(), media_type=kind)


_FOLDERS = frozenset({"review", "vendor"})
