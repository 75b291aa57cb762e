"""Read and fill frames: text with slots, written for the project, from which notes are composed.

``{LABEL}`` is a slot for PHI, ``{LABEL:2}`` the second one of the note, ``{LABEL:*}`` a new one
each time, ``{LABEL.part}`` a written form of it (``{DOCTOR.last}``, ``{DATE.full}``). ``{word}`` is
a slot for a word that is not PHI, such as ``{time}``. ``<a|b|>`` is a choice, which may hold slots
and further choices. A brace or an angle bracket in any other form is plain text.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Protocol

import re2

from deidstream.models.text.word_files import read_data
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_TOKEN = re2.compile(r"\{[A-Za-z_]+(?::[0-9a-z*]+)?(?:\.[a-z_]+)?\}|[<|>]|[^<|>{]+|\{")
_SLOT = re2.compile(r"\{([A-Za-z_]+)(?::([0-9a-z*]+))?(?:\.([a-z_]+))?\}")
_LABELS: Mapping[str, PhiLabel] = MappingProxyType({label.value: label for label in PhiLabel})
ALWAYS_NEW = "*"
"""Number of a slot that shares its value with no other slot."""


class Filling(Protocol):
    """Invents PHI."""

    def fill(self, label: PhiLabel, rng: random.Random) -> str:
        """Return a new value of ``label``, drawn from ``rng`` alone; never empty."""
        ...


@dataclass(frozen=True, slots=True)
class TemplateSlot:
    """A place in a template that a value will fill."""

    label: PhiLabel | None
    """``None`` if the value is not PHI."""
    name: str
    which: str = ""
    part: str = ""
    given: str = field(default="", repr=False)
    """Original text of this place in real prose, if it may be used again."""


@dataclass(frozen=True, slots=True)
class Alternatives:
    """A place that one of several templates will fill."""

    options: tuple["Template", ...] = field(repr=False)


Template = tuple[str | TemplateSlot | Alternatives, ...]


class Speaker(Protocol):
    """Gives slots their text."""

    @property
    def rng(self) -> random.Random:
        """The source of every choice."""
        ...

    def say(self, slot: TemplateSlot) -> str:
        """Return the text of ``slot``; an empty text leaves the slot out."""
        ...


@cache
def template(text: str) -> Template:
    """Read a template.

    Raises:
        ValueError: A slot in capitals names no label.
    """
    levels: list[list[list[str | TemplateSlot | Alternatives]]] = [[[]]]
    for match in _TOKEN.finditer(text):
        _take(str(match.group()), levels)
    while len(levels) > 1:
        unclosed = _unclosed_text(levels.pop())
        levels[-1][-1].extend(unclosed)
    return tuple(levels[0][0])


def _take(mark: str, levels: list[list[list[str | TemplateSlot | Alternatives]]]) -> None:
    if mark == "<":
        levels.append([[]])
    elif mark == "|" and len(levels) > 1:
        levels[-1].append([])
    elif mark == ">" and len(levels) > 1:
        options = levels.pop()
        chosen = [Alternatives(tuple(map(tuple, options)))]
        levels[-1][-1].extend(chosen if len(options) > 1 else [*_unclosed_text(options), ">"])
    else:
        levels[-1][-1].append(_slot(mark) or mark)


def _unclosed_text(
    options: list[list[str | TemplateSlot | Alternatives]],
) -> list[str | TemplateSlot | Alternatives]:
    first, *others = options
    rest = [piece for option in others for piece in ("|", *option)]
    return ["<", *first, *rest]


def _slot(token: str) -> TemplateSlot | None:
    match = _SLOT.fullmatch(token)
    if match is None:
        return None
    name, which, part = match.groups()
    if name.isupper() and name not in _LABELS:
        msg = f"no label is named {name}"
        raise ValueError(msg)
    return TemplateSlot(_LABELS.get(name), name, which or "", part or "")


@dataclass(slots=True)
class Draft:
    """A note while it is written: its text so far and the spans of its PHI."""

    parts: list[str] = field(default_factory=list[str], repr=False)
    spans: list[Span] = field(default_factory=list[Span], repr=False)
    length: int = 0

    def add(self, text: str, label: PhiLabel | None = None) -> None:
        """Append ``text``, all of which is PHI of ``label`` if one is given."""
        if label is not None and text:
            self.spans.append(Span(self.length, self.length + len(text), label))
        self.parts.append(text)
        self.length += len(text)

    def write(self, pieces: Template, speaker: Speaker) -> None:
        """Append a template, with its choices made and its slots filled."""
        for piece in pieces:
            if isinstance(piece, str):
                self.add(piece)
            elif isinstance(piece, TemplateSlot):
                self.add(speaker.say(piece), piece.label)
            else:
                self.write(speaker.rng.choice(piece.options), speaker)

    def note(self, note_id: str, note_type: str) -> LabelledNote:
        """Return the note; its patient id is its own id."""
        text = "".join(self.parts)
        return LabelledNote(RawNote(note_id, note_id, text, note_type=note_type), tuple(self.spans))


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
    return read_data(f"frames/{name}.txt", "deidstream.study.corpus")
