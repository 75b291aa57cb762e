"""What happens on the review page while an answer of its server is still under way."""

import threading
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from deidstream.agents.review.worklist import ReviewVerdict
from support.browser import Window
from support.review_site import ReviewSite
from support.review_visits import (
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
def window(browser: Browser, site: ReviewSite) -> Iterator[Window]:
    with visiting(browser, site) as opened:
        log_in(opened.page)
        upload(opened.page)
        open_note(opened.page, "foust.txt")
        yield opened


@pytest.fixture
def page(window: Window) -> Page:
    return window.page


def hold(page: Page, address: str) -> list[Route]:
    """Hold requests back until the test lets them go on."""
    held = list[Route]()

    def keep(route: Route) -> None:
        held.append(route)

    page.route(address, keep)
    return held


def let_go(page: Page, held: list[Route]) -> None:
    """Let the one request go on that is held back, which may still be on its way to here."""
    for _ in range(200):
        if held:
            break
        page.wait_for_timeout(100)
    (route,) = held
    route.continue_()


def verdicts(site: ReviewSite) -> list[object]:
    return [one["note"] for one in site.audit() if one["action"] == "review-verdict"]


def test_note_that_is_not_shown_yet_is_not_accepted(page: Page, site: ReviewSite) -> None:
    held = hold(page, "**/notes/2")
    page.keyboard.press("a")
    expect(page.get_by_text("Notes are being read")).to_be_visible()
    page.keyboard.press("a")
    page.keyboard.press("a")
    let_go(page, held)
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    assert verdicts(site) == [1]
    page.keyboard.press("a")
    expect(page.get_by_text("No note is left to review")).to_be_visible()
    assert verdicts(site) == [1, 2]


def test_note_that_was_accepted_is_not_the_next_one(page: Page, site: ReviewSite) -> None:
    (worklist,) = site.desk.shelf.all()
    # The page learns of both verdicts by the answers to them alone.
    hold(page, f"**/api/lists/{worklist.id}")
    page.keyboard.press("a")
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    expect(page.get_by_text("1 of 2 to review")).to_be_visible()
    page.keyboard.press("a")
    expect(page.get_by_text("No note is left to review")).to_be_visible()
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    assert verdicts(site) == [1, 2]


def test_reviewer_who_has_gone_on_stays_there(page: Page) -> None:
    held = hold(page, "**/notes/1/edits")
    select_text(page, "Zorbo")
    page.get_by_role("button", name="Mark all occurrences").click()
    expect(page.get_by_role("button", name="Mark this one")).to_be_disabled()
    page.get_by_role("button", name="Next note").click()
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    let_go(page, held)
    expect(page.get_by_text("Marked.")).to_be_visible()
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    # The edit concerned this note too, and what is shown of it follows.
    expect(original(page).locator("mark").filter(has_text="Zorbo")).to_have_count(1)
    expect(output(page)).not_to_contain_text("Zorbo")


def test_note_that_an_edit_changes_is_not_judged_meanwhile(page: Page, site: ReviewSite) -> None:
    held = hold(page, "**/notes/1/edits")
    select_text(page, "Zorbo")
    page.get_by_role("button", name="Mark all occurrences").click()
    expect(page.get_by_role("button", name="Mark this one")).to_be_disabled()
    page.keyboard.press("a")
    expect(page.get_by_text("The last step still runs.")).to_be_visible()
    page.get_by_role("button", name="Accept").click()
    let_go(page, held)
    expect(page.get_by_text("Marked.")).to_be_visible()
    expect(page.get_by_role("article", name="foust.txt")).to_be_visible()
    assert verdicts(site) == []


def test_outcome_that_is_not_on_the_screen_is_not_accepted(page: Page, site: ReviewSite) -> None:
    (worklist,) = site.desk.shelf.all()

    def run_again(route: Route) -> None:
        # Somebody else's edit comes first, and the page has already said what it saw.
        worklist.notes[1].runs += 1
        worklist.notes[1].verdict = ReviewVerdict.CORRECTED
        route.continue_()

    page.route("**/notes/1/verdict", run_again, times=1)
    page.keyboard.press("a")
    expect(page.get_by_role("alert")).to_contain_text("was run again meanwhile")
    expect(page.get_by_role("button", name="Corrected ✓")).to_be_visible()
    assert verdicts(site) == []
    page.keyboard.press("a")
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    assert verdicts(site) == [1]


def test_note_whose_answer_was_lost_is_asked_for_again(window: Window) -> None:
    page = window.page
    page.route("**/notes/2", lambda route: route.abort(), times=1)
    page.keyboard.press("n")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    # The console tells of the request that failed.
    window.faults.clear()


def test_login_that_could_not_be_ended_goes_on(window: Window) -> None:
    page = window.page
    page.route("**/api/logout", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    expect(page.get_by_role("article", name="foust.txt")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_text("You are logged out.")).to_be_visible()
    window.faults.clear()


def test_list_that_becomes_ready_does_not_take_the_place_of_another(page: Page) -> None:
    page.get_by_role("button", name="All lists").click()
    held = hold(page, "**/run")
    page.get_by_role("button", name="Open sample notes").click()
    expect(page.get_by_text("Opening")).to_be_visible()
    page.get_by_role("button", name="foust.txt and 1 more").first.click()
    expect(page.get_by_role("article", name="foust.txt")).to_be_visible()
    let_go(page, held)
    expect(page.get_by_text("this list is ready")).to_be_visible()
    expect(page.get_by_role("article", name="foust.txt")).to_be_visible()


def test_letter_of_a_long_note_is_found_in_no_time(page: Page) -> None:
    places, milliseconds = page.evaluate("""async () => {
        const { findPlaces } = await import("/static/review/text.js");
        const start = performance.now();
        const places = findPlaces([{ text: "\\u{1f600}e".repeat(50000) }], "e");
        return [places, performance.now() - start];
    }""")
    assert [places[0], places[-1]] == [{"start": 1, "end": 2}, {"start": 99_999, "end": 100_000}]
    assert milliseconds < 10_000


def test_page_goes_on_after_a_server_that_was_away_for_a_moment(
    window: Window, site: ReviewSite
) -> None:
    page = window.page
    (worklist,) = site.desk.shelf.all()
    failed = threading.Event()

    def fail_once(route: Route) -> None:
        if failed.is_set():
            route.continue_()
        else:
            failed.set()
            route.abort()

    page.route(f"**/api/lists/{worklist.id}", fail_once)
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached", timeout=15_000)
    with page.expect_response(f"**/api/lists/{worklist.id}", timeout=15_000) as answer:
        pass
    assert answer.value.ok
    expect(page.get_by_role("alert")).to_have_count(0)
    # The console tells of the request that failed.
    window.faults.clear()


def test_login_ends_though_the_page_is_left_open(page: Page, site: ReviewSite) -> None:
    # What is asked from here on, the page asks by itself.
    with page.expect_response("**/notes/2"):
        open_note(page, "quill.txt")
    passed = 0.0
    site.desk.visits.clock = lambda: time.monotonic() + passed
    (worklist,) = site.desk.shelf.all()
    for passed in (500.0, 1_000.0):  # noqa: B007 - the clock reads it
        with page.expect_response(f"**/api/lists/{worklist.id}", timeout=15_000):
            pass
    expect(page.get_by_role("alert")).to_contain_text("You were logged out")
    expect(original(page)).to_have_count(0)


def test_key_that_is_held_down_accepts_one_note(page: Page, site: ReviewSite) -> None:
    page.keyboard.down("a")
    expect(page.get_by_role("article", name="quill.txt")).to_be_visible()
    page.keyboard.down("a")
    page.keyboard.up("a")
    page.keyboard.press("p")
    expect(page.get_by_role("article", name="foust.txt")).to_be_visible()
    assert verdicts(site) == [1]


def test_lists_of_terms_that_are_read_together_are_all_kept(page: Page) -> None:
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Add a file").wait_for(state="attached")
    # The first is still being read when the second comes.
    page.evaluate("""() => {
        const read = File.prototype.text;
        let calls = 0;
        File.prototype.text = function () {
            calls += 1;
            const wait = calls === 1 ? 300 : 0;
            return new Promise((done) => setTimeout(done, wait)).then(() => read.call(this));
        };
    }""")
    for name in ("first", "second"):
        page.get_by_label("Add a file").set_input_files(
            {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": name.encode()}
        )
    expect(page.get_by_text("hospital: 2 terms")).to_be_visible()


def test_file_with_a_long_name_is_read(browser: Browser, site: ReviewSite) -> None:
    with visiting(browser, site) as opened:
        log_in(opened.page)
        upload(opened.page, {"記" * 240 + ".txt": "Seen on 03/04/2024."})
        expect(output(opened.page)).to_contain_text("Seen on")


def test_letters_typed_right_after_m_are_the_text_to_mark(window: Window) -> None:
    page = window.page
    page.keyboard.press("m")
    page.keyboard.type("Zorba")
    expect(page.get_by_label("Text to mark")).to_have_value("Zorba")
