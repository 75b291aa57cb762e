"""The list of red and yellow notes in a browser, as a reviewer and as a reader see it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from deidstream.agents.review import kafka_list_routes
from deidstream.agents.review.original_search import FoundOriginal
from deidstream.agents.review.risk_source import RiskChoice, RiskyNote, RiskyNotes
from deidstream.agents.review.run_review import make_desk
from deidstream.agents.review.stream_risk import StreamRisk
from deidstream.agents.settings import Settings
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Coordinates, RiskLevel
from support.review_site import (
    NOTES,
    POLICY,
    ReviewSite,
    make_review_desk,
    running_review,
)
from support.review_visits import check_view, log_in, original, output, visiting, words

RED, LOST = "4d" * 16, "5e" * 16


@pytest.fixture
def site(tmp_path: Path) -> Iterator[ReviewSite]:
    desk = make_review_desk(tmp_path)
    review = replace(desk.settings.review, risk=True)
    desk.settings = replace(desk.settings, review=review)
    with running_review(tmp_path, desk) as running:
        yield running


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[RiskChoice]:
    """A stream of two red notes, of which one has no original; and what was asked of it."""
    choices = list[RiskChoice]()
    note = RawNote("n-1", "p-1", NOTES["foust.txt"])
    found = FoundOriginal(note, Coordinates("notes.raw", 2, 41), 0)

    async def read(_settings: Settings, _keys: object, choice: RiskChoice) -> RiskyNotes:
        choices.append(choice)
        if choice.hours > 100:
            raise Unavailable("kafka")  # noqa: EM101
        risks = [
            StreamRisk(name * 2, name, RiskLevel.RED, 0.31, ("RARE_WORDS",), 1_700_000_000)
            for name in (RED, LOST)
        ]
        notes = [RiskyNote(risks[0], found), RiskyNote(risks[1], None)]
        return RiskyNotes(notes, 2, whole_span=False, whole_search=True)

    monkeypatch.setattr(kafka_list_routes, "read_risky", read)
    return choices


def open_stream(page: Page) -> None:
    page.get_by_role("button", name="Open notes of the stream").click()


@pytest.mark.browser
def test_red_notes_of_the_stream_are_opened(
    browser: Browser, site: ReviewSite, asked: list[RiskChoice]
) -> None:
    with visiting(browser, site) as window:
        page = window.page
        log_in(page)
        page.get_by_label("Notes of the stream").select_option("red alone")
        page.get_by_label("Written in").select_option("the last hour")
        check_view(page)
        open_stream(page)
        expect(page.get_by_role("heading", name="Red notes")).to_be_visible()
        expect(output(page)).not_to_be_empty()
        assert words(original(page)) == NOTES["foust.txt"]
        expect(page.locator(".emitted")).to_contain_text("In the stream: ▲ red risk 0.31")
        expect(page.locator(".emitted")).to_contain_text("has not made that output")
        expect(page.get_by_text("From the stream: notes.raw/2/41")).to_be_visible()
        expect(page.get_by_text("Only the newest 100,000 records")).to_be_visible()
        page.get_by_text("1 without original").click()
        expect(page.get_by_text(LOST)).to_be_visible()
        check_view(page)
    assert asked == [RiskChoice(frozenset({RiskLevel.RED}), 1, kafka_list_routes.MOST_RISKY)]


@pytest.mark.browser
def test_readers_see_the_risk_of_the_stream_and_no_original(
    browser: Browser, site: ReviewSite, asked: list[RiskChoice]
) -> None:
    with visiting(browser, site) as window:
        log_in(window.page)
        open_stream(window.page)
        expect(output(window.page)).not_to_be_empty()
    with visiting(browser, site) as window:
        page = window.page
        log_in(page, "rob")
        page.get_by_role("button", name="Red and yellow notes").click()
        expect(output(page)).not_to_be_empty()
        expect(page.locator(".emitted")).to_contain_text("risk 0.31")
        expect(original(page)).to_have_count(0)
        expect(page.get_by_text("notes.raw")).to_have_count(0)
    assert len(asked) == 1


@pytest.mark.browser
def test_kafka_that_is_away_is_told(
    browser: Browser, site: ReviewSite, asked: list[RiskChoice]
) -> None:
    with visiting(browser, site) as window:
        log_in(window.page)
        window.page.get_by_label("Written in").select_option("the last 30 days")
        open_stream(window.page)
        expect(window.page.get_by_role("alert")).to_contain_text("cannot be reached")
        expect(window.page.get_by_text("There is no list yet")).to_be_visible()
        # The console tells of every failure; this one was meant.
        window.faults.clear()
    assert len(asked) == 1


def test_page_without_the_key_of_the_worker_is_refused(tmp_path: Path) -> None:
    review = replace(make_review_desk(tmp_path).settings.review, risk=True)
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_KEY_FILE"):
        make_desk(Settings(policy=str(POLICY), review=review))
