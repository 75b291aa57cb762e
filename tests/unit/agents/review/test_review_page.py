"""The review page in a browser: upload, mark, remove, settings, downloads."""

import re
import zipfile
from collections.abc import Iterator

import orjson
import pytest
from playwright.sync_api import Browser, Page, expect

from deidstream.agents.runtime.policy_files import find_policy
from deidstream.schemas.policy import Technique
from support.browser import NARROW, WIDE
from support.review_site import NOTES, ReviewSite
from support.review_visits import (
    check_view,
    log_in,
    open_note,
    original,
    output,
    select_text,
    upload,
    visiting,
    words,
)

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, site: ReviewSite) -> Iterator[Page]:
    with visiting(browser, site) as window:
        log_in(window.page)
        upload(window.page)
        open_note(window.page, "foust.txt")
        yield window.page


def span(page: Page, text: str, which: int = 0) -> None:
    original(page).locator("mark").filter(has_text=text).nth(which).click()


def choose(page: Page, name: str, value: str) -> None:
    page.get_by_role("combobox", name=name, exact=True).last.select_option(value)


def test_original_and_output_stand_side_by_side(page: Page) -> None:
    assert words(original(page)) == NOTES["foust.txt"].strip()
    made = words(output(page))
    assert "Foust" not in made
    assert "recheck in 3 weeks" in made
    expect(page.locator(".risk")).to_contain_text("risk 0.")
    mark = original(page).locator("mark").first
    mark.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("found by rules")
    expect(output(page).locator("mark.lit")).to_have_count(1)


def test_missed_word_is_marked_wherever_it_occurs(page: Page) -> None:
    assert words(output(page)).count("Zorbo") == 2
    select_text(page, "Zorbo")
    choose(page, "Label", "DEVICE")
    page.get_by_role("button", name="Mark all occurrences").click()
    expect(output(page)).not_to_contain_text("Zorbo")
    expect(original(page).locator("mark").filter(has_text="Zorbo")).to_have_count(2)
    open_note(page, "quill.txt")
    expect(output(page)).not_to_contain_text("Zorbo")


def test_one_place_is_marked_and_undone(page: Page) -> None:
    select_text(page, "3 weeks")
    choose(page, "Label", "DATE")
    page.get_by_role("button", name="Mark this one").click()
    expect(output(page)).not_to_contain_text("3 weeks")
    page.get_by_role("button", name="Undo").click()
    expect(output(page)).to_contain_text("3 weeks")


def test_a_name_marked_once_that_occurs_twice_is_held_back(page: Page) -> None:
    select_text(page, "Zorbo")
    choose(page, "Label", "PATIENT")
    page.get_by_role("button", name="Mark this one").click()
    expect(page.locator(".risk")).to_contain_text("left at another")
    expect(output(page)).to_contain_text("There is no output")


def test_one_occurrence_is_removed_then_all(page: Page) -> None:
    span(page, "03/04/2024")
    page.get_by_role("button", name="Remove this one").click()
    expect(output(page)).to_contain_text("03/04/2024")
    expect(output(page)).not_to_contain_text("02/19/1956")
    span(page, "419-555-0137")
    page.get_by_role("button", name="Remove all").click()
    expect(output(page)).to_contain_text("419-555-0137")


