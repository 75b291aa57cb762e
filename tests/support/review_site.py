"""The review page on this machine: a server on its own thread, with users and a fast policy."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import orjson

from deidstream.agents.review.desk import Desk
from deidstream.agents.review.oidc_login import OidcLogin
from deidstream.agents.review.review_app import make_app
from deidstream.agents.review.review_folder import ReviewFolder
from deidstream.agents.review.review_service import ReviewService
from deidstream.agents.review.saved_lists import DAY_SECONDS, SavedLists
from deidstream.agents.review.users import ReviewRole, ReviewUser, UserFile
from deidstream.agents.review.visits import Visits
from deidstream.agents.review.worklist import WorklistShelf
from deidstream.agents.runtime.compose import Runtime, compose
from deidstream.agents.settings import ReviewSettings, Settings
from support.page_server import serving

PASSWORD = "correct horse battery"
POLICY = Path(__file__).with_name("review_policy.toml")
_FOUST = """Mr. John Foust (DOB 02/19/1956) was seen on 03/04/2024 by Dr. Harlan Tsosie.
He has a Zorbo pump. Zorbo support was called at 419-555-0137.
Plan: recheck in 3 weeks. Email jfoust@example.org.
"""
_QUILL = """Mrs. Ada Quill was admitted on 11/12/2023. MRN: 4471-0982.
Zorbo pump removed. Follow-up with Dr. Oyelaran on 12/01/2023.
"""
NOTES = {"foust.txt": _FOUST, "quill.txt": _QUILL}
"""Fictional files by name."""


@cache
def rules_runtime() -> Runtime:
    """A runtime without tagger, which all sites of the tests share."""
    return compose(Settings(policy=str(POLICY)), root=bytes(range(32)))


@dataclass(slots=True)
class ReviewSite:
    """A running page."""

    url: str
    folder: ReviewFolder
    desk: Desk = field(repr=False)

    def audit(self) -> list[dict[str, object]]:
        """The records of the audit log."""
        if not self.folder.trail.exists():
            return []
        return [
            orjson.loads(line)["record"] for line in self.folder.trail.read_bytes().splitlines()
        ]


def make_review_desk(home: Path, settings: ReviewSettings | None = None) -> Desk:
    """A desk with two users: ``rita`` reviews, ``rob`` reads; both have :data:`PASSWORD`."""
    own = replace(settings or ReviewSettings(), folder=str(home))
    folder = ReviewFolder(home)
    folder.make()
    users = UserFile(folder.users)
    if not users.read():
        users.add(ReviewUser("rita", ReviewRole.REVIEWER), PASSWORD)
        users.add(ReviewUser("rob", ReviewRole.READER), PASSWORD)
    whole = Settings(policy=str(POLICY), review=own)
    runtime, seconds = rules_runtime(), own.saved_days * DAY_SECONDS
    return Desk(
        settings=whole,
        service=ReviewService(whole, runtime),
        saved=SavedLists.open(folder.lists, runtime.keys, seconds) if seconds else None,
        shelf=WorklistShelf(own.most_characters, own.keep_minutes * 60),
        folder=folder,
        visits=Visits(own.idle_minutes * 60),
        secure=False,
        oidc=OidcLogin(own),
    )


@contextmanager
def running_review(home: Path, desk: Desk | None = None) -> Generator[ReviewSite]:
    """Serve the page from a thread, as a browser's own loop may be the one of this thread."""
    made = desk or make_review_desk(home)
    with serving(make_app(made), made.close) as url:
        yield ReviewSite(url, made.folder, made)
