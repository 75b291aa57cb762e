"""Run the review page until SIGTERM or SIGINT."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path

from deidstream.agents.review.desk import Desk
from deidstream.agents.review.oidc_login import OidcLogin
from deidstream.agents.review.review_app import make_app
from deidstream.agents.review.review_folder import ReviewFolder
from deidstream.agents.review.review_service import ReviewService
from deidstream.agents.review.saved_lists import DAY_SECONDS, SavedLists
from deidstream.agents.review.users import UserFile
from deidstream.agents.review.visits import Visits
from deidstream.agents.review.worklist import WorklistShelf
from deidstream.agents.settings import ReviewSettings, Settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.http.own_hosts import is_loopback
from deidstream.stream.http.server_tls import ServerTls
from deidstream.stream.http.serving import Listener, serve_app

HOME = Path("~/.deidstream/review")


def review_folder(settings: ReviewSettings) -> ReviewFolder:
    """Return the folder of the page."""
    return ReviewFolder(Path(settings.folder) if settings.folder else HOME.expanduser())


def find_users(settings: ReviewSettings) -> UserFile:
    """Return the file of users.

    Raises:
        InvalidSettings: Nobody may log in.
        MissingArtefact: The file cannot be read.
    """
    users = UserFile(review_folder(settings).users)
    if not users.read() and not settings.oidc_issuer:
        msg = "nobody may log in yet: deidstream review users add NAME"
        raise InvalidSettings(msg)
    return users


def listener_of_page(settings: ReviewSettings) -> Listener:
    """Return where the page listens.

    Raises:
        InvalidSettings: Other machines would be answered without TLS.
    """
    if not is_loopback(settings.host) and not settings.tls_certificate:
        msg = "DEIDSTREAM_REVIEW_TLS_CERTIFICATE: needed if other machines connect"
        raise InvalidSettings(msg)
    files = settings.tls_certificate, settings.tls_key, settings.tls_key_password
    return Listener(
        "DEIDSTREAM_REVIEW", settings.host, settings.port, ServerTls("DEIDSTREAM_REVIEW", *files)
    )


def make_desk(settings: Settings) -> Desk:
    """Load the models and set up the state that the routes share.

    Raises:
        Refused: A setting, policy, key, model or index is missing or wrong, or there are no users.
    """
    own = settings.review
    find_users(own)
    folder = review_folder(own)
    if own.risk and not settings.key.file:
        msg = "DEIDSTREAM_REVIEW_RISK: needs the worker's key (DEIDSTREAM_KEY_FILE), to recognise "
        raise InvalidSettings(msg + "the notes of the stream")
    if own.saved_days and not settings.key.file:
        msg = "DEIDSTREAM_REVIEW_SAVED_DAYS: needs a key (DEIDSTREAM_KEY_FILE), under which lists "
        raise InvalidSettings(msg + "are sealed")
    folder.make()
    service = ReviewService.load(settings)
    seconds = own.saved_days * DAY_SECONDS
    return Desk(
        settings=settings,
        service=service,
        saved=SavedLists.open(folder.lists, service.loaded.keys, seconds) if seconds else None,
        shelf=WorklistShelf(own.most_characters, own.keep_minutes * 60),
        folder=folder,
        visits=Visits(own.idle_minutes * 60),
        secure=bool(own.tls_certificate),
        oidc=OidcLogin(own),
    )


async def run_review(settings: Settings, *, listening: Callable[[str], None]) -> None:
    """Serve the page until SIGTERM or SIGINT.

    Args:
        settings: All settings.
        listening: Called with its address once it listens.

    Raises:
        Refused: A setting, policy, key, model or index is missing or wrong.
    """
    listener = listener_of_page(settings.review)
    desk = await asyncio.to_thread(make_desk, settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await desk.restore()
    forgetting = asyncio.create_task(desk.forget_unused())
    try:
        await serve_app(make_app(desk), listener, stop, listening=listening)
    finally:
        forgetting.cancel()
        await desk.close()
