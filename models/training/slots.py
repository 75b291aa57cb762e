"""Text with slots: the one language in which training notes are described.

``{LABEL}`` is a slot for PHI, ``{LABEL:2}`` the second one of the note, ``{LABEL:*}`` a new one
each time, ``{LABEL.part}`` a written form of it (``{DOCTOR.last}``, ``{DATE.full}``). ``{word}`` is
a slot for a word that is no PHI, such as ``{time}``. ``<a|b|>`` is a choice, within which slots and
further choices may stand. A brace or an angle bracket of another form stands for itself.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Protocol

import re2

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_TOKEN = re2.compile(r"\{[A-Za-z_]+(?::[0-9a-z*]+)?(?:\.[a-z_]+)?\}|[<|>]|[^<|>{]+|\{")
_SLOT = re2.compile(r"\{([A-Za-z_]+)(?::([0-9a-z*]+))?(?:\.([a-z_]+))?\}")
_LABELS: Mapping[str, PhiLabel] = MappingProxyType({label.value: label for label in PhiLabel})
ALWAYS_NEW = "*"
"""The number of a slot that no other slot agrees with."""


class Filling(Protocol):
    """Invents PHI."""

    def fill(self, label: PhiLabel, rng: random.Random) -> str:
        """Return a new value of ``label``, drawn from ``rng`` alone; never empty."""
        ...


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a template where a value will stand."""

    label: PhiLabel | None
    """``None``: what will stand here is no PHI."""
    name: str
    which: str = ""
    part: str = ""
    given: str = field(default="", repr=False)
    """What stood here in real prose, if it may stand here again."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several templates will stand here."""

    options: tuple["Template", ...] = field(repr=False)


Template = tuple[str | Slot | Choice, ...]


class Speaker(Protocol):
    """Knows what stands in a slot."""

    @property
    def rng(self) -> random.Random:
        """The source of every choice."""
        ...

    def say(self, slot: Slot) -> str:
        """Return the text of ``slot``; an empty text leaves the slot out."""
        ...


@cache
def template(text: str) -> Template:
    """Read a template.

    Raises:
        ValueError: A slot in capitals names no label.
    """
    levels: list[list[list[str | Slot | Choice]]] = [[[]]]
    for match in _TOKEN.finditer(text):
        _take(str(match.group()), levels)
    while len(levels) > 1:
        unclosed = _as_it_stood(levels.pop())
        levels[-1][-1].extend(unclosed)
    return tuple(levels[0][0])


def _take(mark: str, levels: list[list[list[str | Slot | Choice]]]) -> None:
    if mark == "<":
        levels.append([[]])
    elif mark == "|" and len(levels) > 1:
        levels[-1].append([])
    elif mark == ">" and len(levels) > 1:
        options = levels.pop()
        chosen = [Choice(tuple(map(tuple, options)))]
        levels[-1][-1].extend(chosen if len(options) > 1 else [*_as_it_stood(options), ">"])
    else:
        levels[-1][-1].append(_slot(mark) or mark)


def _as_it_stood(options: list[list[str | Slot | Choice]]) -> list[str | Slot | Choice]:
    first, *others = options
    rest = [piece for option in others for piece in ("|", *option)]
    return ["<", *first, *rest]


def _slot(token: str) -> Slot | None:
    match = _SLOT.fullmatch(token)
    if match is None:
        return None
    name, which, part = match.groups()
    if name.isupper() and name not in _LABELS:
        msg = f"no label is named {name}"
        raise ValueError(msg)
    return Slot(_LABELS.get(name), name, which or "", part or "")


@dataclass(slots=True)
class Draft:
    """A note as it grows: its text so far and where PHI stands in it."""

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
        """Append a template, its choices taken and its slots filled."""
        for piece in pieces:
            if isinstance(piece, str):
                self.add(piece)
            elif isinstance(piece, Slot):
                self.add(speaker.say(piece), piece.label)
            else:
                self.write(speaker.rng.choice(piece.options), speaker)

    def note(self, note_id: str, note_type: str) -> LabelledNote:
        """Return the note; its patient id is its own id."""
        text = "".join(self.parts)
        return LabelledNote(RawNote(note_id, note_id, text, note_type=note_type), tuple(self.spans))
