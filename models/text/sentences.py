"""Cut a note into headings and sentences.

Clinical notes mix prose wrapped at a fixed width, lists, labels ("PLAN:") and tables of cells.
Lines are first gathered to paragraphs, paragraphs are then cut behind sentence ends. Every step is
one linear pass, also over a megabyte of one character.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import re2

from deidstream.models.text.titles import ABBREVIATED

_LINE = re2.compile(r"[^\n\r\x0b\x0c\x1c-\x1e\x{85}\x{2028}\x{2029}]+")
# One or two spaces separate words; a tab, a bar or a wider gap between the cells of a table.
_CELL = re2.compile(r"[^\s|]+(?: {1,2}[^\s|]+)*")
_BULLET = r"[-*>#+~\x{B7}\x{2013}\x{2014}\x{2022}\x{25A0}-\x{25FF}]{1,3}"
_NUMBER = r"\(?(?:\d{1,2}|[a-hA-H]|[ivx]{1,4})[.)]"
_MARKER = re2.compile(rf"(?:{_BULLET}|{_NUMBER})(?:\s+|$)")
_LABEL = re2.compile(r"\p{L}(?:[\p{L}\p{N}/&'\x{2019}()\-]* ?){1,6}:(?:\s|$)")
_END = re2.compile(r"[.!?]+[\"'\x{201D}\x{2019})\]]*\s+")

_LOOK_BACK = 24
_LOOK_AHEAD = 64
_WRAPPED_LOWER = 40
_WRAPPED = 60
_HEADING_WORDS = 8

# Never the end of a sentence.
_BINDING = ABBREVIATED | frozenset(
    (
        *("st", "gen", "mt", "ft", "dept", "vs", "no", "nos", "fig", "approx", "ca", "cf", "e.g"),
        *("i.e", "incl", "resp", "inj"),
    )
)
# The end of a sentence only where a capital follows.
_OPEN = frozenset(
    (
        *("etc", "pts", "hrs", "min", "mins", "sec", "mcg", "tab", "tabs", "cap", "caps", "wks"),
        *("mos", "yrs", "inc", "ext", "tel", "temp", "abd", "dist", "prox", "ant", "post", "lat"),
        *("med", "meds", "exam", "lab", "labs", "max", "neg", "pos", "prn", "bid", "tid", "qid"),
        *("qhs",),
    )
)
_DEGREES = frozenset({"M.D", "R.N", "D.O", "Ph.D", "N.P", "P.A", "A.M", "P.M", "D.C", "P.T"})


@dataclass(frozen=True, slots=True, order=True)
class Sentence:
    """``[start, end)`` in code points of one sentence, cell or heading of a note."""

    start: int
    end: int
    heading: bool = False
    """A heading on its own line, or the label in front of a sentence, colon included."""
    cell: bool = False
    """Whether its line has several cells; a list marker or label does not count."""


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Cut ``text`` into its sentences.

    Returns:
        Sorted and disjoint sentences, none empty, none with white space at either end. Between them
        are only white space, bars and list markers.
    """
    return tuple(piece for block in _gather_blocks(text) for piece in _cut_block(text, block))


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    end: int
    heading: bool = False
    cell: bool = False
    open: bool = False
    """A further line may continue it."""
    width: int = 0
    """Code points of its last line."""


def _gather_blocks(text: str) -> Iterator[_Block]:
    """Gather lines: each list item, label and cell apart, wrapped lines together."""
    pending: _Block | None = None
    last_end = 0
    for line in _LINE.finditer(text):
        blocks = _cut_line(text[line.start() : line.end()], line.start())
        joined = pending is not None and text.count("\n", last_end, line.start()) <= 1
        last_end = line.end()
        if pending and joined and blocks and _continues(text, pending, blocks[0], len(blocks)):
            only = blocks[0]
            pending = _Block(pending.start, only.end, pending.heading, open=True, width=only.width)
            continue
        if pending:
            yield pending
        yield from blocks[:-1]
        pending = blocks[-1] if blocks else None
    if pending:
        yield pending


def _cut_line(line: str, offset: int) -> list[_Block]:
    cells = _cut_cells(line)
    blocks: list[_Block] = []
    for start, end in cells:
        blocks += _cut_cell(line[start:end], offset + start)
    if len(cells) == 1 and blocks:
        last = blocks[-1]
        width = cells[0][1] - cells[0][0]
        is_open = not last.heading
        blocks[-1] = _Block(last.start, last.end, last.heading, open=is_open, width=width)
    if sum(not block.heading for block in blocks) > 1:
        return [replace(block, cell=not block.heading) for block in blocks]
    return blocks


