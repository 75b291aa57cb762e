"""The page at ``/docs``: open, nothing from elsewhere, and a form that calls the interface."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, expect

from support.api_server import api_server
from support.api_site import TEXT, with_api
from support.browser import NARROW, find_barriers, open_window, overflows

TOKEN = "k" * 20


def test_the_page_needs_no_token_and_says_nothing_of_the_server() -> None:
    async def ask(client: httpx.AsyncClient) -> list[httpx.Response]:
        paths = ("/", "/docs", "/docs/api.js", "/docs/api.css", "/openapi.json")
        return [await client.get(path) for path in paths]

    replies = with_api(ask, {"token": TOKEN})
    assert [reply.status_code for reply in replies] == [307, 200, 200, 200, 401]
    assert "script-src 'self'" in replies[1].headers["Content-Security-Policy"]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with api_server({"token": TOKEN}) as address:
        yield address


@pytest.mark.browser
@pytest.mark.slow
def test_the_form_sends_a_note_after_the_token(browser: Browser, url: str) -> None:
    with open_window(browser, url, size=NARROW, scheme="dark") as window:
        page = window.page
        page.goto("/docs")
        expect(page.locator("#state")).to_contain_text("asks for a token")
        window.faults.clear()  # the console tells of the status 401
        page.fill("#token", TOKEN)
        page.click("#key button")
        expect(page.locator("#operation option")).not_to_have_count(0)
        assert "note-1" in page.input_value("#body")
        page.fill("#body", f'{{"note": {{"text": "{TEXT}"}}}}')
        page.click("#call button")
        expect(page.locator("#status")).to_contain_text("Status 200")
        expect(page.locator("#answer")).to_contain_text('"status": "anonymized"')
        assert "Vanterpool" not in page.inner_text("#answer")
        assert TOKEN not in page.inner_text("#curl")
        assert find_barriers(page) == []
        assert not overflows(page)
        assert (window.faults, window.strangers) == ([], [])
