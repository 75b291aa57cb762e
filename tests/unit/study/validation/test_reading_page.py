"""The reading page in a browser, by keys alone: read, mark, finish; decide between two readers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from deidstream.study.validation.make_plan import make_plan
from deidstream.study.validation.reading.run_reading import make_reading_app
from deidstream.study.validation.site.validation_folder import read_records
from support.browser import find_barriers, open_window, overflows
from support.page_server import serving
from support.review_site import PASSWORD
from support.validation_site import LEFT, PLAN, ValidationSite, make_site, read_as

pytestmark = pytest.mark.browser


@pytest.fixture
def site(tmp_path: Path) -> ValidationSite:
    made = make_site(tmp_path, 20, leaking=1.0, red=1.0)
    make_plan(made.folder, PLAN)
    made.sample()
    return made


@pytest.fixture
def page(browser: Browser, site: ValidationSite) -> Iterator[Page]:
    with (
        serving(make_reading_app(site.open_room())) as url,
        open_window(browser, url) as window,
    ):
        window.page.goto("/")
        yield window.page
        assert window.strangers == []


def log_in(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")


def test_a_note_is_read_by_keys_alone(page: Page, site: ValidationSite) -> None:
    log_in(page, "anna")
    expect(page.get_by_role("heading", name="Note 1")).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".picked")).to_have_text(LEFT)
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Done: 1 mark")).to_be_visible()
    # Several words, taken away again.
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("d")
    page.keyboard.press("Backspace")
    expect(page.get_by_role("button", name="Done: 0 marks")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("n")
    assert find_barriers(page) == []
    assert not overflows(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Note 2")).to_be_visible()
    (kept,) = read_records(site.folder.readings("anna"))
    note = site.folder.read_sample()[0]
    (mark,) = kept["marks"]
    assert (note.text[mark["start"] : mark["end"]], mark["label"]) == (LEFT, "PATIENT")
    # Back to the note before, with its mark.
    page.keyboard.press("b")
    expect(page.get_by_role("heading", name="Note 1")).to_be_visible()
    expect(page.get_by_role("button", name="Done: 1 mark")).to_be_visible()


def test_the_clock_stops_and_goes_on(page: Page) -> None:
    log_in(page, "anna")
    expect(page.get_by_role("heading", name="Note 1")).to_be_visible()
    page.keyboard.press(" ")
    expect(page.get_by_text("paused")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("paused")).to_have_count(0)


def test_disputes_are_decided_by_keys_alone(page: Page, site: ValidationSite) -> None:
    notes = site.folder.read_sample()
    read_as(site, "anna", notes)
    read_as(site, "ben", notes, finds=0.0)
    log_in(page, "cleo")
    expect(page.get_by_role("heading", name="Note 1", exact=True)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("1 more place is to be decided")
    page.keyboard.press("y")
    assert find_barriers(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Note 2", exact=True)).to_be_visible()
    (kept,) = read_records(site.folder.adjudication)
    assert [place["label"] for place in kept["places"]] == ["PATIENT"]
    page.keyboard.press("x")
    page.keyboard.press("Enter")
    # Two leaks would have been too many for the plan: with one, it goes on.
    expect(page.get_by_role("heading", name="Note 3", exact=True)).to_be_visible()
