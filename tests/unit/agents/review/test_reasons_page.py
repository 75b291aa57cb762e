"""Why a span is replaced, on the review page: at the pointer, at the focus, in the form."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from support.browser import NARROW
from support.review_site import ReviewSite
from support.review_visits import (
    check_view,
    log_in,
    open_note,
    original,
    output,
    select_text,
    upload,
    visiting,
)

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, site: ReviewSite) -> Iterator[Page]:
    with visiting(browser, site) as window:
        log_in(window.page)
        upload(window.page)
        open_note(window.page, "foust.txt")
        # The pointer may rest where the note has a mark.
        window.page.mouse.move(0, 0)
        expect(window.page.get_by_role("tooltip")).to_have_count(0)
        yield window.page


def test_the_tip_says_why_and_stays_under_the_pointer(page: Page) -> None:
    original(page).locator("mark").filter(has_text="John Foust").hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("surnames with")
    expect(tip).to_contain_text("PATIENT")
    tip.hover()
    page.wait_for_timeout(400)
    expect(tip).to_be_visible()
    check_view(page)
    page.get_by_role("heading", name="foust.txt", exact=True).hover()
    expect(tip).to_have_count(0)


def test_a_note_that_is_loaded_once_more_keeps_its_tip(page: Page) -> None:
    original(page).locator("mark").filter(has_text="John Foust").hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("surnames with")
    with page.expect_response(re.compile(r"/notes/\d+$")):
        # A click by the keyboard leaves the pointer on the mark.
        page.get_by_role("button", name="foust.txt").dispatch_event("click")
    page.wait_for_timeout(400)
    expect(tip).to_be_visible()


def test_the_output_says_the_same_of_its_surrogates(page: Page) -> None:
    output(page).locator("mark").first.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("'John Foust' ->")


def test_the_focus_shows_the_tip_and_escape_closes_it(page: Page) -> None:
    original(page).focus()
    page.keyboard.press("Tab")
    tip = page.get_by_role("tooltip")
    expect(tip).to_contain_text("surnames with")
    first = original(page).locator("mark").first
    expect(first).to_be_focused()
    assert first.get_attribute("aria-describedby") == tip.get_attribute("id")
    check_view(page)
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    expect(first).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text("days by which all dates")


def test_the_tip_goes_along_with_a_focus_that_moves_the_text(page: Page) -> None:
    original(page).evaluate("pane => { pane.style.maxHeight = '60px'; pane.style.flex = 'none'; }")
    original(page).locator("mark").first.focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    expect(original(page)).not_to_have_js_property("scrollTop", 0)
    expect(page.get_by_role("tooltip")).to_contain_text("email")
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_be_visible()
    original(page).evaluate("pane => { pane.scrollTop = 0; }")
    expect(page.get_by_role("tooltip")).to_be_visible()


def test_a_note_is_explained_once_after_each_run(page: Page, site: ReviewSite) -> None:
    def asked() -> int:
        return [record["action"] for record in site.audit()].count("review-explain")

    for text in ("John Foust", "02/19/1956", "John Foust"):
        original(page).locator("mark").filter(has_text=text).hover()
        expect(page.get_by_role("tooltip")).to_contain_text("operator")
    assert asked() == 1
    select_text(page, "3 weeks")
    page.get_by_role("button", name="Mark this one").click()
    expect(output(page)).not_to_contain_text("3 weeks")
    original(page).locator("mark").filter(has_text="3 weeks").hover()
    expect(page.get_by_role("tooltip")).to_contain_text("reviewed")
    assert asked() == 2


def test_the_form_of_a_span_says_why(page: Page) -> None:
    original(page).locator("mark").filter(has_text="419-555-0137").click()
    why = page.get_by_text("Why is it replaced so?")
    why.focus()
    page.keyboard.press("Enter")
    form = page.get_by_role("region", name="Edit")
    expect(form).to_contain_text("numbers of its numbering plan")
    check_view(page)


def test_the_form_of_a_selection_says_why_not(page: Page) -> None:
    select_text(page, "Zorbo")
    page.get_by_text("Why is it not replaced?").click()
    form = page.get_by_role("region", name="Edit")
    expect(form).to_contain_text("stays in the text, as no recognizer reported it")
    check_view(page)


def test_the_tip_fits_a_narrow_window(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site, size=NARROW) as window:
        log_in(window.page)
        upload(window.page)
        original(window.page).locator("mark").last.focus()
        expect(window.page.get_by_role("tooltip")).to_contain_text("operator")
        box = window.page.get_by_role("tooltip").bounding_box()
        assert box is not None
        width, height = NARROW
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height
        check_view(window.page)


def test_a_refused_explanation_is_told(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as window:
        page = window.page
        # Before the first note is open: what was explained once is not asked for again.
        page.route("**/explanation", lambda route: route.fulfill(status=429, body="{}"))
        log_in(page)
        upload(page)
        open_note(page, "foust.txt")
        original(page).locator("mark").first.hover()
        expect(page.get_by_role("alert")).to_contain_text("429")
