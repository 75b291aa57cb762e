"""The review page that most tests of it open."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.review_site import ReviewSite, running_review


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ReviewSite]:
    with running_review(tmp_path / "review") as running:
        yield running
