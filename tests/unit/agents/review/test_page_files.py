"""The files of the page come from where they say, and load nothing from elsewhere."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

from support.browser import AXE

STATIC = Path(__file__).parents[4] / "agents" / "static"
LIBRARY = STATIC / "vendor" / "htm-preact.js"


def test_library_has_its_recorded_digest() -> None:
    digest = sha256(LIBRARY.read_bytes()).hexdigest()
    assert digest in (STATIC / "vendor" / "README.md").read_text()


@pytest.mark.browser
def test_library_is_that_of_the_package() -> None:
    package = AXE.parents[1] / "htm" / "preact" / "standalone.module.js"
    assert package.read_bytes() == LIBRARY.read_bytes()


def test_page_names_no_other_server() -> None:
    for path in (STATIC / "review").iterdir():
        found = re.findall(r"https?://[^\s\"'`)]+", path.read_text())
        assert set(found) <= {"http://www.w3.org/2000/svg"}, path.name


def test_page_has_no_inline_script_or_style() -> None:
    text = (STATIC / "review" / "review.html").read_text()
    assert not re.search(r"<style|<script(?![^>]*src=)|\son\w+=|\sstyle=", text)
