"""Read the frames: text with slots, written for the project, from which notes are composed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

import re2

from deidstream.models.text.word_files import TRAINING, read_data
from deidstream.models.training.slots import Template, template

# An arrow may say which share of the places it finds are used: ``=0.1=>``.
_ARROW = re2.compile(r" =(?:=|([0-9.]+)=)> ")
_RULE = "---"


@dataclass(frozen=True, slots=True)
class Frame:
    """A piece of a note."""

    kind: str
    pieces: Template = field(repr=False)


@dataclass(frozen=True, slots=True)
class Point:
    """A place in real prose where PHI is natural."""

    pattern: Any = field(repr=False)
    """Compiled; what it matches is replaced."""
    share: float
    """Share of the places found by the pattern that are used, 0 to 1."""
    replacement: str = field(repr=False)
    """Template in which ``$1`` is the first group."""


@cache
def lines(name: str) -> tuple[Frame, ...]:
    """Return the frames of a file that holds one a line, under headings such as ``# social``."""
    found, kind = list[Frame](), ""
    for line in _text(name).splitlines():
        if line.startswith("# "):
            kind = line.removeprefix("# ")
        elif line:
            found.append(Frame(kind, template(line)))
    return tuple(found)


@cache
def blocks(name: str) -> tuple[Frame, ...]:
    """Return the frames of a file that separates them by ``---``; a heading names the kind."""
    found, kind = list[Frame](), ""
    for block in _text(name).split(f"\n{_RULE}\n"):
        heading, _, rest = block.partition("\n")
        if heading.startswith("# "):
            kind, body = heading.removeprefix("# "), rest
        else:
            body = block
        found.append(Frame(kind, template(body.strip("\n"))))
    return tuple(found)


@cache
def of_kind(name: str) -> Mapping[str, tuple[Frame, ...]]:
    """Return the frames of ``lines(name)`` by kind."""
    kinds = dict.fromkeys(frame.kind for frame in lines(name))
    return MappingProxyType(
        {kind: tuple(each for each in lines(name) if each.kind == kind) for kind in kinds}
    )


@cache
def points() -> tuple[Point, ...]:
    """Return the places in real prose where PHI is natural."""
    return tuple(_points())


def _points() -> Iterator[Point]:
    for line in _text("points").splitlines():
        arrow = _ARROW.search(line)
        if arrow is not None:
            pattern = re2.compile(line[: arrow.start()])
            yield Point(pattern, float(str(arrow.group(1) or 1)), line[arrow.end() :])


@cache
def words() -> Mapping[str, tuple[str, ...]]:
    """Return the lists of words that are not PHI, by name."""
    pairs = (line.split(": ", 1) for line in _text("words").splitlines() if line)
    return MappingProxyType({name: tuple(words.split(" | ")) for name, words in pairs})


def _text(name: str) -> str:
    return read_data(f"frames/{name}.txt", TRAINING)
