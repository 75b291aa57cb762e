"""The review page that most tests of it open, and its desk for those that ask without a page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deidstream.agents.review.desk import Desk
from support.review_site import ReviewSite, make_review_desk, running_review


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ReviewSite]:
    with running_review(tmp_path / "review") as running:
        yield running


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = make_review_desk(tmp_path / "review")
    yield made
    made.service.close()
