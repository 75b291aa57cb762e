"""Run the reading page until SIGTERM or SIGINT."""

import asyncio
import signal
from collections.abc import Callable

from starlette.types import ASGIApp

from deidstream.agents.review import login_routes, oidc_routes
from deidstream.agents.review.oidc_login import OidcLogin
from deidstream.agents.review.page_app import PageFiles, make_page_app
from deidstream.agents.review.run_review import find_users, listener_of_page, review_folder
from deidstream.agents.review.visits import Visits
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.http.serving import serve_app
from deidstream.study.validation.reading import reading_routes
from deidstream.study.validation.reading.reading_room import ReadingRoom
from deidstream.study.validation.site.validation_folder import ValidationFolder

_FILES = PageFiles(
    ("reading", "reading.html"),
    {
        "reading": "deidstream.study",
        "review": "deidstream.agents",
        "vendor": "deidstream.agents",
    },
)


def open_room(folder: ValidationFolder, settings: Settings) -> ReadingRoom:
    """Set up what the routes share.

    Raises:
        MissingArtefact: The folder has no plan or no sample, or a file cannot be read.
        InvalidSettings: Nobody whom the plan names may log in.
    """
    own, plan = settings.review, folder.read_plan()
    known = find_users(own).read()
    people = (*plan.readers, *filter(None, [plan.adjudicator]))
    missing = [name for name in people if name not in known]
    if missing and not own.oidc_issuer:
        msg = f"not yet users: {', '.join(missing)} (deidstream review users add NAME)"
        raise InvalidSettings(msg)
    return ReadingRoom(
        folder=review_folder(own),
        visits=Visits(own.idle_minutes * 60),
        secure=bool(own.tls_certificate),
        oidc=OidcLogin(own),
        validation=folder,
        plan=plan,
        notes=folder.read_sample(),
    )


def make_reading_app(room: ReadingRoom) -> ASGIApp:
    """Make the app of the page."""
    routes = [each.ROUTES for each in (login_routes, oidc_routes, reading_routes)]
    return make_page_app(room, routes, _FILES)


async def run_reading(
    folder: ValidationFolder, settings: Settings, *, listening: Callable[[str], None]
) -> None:
    """Serve the page until SIGTERM or SIGINT.

    Args:
        folder: Of the validation.
        settings: Those of the review page say where it listens, and who its users are.
        listening: Called with its address once it listens.

    Raises:
        Refused: A setting or a file is missing or wrong.
    """
    listener = listener_of_page(settings.review)
    room = open_room(folder, settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await serve_app(make_reading_app(room), listener, stop, listening=listening)
