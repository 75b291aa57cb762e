"""The documentation as pages: built strictly, without a network, and readable on a telephone."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from support.browser import NARROW, WIDE, find_barriers, open_window, overflows
from support.static_pages import serving

ROOT = Path(__file__).parents[2]
FETCHED = re.compile(
    r"""<(?:script|link|img|iframe|source)[^>]*\b(?:src|href)=["']?(https?:[^"' >]+)"""
)
READ = ("index", "quick-start", "policies/keys", "kubernetes", "changelog", "adr/index")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as ``make docs`` does, elsewhere."""
    place = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(place)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(  # noqa: S603 - our own words
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture(scope="module")
def url(site: Path) -> Iterator[str]:
    with serving(site) as address:
        yield address


@pytest.mark.slow
def test_every_page_is_built(site: Path) -> None:
    written = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    pages = {path.with_name(path.name.replace("README", "index")) for path in written}
    assert [path for path in pages if not (site / path).with_suffix(".html").exists()] == []
    assert (site / "changelog.html").exists()


@pytest.mark.slow
def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert pages
    assert {url for page in pages for url in FETCHED.findall(page.read_text("utf-8"))} == set()
    styles = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(['\"]?https?:[^)]*\)|@import[^;]*http", styles) == []


@pytest.mark.browser
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("page", READ)
def test_a_page_can_be_read(browser: Browser, url: str, page: str, size: tuple[int, int]) -> None:
    with open_window(browser, url, size=size) as window:
        window.page.goto(f"/{page}.html")
        assert window.page.locator("h1").count() == 1
        assert not overflows(window.page)
        assert window.strangers == []
        assert window.faults == []


@pytest.mark.browser
def test_the_start_page_has_no_barriers(browser: Browser, url: str) -> None:
    with open_window(browser, url) as window:
        window.page.goto("/index.html")
        assert find_barriers(window.page) == []


@pytest.mark.browser
def test_the_start_page_says_what_it_is_for_whom_and_how_to_begin(
    browser: Browser, url: str
) -> None:
    with open_window(browser, url, size=WIDE) as window:
        window.page.goto("/index.html")
        for words in ("replaces what identifies", "make demo", "docker compose", "EHR feed"):
            box = window.page.get_by_text(words).first.bounding_box()
            assert box
            assert box["y"] + box["height"] < WIDE[1]
