"""Notes beside their outputs, on consoles of several widths."""

from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from deidstream.agents.demo.comparison import SHORT, compare, take_beginning

NOTE = "Mr. John Smith was seen on 03/04/2024 by Dr. Ada Byron.\n" * 30
RISK = {"level": "yellow", "score": 0.05, "reasons": ["POSSIBLE_IDENTIFIER:NAME", "NO_ENTITY"]}


def audit_of(original: str, replaced: dict[str, str]) -> dict[str, Any]:
    """What the audit topic says where each term was replaced at each of its places."""
    text, replacements, at = "", [], 0
    while at < len(original):
        term = next((term for term in replaced if original.startswith(term, at)), None)
        if term is None:
            text += original[at]
            at += 1
            continue
        end = len(text) + len(replaced[term])
        replacements.append(
            {"start": at, "end": at + len(term), "out_start": len(text), "out_end": end}
        )
        text += replaced[term]
        at += len(term)
    return {"text": text, "replacements": replacements}


SURROGATES = {"John Smith": "Olaf", "03/04/2024": "1 May 2023", "Ada Byron": "X. Y. Z."}
AUDIT = audit_of(NOTE, SURROGATES)


def shown(width: int, *, terminal: bool) -> str:
    console = Console(
        width=width,
        file=StringIO(),
        force_terminal=terminal,
        color_system="standard" if terminal else None,
    )
    console.print(compare(NOTE, AUDIT, RISK, console))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_nothing_is_wider_than_the_console(width: int) -> None:
    lines = shown(width, terminal=False).splitlines()
    assert max(map(len, lines)) <= width
    assert any("╭" in line for line in lines)


def test_eighty_columns_show_the_input_above_the_output() -> None:
    lines = shown(80, terminal=False).splitlines()
    tops = [number for number, line in enumerate(lines) if line.startswith("╭")]
    assert ["input" in lines[number] for number in tops] == [True, False]
    assert all(len(line) == 80 for line in lines[tops[0] : tops[1] + 3])


def test_changes_are_coloured_in_both_on_a_terminal() -> None:
    said = shown(80, terminal=True)
    assert "\x1b[1;35mJohn Smith\x1b[0m" in said
    assert "\x1b[1;36mOlaf\x1b[0m" in said
    assert "«" not in said


def test_changes_are_marked_where_there_is_no_colour() -> None:
    said = shown(80, terminal=False)
    assert "\x1b" not in said
    assert "«John Smith»" in said
    assert "«Olaf»" in said


def test_reasons_are_in_words() -> None:
    said = shown(80, terminal=False)
    assert "The text may still contain a name." in said
    assert "POSSIBLE_IDENTIFIER" not in said


@given(st.integers(40, 2_000))
def test_no_identifier_is_cut_and_both_end_at_the_same_place(most: int) -> None:
    part = take_beginning(NOTE, AUDIT, most)
    assert len(part.original) <= most
    changes = AUDIT["replacements"][: len(part.changes)]
    assert part.cut == (part.original != NOTE)
    # What is shown of the output is what the shown part of the input became.
    again = audit_of(
        part.original, {"John Smith": "Olaf", "03/04/2024": "1 May 2023", "Ada Byron": "X. Y. Z."}
    )
    assert again["text"] == part.output
    assert again["replacements"] == changes


def test_a_short_note_is_shown_whole() -> None:
    text = NOTE[: SHORT // 2]
    part = take_beginning(text, audit_of(text, {}), SHORT)
    assert (part.original, part.cut) == (text, False)
