"""Who sees what on the review page, by keyboard, in narrow windows, and what the trail keeps."""

import pytest
from playwright.sync_api import Browser, Response, expect

from support.browser import NARROW
from support.review_site import NOTES, PASSWORD, ReviewSite
from support.review_visits import (
    check_view,
    log_in,
    open_note,
    original,
    output,
    upload,
    visiting,
    words,
)

pytestmark = pytest.mark.browser


def test_wrong_password_is_told_and_then_waited_for(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as window:
        page = window.page
        page.get_by_label("Name").fill("rita")
        for _ in range(5):
            page.get_by_label("Password").fill("wrong horse battery")
            page.get_by_role("button", name="Log in").click()
            expect(page.get_by_role("alert")).to_contain_text("is wrong")
            window.page.reload()
            page.get_by_label("Name").fill("rita")
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("alert")).to_contain_text("Try again in")
        assert site.audit() == []


def test_readers_receive_no_original(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as window:
        log_in(window.page)
        upload(window.page)
    with visiting(browser, site) as window:
        page, answers = window.page, list[Response]()

        def keep(answer: Response) -> None:
            answers.append(answer)

        page.on("response", keep)
        log_in(page, "rob")
        page.locator(".worklists .open").click()
        expect(output(page)).not_to_be_empty()
        expect(page.locator(".pane")).to_have_count(1)
        expect(page.get_by_role("button", name="Settings")).to_have_count(0)
        check_view(page)
        sent = "".join(answer.text() for answer in tuple(answers))
        assert words(output(page)) in sent.replace("\\n", "\n")
        for word in ("Foust", "Quill", "4471-0982", "foust.txt", "02/19/1956"):
            assert word not in sent


def test_page_is_used_by_keyboard_alone(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as window:
        page = window.page
        expect(page.get_by_label("Name")).to_be_focused()
        page.keyboard.type("rita")
        page.keyboard.press("Tab")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Work lists")).to_be_visible()
        upload(page)
        open_note(page, "foust.txt")
        page.keyboard.press("m")
        expect(page.get_by_label("Text to mark")).to_be_focused()
        page.keyboard.type("Zorbo")
        page.keyboard.press("Enter")
        expect(output(page)).not_to_contain_text("Zorbo")
        page.keyboard.press("u")
        expect(output(page)).to_contain_text("Zorbo")
        page.locator(".pane.original .text").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Remove this one")).to_be_focused()
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog")).to_be_visible()
        check_view(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        page.keyboard.press("a")
        expect(page.get_by_role("article", name="quill.txt")).to_be_visible()


def test_focus_goes_to_what_takes_the_place_of_what_had_it(
    browser: Browser, site: ReviewSite
) -> None:
    with visiting(browser, site) as window:
        page = window.page
        log_in(page)
        upload(page)
        expect(page.get_by_role("heading", name="foust.txt", exact=True)).to_be_focused()
        page.keyboard.press("m")
        page.keyboard.type("Zorbo")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Marked.")).to_be_visible()
        expect(original(page)).to_be_focused()
        output(page).locator("mark").first.focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Remove this one")).to_be_focused()
        page.keyboard.press("Escape")
        expect(output(page)).to_be_focused()
        page.get_by_role("button", name="Next note").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="quill.txt")).to_be_focused()


def test_everything_fits_a_narrow_window(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site, size=NARROW) as window:
        page = window.page
        check_view(page)
        log_in(page)
        check_view(page)
        upload(page)
        check_view(page)
        page.get_by_role("button", name="Output", exact=True).click()
        expect(output(page)).to_be_visible()
        page.get_by_role("button", name="Notes (").click()
        page.get_by_role("button", name="quill.txt").click()
        expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
        for tab, heading in (("Settings", "Keep as a policy"), ("Download", "Outputs")):
            page.get_by_role("button", name=tab, exact=True).click()
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
            check_view(page)


def test_every_view_edit_and_download_is_in_the_trail(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as window:
        page = window.page
        log_in(page)
        upload(page)
        open_note(page, "foust.txt")
        page.locator(".pane.original mark").first.click()
        page.get_by_role("button", name="Remove this one").click()
        expect(page.get_by_text("Removed.")).to_be_visible()
        with page.expect_download():
            page.get_by_role("button", name="Download output").click()
    records = site.audit()
    actions = [str(record["action"]).removeprefix("review-") for record in records]
    for action in ("login", "open", "upload", "view", "clear", "download"):
        assert action in actions
    assert {record["by"] for record in records} == {"rita"}
    trail = site.folder.trail.read_text()
    assert all(
        word not in trail for text in NOTES.values() for word in text.split() if len(word) > 5
    )
    assert all(name not in trail for name in NOTES)