def _cut_cells(line: str) -> list[tuple[int, int]]:
    if "  " in line or "\t" in line or "|" in line:
        return [match.span() for match in _CELL.finditer(line)]
    return [(0, len(line))]


def _cut_cell(cell: str, offset: int) -> list[_Block]:
    begin = _skip_marker(cell, 0)
    head = cell[begin : begin + _LOOK_AHEAD]
    label = _LABEL.match(head) if ":" in head else None
    blocks: list[_Block] = []
    if label:
        end = begin + label.end()
        stop = begin + len(cell[begin:end].rstrip())
        blocks.append(_Block(offset + begin, offset + stop, heading=True))
        begin = end
    rest = cell[begin:]
    if rest.strip():
        lead = len(rest) - len(rest.lstrip())
        at = offset + begin + lead
        blocks.append(_Block(at, offset + len(cell.rstrip()), _is_heading(rest)))
    return blocks


def _skip_marker(text: str, at: int) -> int:
    head = text[at : at + _LOOK_BACK].partition(" ")[0]
    if head.isalpha():
        return at
    marker = _MARKER.match(text[at : at + _LOOK_BACK])
    return at + marker.end() if marker else at


def _is_heading(line: str) -> bool:
    """Return whether a line looks like a heading: few words, all capitals, no end mark."""
    if len(line) > 2 * _LOOK_AHEAD or not line.isupper() or line.rstrip()[-1] in ".!?,;":
        return False
    return not any(c.isdigit() for c in line) and len(line.split()) <= _HEADING_WORDS


def _continues(text: str, pending: _Block, block: _Block, count: int) -> bool:
    """Return whether a line continues the sentence of the line before."""
    starts_line = count == 1 and block.open and not block.heading
    if not (pending.open and starts_line) or text[pending.end - 1] in ".!?:;":
        return False
    # A list item begins behind its marker; a continuation begins its line.
    before = text[max(0, block.start - 1) : block.start]
    if block.width != block.end - block.start or (before and not before.isspace()):
        return False
    least = _WRAPPED_LOWER if text[block.start].islower() else _WRAPPED
    return pending.width >= least


def _cut_block(text: str, block: _Block) -> Iterator[Sentence]:
    if block.heading:
        yield Sentence(block.start, block.end, heading=True)
        return
    body = text[block.start : block.end]
    begin = 0
    for end in [*_find_cuts(body), len(body)]:
        start = _skip_marker(body, begin)
        piece = body[start:end]
        lead = len(piece) - len(piece.lstrip())
        if piece.strip():
            stop = start + len(piece.rstrip())
            yield Sentence(block.start + start + lead, block.start + stop, cell=block.cell)
        begin = end


def _find_cuts(body: str) -> Iterator[int]:
    begin = 0
    for match in _END.finditer(body):
        if match.end() < len(body) and _ends_sentence(body, begin, match.start(), match.end()):
            begin = match.end()
            yield begin


def _ends_sentence(body: str, begin: int, stop: int, after: int) -> bool:
    """Return whether the mark at ``stop`` ends the sentence that began at ``begin``."""
    words = body[max(begin, stop - _LOOK_BACK) : stop].split()
    if not words:
        return False
    word = words[-1].lstrip("(\"'[\u201c\u2018")
    if body[stop] != ".":
        return not body[after].islower()
    if _is_abbreviation(word) or (len(words) == 1 and word.isdigit()):
        return False
    if body[after].islower():
        return _ends_before_small_letter(word)
    return True


def _is_abbreviation(word: str) -> bool:
    """Return whether a word with a full stop is an abbreviation, so that the sentence continues."""
    if word.lower() in _BINDING or (len(word) == 1 and word.isupper()):
        return True
    parts = word.split(".")
    initials = len(parts) > 1 and all(len(part) == 1 and part.isupper() for part in parts)
    return initials and word not in _DEGREES


def _ends_before_small_letter(word: str) -> bool:
    """Return whether a word ends a sentence even where the next begins with a small letter."""
    if word[-1:] in {")", "%"}:
        return True
    return word.isalpha() and len(word) > 2 and word.lower() not in _OPEN  # noqa: PLR2004
