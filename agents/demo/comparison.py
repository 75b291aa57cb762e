"""Show notes beside their outputs, with what was changed marked in both."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from deidstream.models.risk.reason_sentences import explain_risk

SIDE_BY_SIDE = 110
"""Columns of a console that shows input and output side by side; a narrower one stacks them."""
LONG, SHORT = 900, 520
"""Characters of the input that are shown beside the output, and above it."""
ORIGINAL, SURROGATE = "bold magenta", "bold cyan"
"""Other colours than those of risk levels."""
LEVEL_COLOURS = {"green": "green", "yellow": "yellow", "red": "red"}
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MarkedChange:
    """The place of an identifier in the input, and of its replacement in the output."""

    start: int
    end: int
    out_start: int
    out_end: int


@dataclass(frozen=True, slots=True)
class NoteBeginning:
    """The part of a note that is shown, and the same part of its output."""

    original: str
    output: str
    changes: Sequence[MarkedChange]
    cut: bool
    """Whether the note goes on."""


def take_beginning(original: str, audit: Record, most: int) -> NoteBeginning:
    """Return the beginning of a note, and the same part of its output.

    Args:
        original: Text of the input.
        audit: Its record of ``notes.audit``.
        most: Most characters of the input; it ends between two words, and in no identifier.
    """
    changes = [
        MarkedChange(each["start"], each["end"], each["out_start"], each["out_end"])
        for each in sorted(audit["replacements"], key=lambda each: each["start"])
    ]
    output: str = audit["text"]
    if len(original) <= most:
        return NoteBeginning(original, output, changes, cut=False)
    end = max(original.rfind("\n", most // 2, most), original.rfind(" ", 0, most))
    end = next((each.start for each in changes if each.start < end < each.end), end)
    kept = [each for each in changes if each.end <= end]
    last = kept[-1] if kept else MarkedChange(0, 0, 0, 0)
    return NoteBeginning(original[:end], output[: last.out_end + end - last.end], kept, cut=True)


def compare(original: str, audit: Record, risk: Record, console: Console) -> RenderableType:
    """Return a note beside its output, or above it where the console is narrow, and its risk."""
    wide = console.width >= SIDE_BY_SIDE
    shown = take_beginning(original, audit, LONG if wide else SHORT)
    marks = ("", "") if console.color_system and not console.no_color else ("«", "»")
    inside = [(each.start, each.end) for each in shown.changes]
    outside = [(each.out_start, each.out_end) for each in shown.changes]
    given = _mark(shown.original, inside, ORIGINAL, marks)
    made = _mark(shown.output, outside, SURROGATE, marks)
    if shown.cut:
        given.append(" …", "dim")
        made.append(" …", "dim")
    panels = Panel(given, title="input (fictional)"), Panel(made, title="output")
    boxes = _beside(panels) if wide else Group(*panels)
    return Group(boxes, *_label_lines(shown), *_risk_lines(risk), "")


def _beside(panels: tuple[Panel, Panel]) -> Table:
    table = Table.grid(expand=True)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    table.add_row(*panels)
    return table


def _mark(text: str, places: Sequence[tuple[int, int]], style: str, marks: tuple[str, str]) -> Text:
    made, before = Text(), 0
    for start, end in places:
        made.append(text[before:start])
        made.append(f"{marks[0]}{text[start:end]}{marks[1]}", style)
        before = end
    made.append(text[before:])
    made.rstrip()
    return made


def _label_lines(shown: NoteBeginning) -> Iterator[RenderableType]:
    made = {shown.output[each.out_start : each.out_end] for each in shown.changes}
    if labels := sorted(term for term in made if term.startswith("[") and term.endswith("]")):
        said = "a label stands where the policy asks for it, or the words may be no identifier."
        yield Text(f"{', '.join(labels)}: {said}")


def _risk_lines(risk: Record) -> Iterator[RenderableType]:
    level = str(risk["level"])
    style = f"bold {LEVEL_COLOURS[level]}"
    yield Text.assemble("risk: ", (level, style), f" ({risk['score']:.2f})")
    reasons = Table.grid(padding=(0, 1))
    for code in risk["reasons"][:3]:
        reasons.add_row("  ·", explain_risk(code))
    if not risk["reasons"]:
        reasons.add_row("  ·", "Nothing stands out.")
    yield reasons
