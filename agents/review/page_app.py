"""The app of a page behind a door: its routes, its files, and what protects it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from importlib.resources import files

from fastapi import APIRouter, FastAPI, Response
from starlette.types import ASGIApp

from deidstream.agents.review.door import Door
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


@dataclass(frozen=True, slots=True)
class PageFiles:
    """The scripts, styles and pictures of a page; none of them has data in it."""

    start: tuple[str, str]
    """Folder and name of the page itself."""
    packages: Mapping[str, str]
    """By folder below ``static``, the package that has it."""

    def send(self, folder: str, name: str) -> Response:
        """Return a file.

        Raises:
            HttpRefusal: The page has no such file.
        """
        kind = _KINDS.get(f".{name.rpartition('.')[2]}")
        package = self.packages.get(folder)
        if kind is None or package is None:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
        place = files(package).joinpath("static", folder)
        # Only names that the folder has: nothing of the address becomes a path.
        known = [each for each in place.iterdir() if each.name == name]
        if not known:
            raise HttpRefusal(HTTPStatus.NOT_FOUND, HttpErrorCode.NOT_FOUND)
        return Response(known[0].read_bytes(), media_type=kind)


def make_page_app(door: Door, routes: Sequence[APIRouter], page: PageFiles) -> ASGIApp:
    """Make the app, with the checks that every request passes first.

    Args:
        door: What its routes share.
        routes: Those of the page; the files of it are added.
        page: Its files.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.state.door = door
    answer_errors(app)
    for router in routes:
        app.include_router(router)
    app.include_router(_route_files(page))
    limits = HttpLimits(
        requests=64, requests_of_client=64, seconds=REQUEST_SECONDS, body_bytes=BODY_BYTES
    )
    open_to_all = ClientBook.open_to(ANYBODY)
    return protect(app, open_to_all, limits, open_paths=PROBE_PATHS, content_policy=CONTENT_POLICY)


def _route_files(page: PageFiles) -> APIRouter:
    router = APIRouter()

    @router.get("/")
    async def show_page() -> Response:
        return page.send(*page.start)

    @router.get("/static/{folder}/{name}")
    async def show_file(folder: str, name: str) -> Response:
        return page.send(folder, name)

    @router.get("/livez")
    async def show_life() -> dict[str, str]:
        return {"status": "alive"}

    # The router holds them.
    _ = show_page, show_file, show_life
    return router
