"""Every route of the review page asks who comes, and those beyond a reader's for the role."""

from collections.abc import Iterator

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from deidstream.agents.review import (
    download_routes,
    held_note_routes,
    kafka_list_routes,
    list_routes,
    login_routes,
    oidc_routes,
    second_opinion_routes,
    settings_routes,
)
from deidstream.agents.review.door import require_reviewer, require_visit

OPEN = {"/api/door", "/api/login", "/api/visit", "/api/oidc/login", "/api/oidc/callback"}
FOR_READERS = {
    "/api/logout",
    "/api/facts",
    "/api/lists",
    "/api/lists/{worklist}",
    "/api/lists/{worklist}/notes/{number}",
    "/api/lists/{worklist}/notes/{number}/output.txt",
    "/api/lists/{worklist}/notes/{number}/output.docx",
    "/api/lists/{worklist}/outputs.jsonl",
    "/api/lists/{worklist}/outputs.zip",
}
"""What readers may get; they may change nothing but log out."""
_MODULES = (
    download_routes,
    held_note_routes,
    kafka_list_routes,
    list_routes,
    login_routes,
    oidc_routes,
    second_opinion_routes,
    settings_routes,
)
ROUTES = [each for one in _MODULES for each in one.ROUTES.routes if isinstance(each, APIRoute)]


def calls(dependant: Dependant) -> Iterator[object]:
    for one in dependant.dependencies:
        yield one.call
        yield from calls(one)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.methods} {route.path}")
def test_route_asks_for_a_visit_or_for_a_reviewer(route: APIRoute) -> None:
    asked = set(calls(route.dependant))
    if route.path in OPEN:
        return
    assert require_visit in asked
    reads = route.methods == {"GET"} or route.path == "/api/logout"
    assert (require_reviewer in asked) is not (route.path in FOR_READERS and reads)


def test_all_routes_are_meant() -> None:
    assert len(ROUTES) > 20
    assert {route.path for route in ROUTES} >= OPEN | FOR_READERS
