"""Marking all day on the review page: suspects, digit keys, search and order, without a mouse."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from support.review_site import ReviewSite
from support.review_visits import check_view, log_in, open_note, original, upload, visiting

pytestmark = pytest.mark.browser
NOTES = {
    "first.txt": "Mrs. Ada Quill was admitted on 11/12/2023. Zorbo pump, ward visit by okonkwo.\n",
    "second.txt": "No pain today. Result to Kuznetsov by hand. Dr. Oyelaran agrees.\n",
}


@pytest.fixture
def page(browser: Browser, site: ReviewSite) -> Iterator[Page]:
    with visiting(browser, site) as window:
        log_in(window.page)
        upload(window.page, NOTES)
        open_note(window.page, "second.txt")
        yield window.page


def suspect(page: Page, text: str) -> None:
    expect(original(page).locator("mark.suspect").filter(has_text=text)).to_have_count(1)


def test_suspect_is_marked_by_three_keys(page: Page) -> None:
    suspect(page, "Kuznetsov")
    page.keyboard.press("s")
    form = page.get_by_role("region", name="Edit")
    expect(form).to_contain_text("No list of ordinary or clinical words holds it.")
    check_view(page)
    page.keyboard.press("2")
    expect(form.get_by_role("button", name="2 doctor")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Marked.")).to_be_visible()
    marked = original(page).locator("mark:not(.suspect)").filter(has_text="Kuznetsov")
    expect(marked).to_have_attribute("data-label", "doctor")
    # The next mark begins with what the last one had.
    page.keyboard.press("m")
    expect(form.get_by_role("button", name="1 doctor")).to_have_attribute("aria-pressed", "true")


def test_what_was_marked_as_one_place_is_so_again(page: Page) -> None:
    page.keyboard.press("m")
    page.get_by_label("Text to mark").fill("pain")
    page.get_by_role("button", name="Mark this one").click()
    expect(page.get_by_text("Marked.")).to_be_visible()
    page.keyboard.press("m")
    page.get_by_label("Text to mark").fill("today")
    page.keyboard.press("Enter")
    expect(original(page).locator("mark").filter(has_text="today")).to_have_count(1)
    expect(page.get_by_role("article", name="second.txt")).to_be_visible()
    # A term of the list would be among its terms.
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("main")).not_to_contain_text("today")


def test_text_is_found_from_place_to_place(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("oyelaran")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 1")).to_be_visible()
    assert page.evaluate("() => window.getSelection().toString()") == "Oyelaran"
    page.get_by_role("searchbox", name="Find in the text").fill("absent")
    page.keyboard.press("Enter")
    expect(page.get_by_text("not found")).to_be_visible()


def test_list_is_searched_by_text_and_ordered(page: Page) -> None:
    entries = page.get_by_role("list").get_by_role("button")
    page.get_by_label("Order").select_option("name")
    expect(entries).to_have_text([re.compile("first"), re.compile("second")])
    page.get_by_label("Search the list").fill("zorbo")
    expect(entries).to_have_count(1)
    expect(entries.first).to_contain_text("first.txt")
    page.get_by_label("Search the list").fill("")
    expect(entries).to_have_count(2)


def test_next_note_to_review_is_one_key_away(page: Page) -> None:
    page.keyboard.press("o")
    expect(page.get_by_role("article", name="first.txt")).to_be_visible()


def test_text_stands_still_while_a_form_opens(page: Page) -> None:
    before = original(page).bounding_box()
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Mark all occurrences")).to_be_visible()
    assert original(page).bounding_box() == before


def test_a_shared_list_shows_each_reader_the_own_notes(page: Page) -> None:
    page.get_by_text("Share the list").click()
    page.get_by_label("Users who read it").fill("rita, ann")
    page.get_by_role("button", name="Assign notes to review").click()
    chooser = page.get_by_role("combobox", name="Reader")
    expect(chooser).to_be_visible()
    check_view(page)
    chooser.select_option("rita")
    expect(page.locator(".rows li")).to_have_count(1)
    chooser.select_option("")
    expect(page.locator(".rows li")).to_have_count(2)