def test_label_is_changed(page: Page) -> None:
    span(page, "Harlan Tsosie")
    choose(page, "Label", "PATIENT")
    page.get_by_role("button", name="Change all").click()
    changed = original(page).locator("mark").filter(has_text="Harlan Tsosie")
    expect(changed).to_have_attribute("data-label", "patient")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_is_said_covers_nothing_and_goes_with_its_view(
    page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    said, main = page.locator(".said"), page.locator("main")
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(said).to_contain_text("Accepted.")
    over, under = said.bounding_box(), main.bounding_box()
    assert over
    assert under
    assert over["y"] + over["height"] <= under["y"]
    check_view(page)
    page.get_by_role("button", name="Settings").click()
    expect(said).to_be_empty()
    # Also where the page was scrolled, what an act has come to is in sight.
    page.get_by_role("button", name="Apply and run all notes again").scroll_into_view_if_needed()
    page.get_by_role("button", name="Apply and run all notes again").click()
    expect(said).to_contain_text("run again")
    expect(said).to_be_in_viewport()


def test_settings_are_applied_to_all_and_saved(page: Page, site: ReviewSite) -> None:
    page.get_by_role("button", name="Settings").click()
    choose(page, "Technique", "redact")
    choose(page, "doctor", "keep")
    choose(page, "Terms are", "DEVICE")
    page.get_by_label("Add a file").set_input_files(
        {"name": "pumps.txt", "mimeType": "text/plain", "buffer": b"# pumps\nZorbo\n"}
    )
    expect(page.get_by_text(re.compile(r"device: 1 term\b"))).to_be_visible()
    check_view(page)
    page.get_by_role("button", name="Apply and run all notes again").click()
    expect(page.get_by_text("All its notes are run again")).to_be_visible()
    page.get_by_role("textbox", name="Name").fill("ward-7")
    page.get_by_role("button", name="Save policy").click()
    expect(page.get_by_text("Saved as policy ward-7")).to_be_visible()
    policy = find_policy(str(site.folder.path / "policies" / "ward-7.toml"))
    assert policy.technique is Technique.REDACT
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download ward-7.toml").click()
    assert taken.value.path().read_bytes().startswith(b'technique = "redact"')
    page.get_by_role("button", name="Notes", exact=True).first.click()
    expect(output(page)).to_contain_text("[PATIENT]")
    expect(output(page)).to_contain_text("Harlan Tsosie")
    expect(output(page)).to_contain_text("[DEVICE]")


def test_wrong_settings_are_told(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    for label, added in (("HOSPITAL", "hospital: 1 term"), ("", "never PHI: 1 term")):
        choose(page, "Terms are", label)
        page.get_by_label("Add a file").set_input_files(
            {"name": "terms.txt", "mimeType": "text/plain", "buffer": b"Foust\n"}
        )
        expect(page.get_by_text(re.compile(rf"{added}\b"))).to_be_visible()
    page.get_by_role("button", name="Apply and run all notes again").click()
    expect(page.get_by_role("alert")).to_contain_text("is denied too")
    assert "Foust" not in page.get_by_role("alert").inner_text()


def test_outputs_are_downloaded_and_no_original(page: Page) -> None:
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download output").click()
    assert "Foust" not in taken.value.path().read_text()
    page.get_by_role("button", name="Download", exact=True).click()
    check_view(page)
    with page.expect_download() as taken:
        page.get_by_role("button", name="All as files (zip)").click()
    with zipfile.ZipFile(taken.value.path()) as archive:
        names = archive.namelist()
        assert len(names) == 3
        assert all(b"Foust" not in archive.read(name) for name in names)
    with page.expect_download() as taken:
        page.get_by_role("button", name="All as records (JSONL)").click()
    records = [orjson.loads(line) for line in taken.value.path().read_bytes().splitlines()]
    assert [record["schema"] for record in records] == [1, 1]


def test_accepting_goes_to_the_next_note(page: Page) -> None:
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    expect(page.locator(".sums")).to_contain_text("1 of 2 to review")
    page.get_by_role("button", name="Accept", exact=True).click()
    expect(page.get_by_text("No note is left to review")).to_be_visible()


def test_text_that_cannot_be_read_is_told(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as window:
        log_in(window.page)
        window.page.get_by_label("Choose files").set_input_files(
            {"name": "scan.xyz", "mimeType": "application/x", "buffer": b"\x00\x01"}
        )
        expect(window.page.get_by_role("alert")).to_contain_text("scan.xyz")
        assert site.desk.shelf.all() == []


def test_files_that_cannot_be_read_are_told_beside_those_that_can(
    browser: Browser, site: ReviewSite
) -> None:
    with visiting(browser, site) as window:
        log_in(window.page)
        upload(window.page, NOTES | {"scan.xyz": "x", "empty.txt": ""})
        told = window.page.get_by_role("alert")
        expect(told).to_contain_text("scan.xyz: files of this kind are not read")
        expect(told).to_contain_text("empty.txt: it has no text")


def test_panes_scroll_together(page: Page) -> None:
    original(page).evaluate("pane => { pane.style.maxHeight = '60px'; pane.style.flex = 'none'; }")
    output(page).evaluate("pane => { pane.style.maxHeight = '60px'; pane.style.flex = 'none'; }")
    original(page).hover()
    page.mouse.wheel(0, 60)
    expect(output(page)).not_to_have_js_property("scrollTop", 0)


def test_filters_choose_notes(page: Page) -> None:
    choose(page, "Label", "MEDICALRECORD")
    expect(page.locator(".rows .entry")).to_have_count(1)
    expect(page.locator(".rows")).to_contain_text("quill.txt")
    choose(page, "Label", "")
    choose(page, "State", "accepted")
    expect(page.get_by_text("No note fits the filter.")).to_be_visible()


def test_list_is_forgotten(page: Page, site: ReviewSite) -> None:
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="All lists").click()
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("There is no list yet")).to_be_visible()
    assert site.desk.shelf.all() == []


def test_login_that_has_ended_is_told(page: Page, site: ReviewSite) -> None:
    page.get_by_role("button", name="All lists").click()
    # The page asks for the lists every few seconds.
    site.desk.visits.idle_seconds = 0
    expect(page.get_by_role("alert")).to_contain_text("You were logged out")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
