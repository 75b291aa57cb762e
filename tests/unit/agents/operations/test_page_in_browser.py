"""The operations page in a browser: complete, accessible, live, and honest when it is not."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from support.browser import NARROW, WIDE, Window, find_barriers, open_window, overflows
from support.echo_site import EchoSite, numbered
from support.kafka import Kafka
from support.processes import wait_until
from support.sample_figures import sample_live_figures, served

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with served(sample_live_figures(time.time())) as address:
        yield address


def opened(window: Window) -> Page:
    """The page of a window, with its first figures."""
    window.page.goto("/")
    expect(window.page.locator("#link")).to_have_text("live")
    return window.page


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_bars_anybody(
    browser: Browser, url: str, size: tuple[int, int], scheme: Literal["light", "dark"]
) -> None:
    with open_window(browser, url, size=size, scheme=scheme) as window:
        page = opened(window)
        assert find_barriers(page) == []
        assert not overflows(page)
        assert (window.faults, window.strangers) == ([], [])


def test_every_part_has_its_figures(browser: Browser, url: str) -> None:
    with open_window(browser, url) as window:
        page = opened(window)
        said = page.inner_text("main")
        for expected in (
            "bad json",
            "detect",
            "recalled",
            "medical record",
            "worker-2:8080",
            "abababababab",
            "stalled",
            "14.2",
        ):
            assert expected in said, expected
        concerns = page.locator("#concerns li")
        expect(concerns.first).to_contain_text("Alarm")
        assert "EntityRateDrift" in page.inner_text("#concerns")
        assert "PATIENT is found 71% less often" in page.inner_text("#concerns")
        assert page.inner_text("#concerns").count("RedisFull") == 1
        first_label = page.locator("#labels tbody th").first
        assert first_label.inner_text() == "patient"
        # The state is said in words, not by colour alone.
        assert "warning" in page.inner_text("#drift")
        assert "fell: " in page.inner_text("#labels")
        assert page.locator("#plot polyline").count() == 1
        rows = page.locator("#standing tbody tr")
        assert "not proved" in rows.nth(0).inner_text()
        assert "over the plan" in rows.nth(1).inner_text()
        assert "within the plan" in rows.nth(2).inner_text()
        assert "progress note" in rows.nth(2).inner_text()
        assert "2026-W48" in page.locator("#standing-weeks tbody tr").first.inner_text()
        assert "2 notes wait for the adjudicator" in page.inner_text("#standing-says")


def test_the_keyboard_reaches_the_figures(browser: Browser, url: str) -> None:
    with open_window(browser, url) as window:
        page = opened(window)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "figures"
        for _ in range(6):
            page.keyboard.press("Tab")
        box = "document.activeElement.getAttribute('aria-label')"
        assert page.evaluate(box) == "Identifiers per 1,000 notes by label"
        # A box keeps its focus when the figures change.
        page.wait_for_timeout(2_500)
        assert page.evaluate(box) == "Identifiers per 1,000 notes by label"


def test_figures_of_a_time_are_under_the_pointer_and_the_arrow_keys(
    browser: Browser, url: str
) -> None:
    with open_window(browser, url) as window:
        page = opened(window)
        plot, words = page.get_by_role("slider"), page.locator("#plot-point span")
        expect(words).to_be_hidden()
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
        expect(words).to_contain_text("notes/s")
        assert find_barriers(page) == []
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 60)
        expect(words).to_be_hidden()
        plot.focus()
        page.keyboard.press("End")
        last = plot.get_attribute("aria-valuetext")
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
        assert plot.get_attribute("aria-valuetext") != last
        said = words.inner_text()
        # The moment stays chosen when figures come, and the chart moves.
        page.wait_for_timeout(6_000)
        expect(words).to_have_text(said)
        page.keyboard.press("Home")
        expect(plot).to_have_attribute("aria-valuenow", "0")
        page.keyboard.press("Escape")
        expect(words).to_be_hidden()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_range_is_chosen_and_stays_chosen(
    browser: Browser, url: str, size: tuple[int, int]
) -> None:
    with open_window(browser, url, size=size, scheme="dark") as window:
        page = opened(window)
        expect(page.locator("#plot-along li").first).to_have_text("15 min ago")
        expect(page.locator(".unit")).to_have_text("notes/s")
        page.get_by_role("button", name="24 hours").click()
        expect(page.locator("#plot-along li").first).to_have_text("24 h ago")
        expect(page.locator("#plot-says")).to_contain_text("each point 8 minutes")
        expect(page.locator("#plot-says")).to_contain_text("Counted since")
        page.get_by_role("slider").focus()
        page.keyboard.press("Home")
        expect(page.locator("#plot-point span")).to_contain_text("no figures")
        assert find_barriers(page) == []
        assert not overflows(page)
        page.reload()
        expect(page.get_by_role("button", name="24 hours")).to_have_attribute(
            "aria-pressed", "true"
        )


def test_a_token_is_asked_once_for_each_tab(browser: Browser) -> None:
    with served(sample_live_figures(time.time()), token="open sesame") as address:
        with open_window(browser, address) as window:
            page = window.page
            page.goto("/")
            expect(page.locator("#ask")).to_be_visible()
            expect(page.locator("main")).to_be_hidden()
            assert find_barriers(page) == []
            page.keyboard.type("wrong")
            page.keyboard.press("Enter")
            expect(page.locator("#refused")).to_have_text("The worker refuses this token.")
            page.fill("#token", "open sesame")
            page.keyboard.press("Enter")
            expect(page.locator("main")).to_be_visible()
            expect(page.locator("#ask")).to_be_hidden()
            page.reload()
            expect(page.locator("#link")).to_have_text("live")
            assert "sesame" not in page.content()
        with open_window(browser, address) as other:
            other.page.goto("/")
            expect(other.page.locator("#ask")).to_be_visible()


def test_old_figures_are_marked_when_the_worker_is_gone(browser: Browser) -> None:
    with ExitStack() as stack:
        with served(sample_live_figures(time.time())) as address:
            window = stack.enter_context(open_window(browser, address))
            opened(window)
        link = window.page.locator("#link")
        expect(link).to_contain_text("these figures are old", timeout=20_000)
        expect(window.page.locator("body")).to_have_class("stale")


@pytest.mark.broker
def test_figures_move_while_notes_flow(
    browser: Browser, kafka: Kafka, redis_url: str, tmp_path: Path
) -> None:
    site = EchoSite(kafka, redis_url, tmp_path, settings={"DEIDSTREAM_REDIS_DEPLOYMENT": "page"})
    try:
        first, second = site.start_worker(), site.start_worker()
        urls = [site.address(worker) for worker in (first, second)]
        site.send(numbered(0, 400))
        site.wait_for(400, 120)
        with open_window(browser, urls[0]) as window:
            page = opened(window)
            # Both workers hold partitions, and the page of one shows the other.
            expect(page.locator("#workers tbody tr")).to_have_count(2)
            total = page.locator("#tiles div").first.locator("small")
            expect(total).to_have_text("400 since start", timeout=30_000)
            site.send(numbered(400, 1_000))
            expect(total).to_have_text("1,000 since start", timeout=60_000)
            wait_until(lambda: speed(page) > 0, seconds=20)
            expect(page.locator("#plot-says")).to_contain_text("most", timeout=10_000)
            assert (window.faults, window.strangers) == ([], [])
            second.stop(40)
            expect(page.locator("#workers tbody tr")).to_have_count(1, timeout=40_000)
    finally:
        site.stop()


def speed(page: Page) -> float:
    return float(page.locator("#tiles div").first.locator("b").inner_text().replace(",", ""))
