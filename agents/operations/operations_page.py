"""Serve the operations page at ``/`` and its figures at ``/figures``.

The page itself holds no figure, so that it needs no token; it asks for one and sends it with each
question for figures. It loads nothing from anywhere else.
"""

from collections.abc import Awaitable, Callable
from importlib.resources import files

import orjson
from aiohttp import web

from deidstream.agents.operations.summary import Figures
from deidstream.stream.http.ops_server import MorePages

_FILES = {
    "/": ("operations.html", "text/html"),
    "/operations.css": ("operations.css", "text/css"),
    "/operations.js": ("operations.js", "text/javascript"),
}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def operations_pages(figures: Callable[[], Figures]) -> MorePages:
    """Return the page, what it loads, and its figures.

    Args:
        figures: Returns the body of ``/figures``.
    """

    async def answer(_request: web.Request) -> web.Response:
        body = orjson.dumps(figures(), option=orjson.OPT_NON_STR_KEYS)
        return web.Response(body=body, content_type="application/json", headers=HEADERS)

    routes = [web.get(path, _serve_file(*file)) for path, file in _FILES.items()]
    return MorePages([*routes, web.get("/figures", answer)], frozenset(_FILES))


def _serve_file(name: str, kind: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    body = files("deidstream.agents").joinpath("static", name).read_bytes()

    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=body, content_type=kind, charset="utf-8", headers=HEADERS)

    return answer
