"""The page with the shipped tagger and the default policy: sample notes, and a faster model."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from deidstream.agents.review.review_service import ReviewService
from deidstream.agents.settings import Settings
from deidstream.schemas.outcome import Anonymized
from support.processes import wait_until
from support.review_site import ReviewSite, make_review_desk, running_review
from support.review_visits import log_in, original, output, visiting

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ReviewSite]:
    desk = make_review_desk(tmp_path)
    desk.settings = replace(Settings(), review=desk.settings.review)
    desk.service = ReviewService.load(desk.settings)
    with running_review(tmp_path, desk) as running:
        yield running


def test_sample_notes_with_the_tagger(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as window:
        page = window.page
        log_in(page)
        page.get_by_role("button", name="Open sample notes").click()
        expect(output(page)).not_to_be_empty(timeout=60_000)
        marks = original(page).locator("mark")
        expect(marks.nth(5)).to_be_visible()
        expect(original(page).locator("mark[aria-label*='found by tagger']").first).to_be_visible()
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("combobox", name="Model").select_option("fast")
        page.get_by_role("combobox", name="Profile").select_option("strict")
        page.get_by_role("button", name="Apply and run all notes again").click()
        expect(page.get_by_text("All its notes are run again")).to_be_visible()
        (worklist,) = site.desk.shelf.all()
        accurate = site.desk.service.loaded.stamp.tagger

        def done() -> bool:
            outcomes = [held.outcome for held in worklist.notes.values()]
            stamps = {one.note.pipeline.tagger for one in outcomes if isinstance(one, Anonymized)}
            return bool(stamps) and accurate not in stamps

        wait_until(done, seconds=40.0)
