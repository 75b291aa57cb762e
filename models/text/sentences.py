"""Cut a note into headings and sentences.

Clinical notes mix prose wrapped at a fixed width, lists, labels ("PLAN:") and tables of cells.
Lines are first gathered to paragraphs, paragraphs are then cut behind sentence ends, and labels are
cut off the front of each sentence. Every step is one linear pass, also over a megabyte of one
character. ``tests/unit/models/text/layouts.txt`` shows what is expected.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import re2

from deidstream.models.text.patterns import word_set
from deidstream.models.text.sentence_ends import find_ends, is_bound

_LINE = re2.compile(r"[^\n\r\x0b\x0c\x1c-\x1e\x{85}\x{2028}\x{2029}]+")
# One or two spaces separate words; a tab, a bar or a wider gap between the cells of a table.
_CELL = re2.compile(r"[^\s|]+(?: {1,2}[^\s|]+)*")
# The patterns of short heads are of re, whose calls cost less; those of whole lines are of re2.
_BULLET = r"[-*>#+~\u00b7\u2013\u2014\u2022\u25a0-\u25ff]{1,3}"
_NUMBER = r"\(?(?:\d{1,2}|[a-hA-H]|[ivx]{1,4})[.)]"
_BOX = r"\[[ xX]?\]"
_MARKER = re.compile(rf"(?:{_BULLET}|#\d{{1,2}}:?|{_NUMBER}|{_BOX})(?:\s+|$)")
_GLUED_MARKER = re.compile(r"([-*\u00b7\u2022]|\*\*|\d{1,2}[.)])[^\W\d_]{2}")
"""A marker without a space behind it, at the start of a line."""
_LABEL = re2.compile(r"\p{L}(?:[\p{L}\p{N}/&'\x{2019}()\-]* ?){1,6}:(?:[\s,*]|$)")
_DASHED_LABEL = re2.compile(r"\p{Lu}[\p{Lu} /&]{1,30} [-\x{2013}] ")
_RUN_ON = re.compile(r"[\s,]*")
_MOST_LABELS = 3
"""Labels in a row in front of a sentence: "EXAM: HEENT:"."""
_STOPS = " ,*"
"""What stands between a label and its sentence, or behind a sentence where a line had ended."""
_SECTIONS: Final = word_set(
    "history medications meds allergies exam examination assessment plan impression diagnosis "
    "diagnoses findings results instructions labs laboratory vitals signs disposition summary "
    "complaint complaints procedure procedures recommendations systems course indication "
    "indications technique problems status data studies immunizations vaccinations"
)
"""Last words of headings that have neither capitals nor a colon."""
_FIRST_WORDS: Final = word_set(
    "he she they it we i you there this that these those who his her patient"
)
"""First words of a sentence that has a colon, and of no label."""

_LOOK_BACK = 24
_LOOK_AHEAD = 64
_WRAPPED_LOWER = 40
_WRAPPED = 60
_HEADING_WORDS = 8


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
    if len(cells) > 1:
        labels = [line[b.end - offset - 1] == ":" and b.heading for b in blocks]
        blocks = [replace(b, heading=label) for b, label in zip(blocks, labels, strict=True)]
    if sum(not block.heading for block in blocks) > 1:
        return [replace(block, cell=not block.heading) for block in blocks]
    return blocks


def _cut_cells(line: str) -> list[tuple[int, int]]:
    if "  " in line or "\t" in line or "|" in line:
        return [match.span() for match in _CELL.finditer(line)]
    return [(0, len(line))]


def _cut_cell(cell: str, offset: int) -> list[_Block]:
    begin = 0 if cell[:1].isalpha() else _skip_glued_marker(cell)
    begin = begin or _skip_marker(cell, 0)
    blocks: list[_Block] = []
    for start, end, after in _find_labels(cell, begin, len(cell)):
        blocks.append(_Block(offset + start, offset + end, heading=True))
        begin = after
    rest = cell[begin:]
    if _has_content(rest):
        lead = len(rest) - len(rest.lstrip())
        at = offset + begin + lead
        blocks.append(_Block(at, offset + len(cell.rstrip()), _is_heading(rest)))
    return blocks


def _find_labels(text: str, begin: int, limit: int) -> list[tuple[int, int, int]]:
    """Find the labels in a row at ``begin``: start, end, and where what they label begins."""
    found: list[tuple[int, int, int]] = []
    while len(found) < _MOST_LABELS:
        head = text[begin : min(begin + _LOOK_AHEAD, limit)]
        label = _match_label(head)
        if not label:
            break
        end, after = begin + label[0], begin + label[1]
        while after < limit and text[after] in _STOPS:
            after += 1
        found.append((begin, end, after))
        begin = after
    return found


def _match_label(head: str) -> tuple[int, int] | None:
    """Return where the label in front of a text ends, and where the text goes on."""
    if ":" in head and (label := _LABEL.match(head)):
        if head.split(None, 1)[0].casefold() in _FIRST_WORDS:
            return None
        return head[: label.end()].rindex(":") + 1, label.end()
    if head[1:2].isupper() and (" - " in head or " \u2013 " in head):
        dashed = _DASHED_LABEL.match(head)
        return (dashed.end() - 3, dashed.end()) if dashed else None
    return None


def _count_lead(text: str) -> int:
    run_on = None if text[0].isalpha() else _RUN_ON.match(text)
    return run_on.end() if run_on else 0


def _has_content(text: str) -> bool:
    return any(map(str.isalnum, text))


def _skip_glued_marker(line: str) -> int:
    marker = _GLUED_MARKER.match(line)
    return marker.end(1) if marker else 0


def _skip_marker(text: str, at: int) -> int:
    head = text[at : at + _LOOK_BACK].partition(" ")[0]
    if head.isalpha():
        return at
    marker = _MARKER.match(text[at : at + _LOOK_BACK])
    return at + marker.end() if marker else at


def _is_heading(line: str) -> bool:
    """Return whether a line looks like a heading: few words, all capitals, no end mark.

    A line without capitals is one if it ends with the name of a section and each longer word has a
    capital.
    """
    if len(line) > 2 * _LOOK_AHEAD or line.rstrip()[-1] in ".!?,;":
        return False
    words = line.split()
    if any(c.isdigit() for c in line) or len(words) > _HEADING_WORDS:
        return False
    return line.isupper() or (
        words[-1].casefold() in _SECTIONS and all(w[0].isupper() or len(w) < 4 for w in words)  # noqa: PLR2004
    )


def _continues(text: str, pending: _Block, block: _Block, count: int) -> bool:
    """Return whether a line continues the sentence of the line before."""
    starts_line = count == 1 and block.open and not block.heading
    if not (pending.open and starts_line):
        return False
    if text[pending.end - 1] in ".!?:;" and not is_bound(text[pending.start : pending.end]):
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
    for end in [*find_ends(body), len(body)]:
        start = _skip_marker(body, begin)
        if begin:
            for at, stop, after in _find_labels(body, start, end):
                yield Sentence(block.start + at, block.start + stop, heading=True)
                start = _skip_marker(body, after)
        yield from _trim_piece(body, start, end, block)
        begin = end


def _trim_piece(body: str, start: int, end: int, block: _Block) -> Iterator[Sentence]:
    """Yield a piece without the white space and run-on commas around it, if anything is left."""
    piece = body[start:end]
    bare = piece.rstrip()
    if bare.endswith(","):
        shorter = bare.rstrip(_STOPS)
        bare = shorter if shorter.endswith((".", "!", "?")) else bare
    if _has_content(bare):
        lead = _count_lead(bare)
        at = block.start + start
        yield Sentence(at + lead, at + len(bare), cell=block.cell)
