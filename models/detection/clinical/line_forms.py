"""Find forms of clinical values on some lines of a note.

A form is a pattern none of whose matches reaches over a line end, so each line is read by itself.
Most forms are on no line of a note: one pass over a line, with all of them, leaves out the others.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import re2

from deidstream.models.detection.clinical.value import ClinicalValue
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import PhiLabel

_MEMORY = 64 << 20
"""Bytes that the states of the one pass may take; it is fast only while all of them fit, and those
that real lines reach take less than one megabyte."""
_LOOK_AROUND = ("(?=", "(?!", "(?<=", "(?<!")
_AS_LATIN = {0x17F: "s", 0x212A: "k", 0x130: "i", 0x131: "i"}
"""Letters that count as Latin ones where case does not; re2 takes some of them for no letters."""
_CODE_POINT = re.compile(r"\\u([0-9a-f]{4})")


@dataclass(frozen=True, slots=True)
class NoteLine:
    """``[start, end)`` of a line of a text, without its line end."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LineForm:
    """A pattern within one line, and what its matches are."""

    pattern: re.Pattern[str]
    refutes: frozenset[PhiLabel]
    group: int = 0
    """The group of the pattern that is the value."""
    counts: Callable[[str], bool] | None = None
    """Whether the value counts, by its text; without it, every one does."""


class LineForms:
    """Some forms, looked for together."""

    __slots__ = ("_forms", "_possible")

    def __init__(self, forms: Iterable[LineForm]) -> None:
        """Compile the one pass that tells which forms a line may have."""
        self._forms = tuple(forms)
        options = re2.Options()
        options.max_mem = _MEMORY
        self._possible = re2.Set.SearchSet(options)
        for form in self._forms:
            self._possible.Add(loosen(form.pattern.pattern))
        self._possible.Compile()

    def find(self, text: str, lines: Iterable[NoteLine]) -> Iterator[ClinicalValue]:
        """Yield the values on some lines of a text."""
        for line in within_time(lines):
            for form in self._select(text[line.start : line.end]):
                # The line end belongs to it, for what a form asks of the character behind it.
                for match in form.pattern.finditer(text, line.start, line.end + 1):
                    if form.counts is None or form.counts(match[form.group]):
                        yield ClinicalValue(*match.span(form.group), form.refutes)

    def _select(self, line: str) -> Sequence[LineForm]:
        """Return the forms that a line may have."""
        if not line.isascii():
            line = line.translate(_AS_LATIN)
        found = self._possible.Match(line.encode(errors="replace"))
        return [self._forms[place] for place in found or ()]


def find_lines(text: str, places: Iterable[tuple[int, int]]) -> list[NoteLine]:
    """Return the lines of a text that hold a part of some places, each once, in order.

    Args:
        text: The text.
        places: Non-empty ``[start, end)``, sorted by their starts.
    """
    lines: list[NoteLine] = []
    read = 0
    for start, end in places:
        place = max(start, read)
        while place < end:
            begin = text.rfind("\n", 0, place) + 1
            stop = text.find("\n", place)
            stop = stop if stop >= 0 else len(text)
            lines.append(NoteLine(begin, stop))
            place = read = stop + 1
    return lines


def loosen(pattern: str) -> str:
    """Return a pattern for re2 that matches in a line at least wherever the given one does.

    What the given one asks of the text before and behind is left out, but for what must stand at
    its very beginning and end, which is taken in.
    """
    loose: list[str] = []
    place = 0
    while place < len(pattern):
        if pattern.startswith(_LOOK_AROUND, place):
            end = _find_group_end(pattern, place)
            first = place == 0 and pattern.startswith("(?<=")
            last = end == len(pattern) and pattern.startswith("(?=", place)
            inner = pattern[place:end].removeprefix("(?<=" if first else "(?=")
            loose.append(f"(?:{inner}" if first or last else "(?:)")
            place = end
            continue
        size = 2 if pattern[place] == "\\" else 1
        loose.append(pattern[place : place + size])
        place += size
    return _CODE_POINT.sub(r"\\x{\1}", "".join(loose))


def _find_group_end(pattern: str, start: int) -> int:
    """Return the place behind the group that begins at ``start``."""
    depth = 0
    in_set = False
    place = start
    while place < len(pattern):
        sign = pattern[place]
        if sign == "\\":
            place += 1
        elif in_set:
            in_set = sign != "]"
        elif sign == "[":
            in_set = True
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        place += 1
        if not depth:
            return place
    return place
