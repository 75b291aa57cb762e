"""The app of the review page."""

from starlette.types import ASGIApp

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
from deidstream.agents.review.desk import Desk
from deidstream.agents.review.page_app import PageFiles, make_page_app

_ROUTES = (
    login_routes,
    oidc_routes,
    settings_routes,
    list_routes,
    kafka_list_routes,
    held_note_routes,
    download_routes,
    second_opinion_routes,
)
_FILES = PageFiles(
    ("review", "review.html"), dict.fromkeys(("review", "vendor"), "deidstream.agents")
)


def make_app(desk: Desk) -> ASGIApp:
    """Make the app, with the checks that every request passes first."""
    return make_page_app(desk, [each.ROUTES for each in _ROUTES], _FILES)
