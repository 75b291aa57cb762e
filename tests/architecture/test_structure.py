"""What the structure of the source must keep; ``benchmarks/structure.py`` prints what it is."""

from pathlib import Path

import pytest
from code_graph import Source, cycles
from code_words import STRONG, docstrings, having
from note_walk import moves, walk_apart

ROOT = Path(__file__).parents[2]

MOST_IN_A_FOLDER = 25
MOST_ENTRIES = 26
"""At the root of ``models``."""
MOST_MODULES = 680
"""Delivery, access, quarantine and verification are packages of their own; so are clinical values,
known identifiers, HL7, KNEO by sentences, notes and words, the measures of risk and the attacks;
and so is each way in and out: requests, HL7 and FHIR feeds, tables, the pages."""
MOST_MOVES = 29
"""Between rooms of ``models``, on the way of a note; the verifier reads outputs as well, and
surrogates are escaped where the note is HL7."""
MOST_MANNERED = 29
"""Docstrings."""


@pytest.fixture(scope="module")
def source() -> Source:
    return Source(ROOT)


def test_no_folder_is_a_drawer(source: Source) -> None:
    full = {name: count for name, count in source.folders().items() if count > MOST_IN_A_FOLDER}
    assert full == {}
    assert len(source.entries()) <= MOST_ENTRIES


def test_modules_are_not_too_many(source: Source) -> None:
    assert len(source.modules) <= MOST_MODULES


@pytest.mark.parametrize("unit", ["package", "room"])
def test_packages_import_in_no_circle(source: Source, unit: str) -> None:
    assert cycles(source.between(unit)) == []


def test_a_file_name_is_used_once(source: Source) -> None:
    assert source.duplicate_files() == {}


def test_a_class_name_is_used_once(source: Source) -> None:
    assert source.duplicate_classes() == {}


def test_docstrings_are_plain(source: Source) -> None:
    mannered = having(docstrings(source.modules), STRONG)
    assert sum(map(len, mannered.values())) <= MOST_MANNERED


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


@pytest.mark.slow
def test_a_note_makes_few_moves() -> None:
    assert sum(len(moves(calls)) for calls in walk_apart(ROOT).values()) <= MOST_MOVES
