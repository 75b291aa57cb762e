"""The browser that the tests of pages rely on sees what those tests take for granted."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser

from support.browser import find_barriers, open_window, overflows
from support.ports import LOOPBACK

PAGE = b"""<!doctype html><html lang="en"><title>t</title><h1>Notes</h1>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<p style="width: 900px">wide</p><script>fail()</script>"""


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    server = ThreadingHTTPServer((LOOPBACK, 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://{LOOPBACK}:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.browser
def test_faults_barriers_and_sideways_scrolling_are_seen(browser: Browser, url: str) -> None:
    with open_window(browser, url, size=(390, 800)) as window:
        window.page.goto("/")
        assert any("fail is not defined" in fault for fault in window.faults)
        assert any(line.startswith("image-alt (critical)") for line in find_barriers(window.page))
        assert overflows(window.page)
        assert window.strangers == []


@pytest.mark.browser
def test_other_servers_are_seen(browser: Browser, url: str) -> None:
    with open_window(browser, url) as window:
        window.page.goto("/")
        elsewhere = url.replace(LOOPBACK, "localhost")
        window.page.evaluate("where => fetch(where, {mode: 'no-cors'})", elsewhere)
        assert window.strangers == [f"{elsewhere}/"]
