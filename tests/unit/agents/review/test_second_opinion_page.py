"""The second opinion in browsers: two readers share a list, read it, and one of them decides."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from deidstream.agents.review.users import ReviewRole, ReviewUser, UserFile
from support.browser import NARROW
from support.review_site import PASSWORD, ReviewSite, running_review
from support.review_visits import check_view, log_in, open_note, select_text, upload, visiting

pytestmark = pytest.mark.browser


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ReviewSite]:
    with running_review(tmp_path / "review") as running:
        UserFile(running.folder.users).add(ReviewUser("ann", ReviewRole.REVIEWER), PASSWORD)
        yield running


def read_blind(page: Page, label: str) -> None:
    """Mark a word in one's own copies, and accept them all."""
    page.get_by_role("button", name="your second opinion").click()
    expect(page.get_by_text("neither sees what the other marks")).to_be_visible()
    expect(page.get_by_role("button", name="Settings")).to_have_count(0)
    open_note(page, "foust.txt")
    select_text(page, "recheck")
    page.get_by_role("combobox", name="Label", exact=True).last.select_option(label)
    page.get_by_role("button", name="Mark all occurrences").click()
    expect(page.locator(".said")).to_contain_text("Marked.")
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.locator(".said")).to_contain_text("Accepted.")
    open_note(page, "quill.txt")
    page.get_by_role("button", name="Accept", exact=True).click()


def share(page: Page) -> None:
    """Let Rita and Ann read all notes of the list, blind to each other."""
    page.get_by_text("Share the list").click()
    page.get_by_label("Users who read it").fill("rita, ann")
    page.get_by_label("Read by two").select_option("1")
    check_view(page)
    page.get_by_role("button", name="Assign notes to review").click()
    expect(page.get_by_text("each in a list of their own")).to_be_visible()
    expect(page.get_by_role("button", name="Accept", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Second opinion", exact=True).click()
    expect(page.get_by_text("ann: 0 of 2 notes accepted")).to_be_visible()
    check_view(page)
    page.get_by_role("button", name="All lists").click()


def decide(page: Page) -> None:
    """Look at the agreement in wide, narrow and dark windows, and decide."""
    page.locator(".worklists .open").last.click()
    page.get_by_role("button", name="Second opinion", exact=True).click()
    expect(page.get_by_role("table", name="Agreement by label")).to_contain_text("device")
    expect(page.get_by_text("2 notes read by two; 1 of them alike.")).to_be_visible()
    check_view(page)
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    check_view(page)
    page.emulate_media(color_scheme="dark")
    check_view(page)
    page.get_by_role("radio", name="recheck device").check()
    page.get_by_role("button", name="Decide").click()
    expect(page.get_by_text("Decided.", exact=True)).to_be_visible()
    page.get_by_role("button", name="Look at the note").click()
    marked = page.locator(".pane.original mark").filter(has_text="recheck")
    expect(marked).to_have_count(1)
    check_view(page)


def test_two_read_a_list_and_one_decides(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as first, visiting(browser, site) as second:
        log_in(first.page)
        upload(first.page)
        share(first.page)
        read_blind(first.page, "DEVICE")
        log_in(second.page, "ann")
        expect(second.page.get_by_role("button", name="second opinion")).to_have_count(1)
        read_blind(second.page, "ORGANIZATION")
        expect(second.page.get_by_text("This reading has ended")).to_be_visible()
        second.page.get_by_role("button", name="All lists").click()
        decide(second.page)
