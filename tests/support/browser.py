"""Chromium for the tests of pages: headless, without a network but this machine's own servers."""

import json
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

CHROMIUM = "chromium"
AXE = Path(__file__).parents[2] / ".cache/browser/node_modules/axe-core/axe.min.js"
_BARRED = frozenset({"serious", "critical"})
_LIMIT_MS = 20_000
"""How long a slow machine may take for what a test waits for."""
WIDE, NARROW = (1280, 800), (390, 844)
"""Sizes of a laptop's window and of a telephone's."""


def missing() -> str | None:
    """Say what keeps the tests of pages from running; ``None`` when nothing does."""
    if shutil.which(CHROMIUM) is None:
        return "no chromium on the path (run: make services)"
    return None if AXE.exists() else "no axe-core in .cache/browser (run: make services)"


@contextmanager
def running_browser() -> Generator[Browser]:
    """Run a Chromium; each test opens a context of its own in it (:func:`open_window`).

    While it runs, Playwright's event loop counts as the running one of this thread:
    ``asyncio.run`` is for tests without a browser, or for another thread.
    """
    expect.set_options(timeout=_LIMIT_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which(CHROMIUM), args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            yield browser
        finally:
            browser.close()


@dataclass(frozen=True, slots=True)
class Window:
    """A page in a context of its own, and what went wrong in it."""

    page: Page
    context: BrowserContext
    faults: list[str] = field(default_factory=list[str])
    """Errors of scripts and of the console, violations of the CSP among them."""
    strangers: list[str] = field(default_factory=list[str])
    """Requests to anything but the page's own server: there must be none."""


@contextmanager
def open_window(
    browser: Browser,
    base_url: str,
    *,
    size: tuple[int, int] = WIDE,
    scheme: Literal["light", "dark"] = "light",
    ignore_https_errors: bool = False,
) -> Generator[Window]:
    """Open an empty window on a server, with cookies of its own; motion is reduced.

    Args:
        browser: Of :func:`running_browser`.
        base_url: Address of the server; ``page.goto("/")`` goes there.
        size: Width and height, in CSS pixels.
        scheme: Colours that the reader prefers.
        ignore_https_errors: Whether a certificate that nobody vouches for is accepted.
    """
    context = browser.new_context(
        base_url=base_url,
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,
        reduced_motion="reduce",
        accept_downloads=True,
        ignore_https_errors=ignore_https_errors,
    )
    context.set_default_timeout(_LIMIT_MS)
    page = context.new_page()
    window = Window(page, context)
    page.on("pageerror", lambda error: window.faults.append(str(error)))
    page.on(
        "console", lambda line: window.faults.append(line.text) if line.type == "error" else None
    )
    own = (base_url, "data:", "blob:")
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith(own) else window.strangers.append(request.url)
        ),
    )
    try:
        yield window
    finally:
        context.close()


def find_barriers(page: Page) -> list[str]:
    """Return what axe-core finds serious or critical on a page, a line for each element."""
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{rule['id']} ({rule['impact']}): {json.dumps(node['target'])} {node['failureSummary']}"
        for rule in found["violations"]
        if rule["impact"] in _BARRED
        for node in rule["nodes"]
    ]


def overflows(page: Page) -> bool:
    """Return whether a page is wider than its window, so that it must be scrolled sideways."""
    wide: bool = page.evaluate(
        "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    )
    return wide
