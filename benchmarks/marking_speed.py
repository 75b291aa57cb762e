"""Measure how many identifiers an hour can be marked on the review page by keyboard alone.

A script presses the keys that a reader would: ``m``, the text, ``Enter``, and ``a`` at the end of a
note. It reads and thinks in no time, so the figure is what the page allows: how long it takes from
the first key until the page has run the note again and takes the next key.

    PYTHONPATH=tests python benchmarks/marking_speed.py
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, expect

from support.browser import running_browser
from support.review_site import running_review
from support.review_visits import log_in, open_note, upload, visiting

NAMES = ("Kuznetsov", "Okonkwo", "Delacroix", "Marchetti", "Lindqvist", "Abernathy")
"""Written without a cue, so that no rule finds them."""


def mark(page: Page, text: str) -> float:
    """Mark a text by keys; return the seconds until the page shows it."""
    began = time.perf_counter()
    page.keyboard.press("m")
    expect(page.get_by_label("Text to mark")).to_be_focused()
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    marked = page.locator(".pane.original mark:not(.suspect)").filter(has_text=text)
    expect(marked).to_have_count(1)
    expect(page.locator(".pane.original .text")).to_be_focused()
    return time.perf_counter() - began


def main() -> None:
    """Print the median of a mark, and marks an hour."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--notes", type=int, default=4)
    notes = parser.parse_args().notes
    # Each note has its own names: a mark is of all occurrences in the list.
    texts = {
        f"note {number}.txt": [f"{name}{chr(97 + number)}" for name in NAMES]
        for number in range(notes)
    }
    files = {
        file: "".join(f"Result {n} to {name} by hand.\n" for n, name in enumerate(names))
        for file, names in texts.items()
    }
    seconds: list[float] = []
    with (
        tempfile.TemporaryDirectory() as home,
        running_review(Path(home)) as site,
        running_browser() as browser,
        visiting(browser, site) as window,
    ):
        page = window.page
        log_in(page)
        upload(page, files)
        began = time.perf_counter()
        for file, names in texts.items():
            open_note(page, file)
            seconds += [mark(page, name) for name in names]
            page.keyboard.press("a")
        whole = time.perf_counter() - began
    median, hourly = statistics.median(seconds), 3600 * len(seconds) / whole
    print(f"{len(seconds)} marks: median {median:.2f} s, most {max(seconds):.2f} s")
    print(f"{hourly:,.0f} marks an hour, with opening and accepting {notes} notes")


if __name__ == "__main__":
    main()
