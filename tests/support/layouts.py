"""Texts in odd clinical layouts, marked with the pieces that are expected of them."""

from dataclasses import dataclass
from pathlib import Path

from deidstream.models.text.sentences import Sentence, split_sentences

OPENS = {"«": "sentence", "\u2039": "heading", "{": "cell"}
CLOSES = "\u00bb\u203a}"


@dataclass(frozen=True, slots=True)
class Layout:
    """A text and the pieces that are expected of it."""

    name: str
    text: str
    pieces: tuple[Sentence, ...]


def read_layouts(path: Path) -> list[Layout]:
    """Read the cases of a file of marked layouts."""
    _, *cases = path.read_text().split("\n=== ")
    return [_read_case(*case.split("\n", 1)) for case in cases]


def _read_case(name: str, marked: str) -> Layout:
    text: list[str] = []
    pieces: list[Sentence] = []
    start, kind = 0, ""
    for character in marked:
        if character in OPENS:
            start, kind = len(text), OPENS[character]
        elif character in CLOSES:
            pieces.append(Sentence(start, len(text), kind == "heading", kind == "cell"))
        else:
            text.append(character)
    return Layout(name, "".join(text), tuple(pieces))


@dataclass(frozen=True, slots=True)
class LayoutFigures:
    """How well the pieces of texts agree with those that are expected."""

    boundary_f1: float
    """F1 of the places where a piece begins or ends."""
    kinds: float
    """Share of the expected pieces that are found whole and of the right kind."""
    wrong: tuple[str, ...]
    """Pieces that are missing (-) and those in their place (+)."""


def measure_layouts(layouts: list[Layout]) -> LayoutFigures:
    """Cut every text and compare."""
    right = expected = found = whole = pieces = 0
    wrong: list[str] = []
    for layout in layouts:
        cut = split_sentences(layout.text)
        gold, got = _edges(layout.pieces), _edges(cut)
        right, expected, found = right + len(gold & got), expected + len(gold), found + len(got)
        whole += len(set(cut) & set(layout.pieces))
        pieces += len(layout.pieces)
        wrong += sorted(_describe(layout, cut))
    return LayoutFigures(2 * right / (expected + found), whole / pieces, tuple(wrong))


def _edges(pieces: tuple[Sentence, ...]) -> set[tuple[int, bool]]:
    return {(p.start, True) for p in pieces} | {(p.end, False) for p in pieces}


def _describe(layout: Layout, cut: tuple[Sentence, ...]) -> list[str]:
    gold, got = set(layout.pieces), set(cut)
    signed = [(p, "-") for p in gold - got] + [(p, "+") for p in got - gold]
    return [
        f"{layout.name} {p.start:4} {sign} {layout.text[p.start : p.end]!r}"
        f" {'H' * p.heading}{'C' * p.cell}"
        for p, sign in sorted(signed)
    ]
