"""Packages import each other in no circle; ``make structure`` prints all else that is counted."""

from pathlib import Path

import pytest
from code_graph import Source, cycles

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def source() -> Source:
    return Source(ROOT)


@pytest.mark.parametrize("unit", ["package", "room"])
def test_packages_import_in_no_circle(source: Source, unit: str) -> None:
    assert cycles(source.between(unit)) == []


def test_circles_are_seen() -> None:
    arrows = {
        "a": frozenset("b"),
        "b": frozenset("c"),
        "c": frozenset("ad"),
        "d": frozenset("e"),
        "e": frozenset("d"),
        "f": frozenset("a"),
    }
    assert sorted(cycles(arrows)) == [["a", "b", "c"], ["d", "e"]]
