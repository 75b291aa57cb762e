"""Pages printed by a real Chromium."""

import pytest

from deidstream.schemas.errors import InvalidSettings
from deidstream.study.evaluation.print_page import print_page
from support.browser import CHROMIUM

PAGE = b"<!doctype html><title>A page</title><p>Figures alone."


@pytest.mark.browser
@pytest.mark.slow
def test_page_becomes_a_pdf() -> None:
    assert print_page(PAGE, CHROMIUM).startswith(b"%PDF-")


def test_absent_program_is_named() -> None:
    with pytest.raises(InvalidSettings, match="there is no program no-such-browser"):
        print_page(PAGE, "no-such-browser")


def test_program_that_prints_nothing_is_named() -> None:
    with pytest.raises(InvalidSettings, match="true printed nothing: FileNotFoundError"):
        print_page(PAGE, "true")
