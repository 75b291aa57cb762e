"""Serve a page at ``/docs`` that lists what the interface offers, with a form to call it.

The page itself says nothing of this server, so that it needs no token; it asks for one and sends it
with each call. It loads nothing from anywhere else.
"""

from importlib.resources import files

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

_FILES = {
    "/docs": ("api.html", "text/html"),
    "/docs/api.css": ("api.css", "text/css"),
    "/docs/api.js": ("api.js", "text/javascript"),
}
_CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DOCS_PATHS = frozenset({"/", *_FILES})
"""Addresses of the page, and the one that leads to it."""


def _route(path: str, name: str, kind: str) -> Route:
    body = files("deidstream.agents").joinpath("static", name).read_bytes()
    headers = {"Content-Security-Policy": _CONTENT_POLICY}

    async def answer(_request: object) -> Response:
        return Response(body, media_type=f"{kind}; charset=utf-8", headers=headers)

    return Route(path, answer)


async def _lead(_request: object) -> Response:
    return RedirectResponse("docs")


ROUTER = APIRouter(routes=[Route("/", _lead), *(_route(p, *file) for p, file in _FILES.items())])
