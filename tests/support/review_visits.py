"""What people do on the review page, in a browser."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from support.browser import WIDE, Window, find_barriers, open_window, overflows
from support.review_site import NOTES, PASSWORD, ReviewSite


@contextmanager
def visiting(
    browser: Browser, site: ReviewSite, *, size: tuple[int, int] = WIDE
) -> Generator[Window]:
    """Open the page; afterwards no script may have failed, and nothing elsewhere was asked for."""
    with open_window(browser, site.url, size=size) as window:
        window.page.goto("/")
        yield window
        assert window.strangers == []
        # A refusal is part of the visit; the console tells of each.
        refused = "Failed to load resource: the server responded with a status of 4"
        assert [fault for fault in window.faults if not fault.startswith(refused)] == []


def log_in(page: Page, name: str = "rita") -> None:
    """Log in, as somebody who may."""
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Work lists")).to_be_visible()


def upload(page: Page, notes: Mapping[str, str] = NOTES) -> None:
    """Upload text files, and wait until the first of them is shown with its output."""
    files = [
        FilePayload(name=n, mimeType="text/plain", buffer=t.encode()) for n, t in notes.items()
    ]
    page.get_by_label("Choose files").set_input_files(files)
    # Until a note was run, a sentence says that it is being read.
    expect(page.locator(".pane.output .text:not(.empty)")).not_to_be_empty()


def open_note(page: Page, name: str) -> None:
    """Open a note of the list."""
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("article", name=name)).to_be_visible()


def original(page: Page) -> Locator:
    """Return the text of the original."""
    return page.locator(".pane.original .text")


def output(page: Page) -> Locator:
    """Return the text of the output."""
    return page.locator(".pane.output .text")


def words(place: Locator) -> str:
    """Return the text of a pane, as the server sent it: labels are drawn beside it."""
    return place.text_content() or ""


def select_text(page: Page, text: str) -> None:
    """Select text in the original as a mouse does."""
    found = original(page).evaluate(
        """(place, text) => {
            const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const start = node.data.indexOf(text);
                if (start < 0) continue;
                const range = document.createRange();
                range.setStart(node, start);
                range.setEnd(node, start + text.length);
                window.getSelection().removeAllRanges();
                window.getSelection().addRange(range);
                place.dispatchEvent(new MouseEvent("mouseup", {bubbles: true}));
                return true;
            }
            return false;
        }""",
        text,
    )
    assert found


def check_view(page: Page) -> None:
    """Check that what is shown can be used by everybody, and fits its window."""
    assert find_barriers(page) == []
    assert not overflows(page)
