"""Find what stands in a column of a table whose other cells are identifiers.

A tagger reads the words beside a word, and a cell of a census has none: of a column of initials it
finds those that look like nothing else. What fills the other cells of the column, and how they are
written, says what such a cell is.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise, product
from operator import attrgetter
from typing import NamedTuple

from deidstream.models.detection.stretches import Stretches
from deidstream.models.phi.names.credentials import CREDENTIALS
from deidstream.models.phi.names.stops import ends_name
from deidstream.models.phi.not_phi import abbreviations, common_words, fold_term
from deidstream.models.phi.terms import SWEEP
from deidstream.models.time_budget import within_time
from deidstream.schemas.label import (
    INSTITUTIONS,
    LABELS,
    NUMBERS,
    PERSONS,
    PHONES,
    TIMES,
    PhiLabel,
)
from deidstream.schemas.span import Span

_SIGN = re.compile(r"[|\t]")
"""Between the cells of a row; so are semicolons where a line has several and none of these."""
_SEVERAL = 4
_WIDE = re.compile(r"\S(?:\S| (?! ))*")
"""A cell of a row whose cells are set apart by blanks."""
_ITEM = re.compile(r"[^\W_](?:[^/(\s]|/(?! )|[^\S\n]+(?=[^\s/(]))*")
"""What a cell holds, up to a bracket; `` / `` is between two items."""
_ROW = re.compile(r"(?m)^[^\w\n]*+\w[^\n]*")
_APART = 2
"""Most lines between two rows of a table that are none."""
_SURE = 0.5
"""Probability that one of the spans of a column needs."""
_FEWEST = 2
"""Different identifiers in a column."""
_WORD = re.compile(r"[^\W\d_]+")
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"[0-9]")
_INITIALS = re.compile(r"[A-Z]{2,3}|[A-Z]{1,2}['\u2019-][A-Z]{1,2}|(?:[A-Z]\. ?){2,3}")
_AGED = re.compile(r"[ ,]{1,2}[0-9]{1,3} ?[FMfm]?\Z")
"""An age behind initials or a name in its cell."""
_LONGEST_AGE = 7
_PAIR = 2
_MOST_WORDS = 3
"""Words of a name."""
_WARD = re.compile(
    r"(?!(?:ED|ER|EC|OR|HDU|[MPSN]?ICU)\b)[A-Z][A-Za-z&]{0,14}(?: [A-Z][a-z]{2,11})?[ -]?"
    r"[0-9]{1,2}[A-Z]?|[0-9]{1,2}[ -]?[A-Z][a-z]{0,8}"
)
"""A ward that has a number. The number behind a kind of unit that most hospitals have once is a
bed."""
_HEADINGS = (
    (re.compile(r"(?i)wards?|wd"), PhiLabel.HOSPITAL, _WARD),
    (
        re.compile(r"(?i)(?:pt|patient)(?:[ .]?(?:init(?:ial)?s?|name))?|init(?:ial)?s?/age"),
        PhiLabel.PATIENT,
        _INITIALS,
    ),
)
"""The heading of a column, the label of what it holds, and how that is written at least twice."""
_HEAD = 3
"""Cells at the top of a column of which one may be its heading."""
_OLDEST = 110
_FORMED = NUMBERS | PHONES | TIMES
"""Labels of what is written alike throughout a list."""
_CHECKED = 32
"""Rows between two looks at the clock."""
_Column = tuple[int, int, int]
"""Signs in a row, the place of a cell among them, and of an item in it; without signs where the
cell begins on its line."""


class _Cell(NamedTuple):
    """``[start, end)`` of an item of a cell."""

    start: int
    end: int


class Alike(NamedTuple):
    """``[start, end)`` of a cell, and why it counts: a span of its column, or its heading."""

    start: int
    end: int
    reason: Span


def find_alike_in_columns(text: str, spans: Sequence[Span]) -> Iterator[Alike]:
    """Yield the cells that are no spans and are written as the identifiers of their column.

    Half of the cells of the column must begin with identifiers of one kind, not all of the same
    words, and one of them must be as likely PHI as not. Below the heading ``ward`` whatever has a
    letter and a number is one, below ``pt`` and ``init/age`` whatever may be initials.

    Args:
        text: Text of the note.
        spans: Disjoint, in order.
    """
    begun = {span.start: span for span in spans}
    ended = {span.end: span for span in spans if span.label in NUMBERS}
    places = Stretches.of_spans(spans)
    for column in _find_columns(text):
        cells = column if column[0].start in begun else column[1:]
        found = {cell: span for cell in cells if (span := _find_span(text, cell, begun, ended))}
        reason = _find_kind(text, cells, found) or _read_heading(text, column)
        if reason is None:
            continue
        if reason.label in PERSONS:
            cells = [_leave_age(text, cell) for cell in cells]
            found = {_leave_age(text, cell): span for cell, span in found.items()}
        forms = {_form(text, cell) for cell, span in found.items() if span.end == cell.end}
        for cell in cells:
            covered = places.within(*cell)
            part = covered is not None and covered != cell and reason.label in NUMBERS
            if (covered is None or part) and _is_alike(text, cell, reason.label, forms):
                yield Alike(*cell, reason)


def _find_span(
    text: str, cell: _Cell, begun: Mapping[int, Span], ended: Mapping[int, Span]
) -> Span | None:
    """Return the span with which a cell begins, or of one word the end: ``P/`` before ``715``."""
    last = ended.get(cell.end) if " " not in text[slice(*cell)] else None
    within = last is not None and last.start > cell.start
    return begun.get(cell.start) or (last if within else None)


def _find_kind(text: str, cells: Sequence[_Cell], found: Mapping[_Cell, Span]) -> Span | None:
    """Return the surest span of the kind that a column consists of; ``None`` if of none."""
    groups = Counter(LABELS[span.label].group for span in found.values())
    kind = groups.most_common(1)[0][0] if groups else None
    same = {cell: span for cell, span in found.items() if LABELS[span.label].group is kind}
    counted = len(cells)
    if not INSTITUTIONS.isdisjoint(span.label for span in same.values()):
        # A unit without a number, such as ICU, stands among wards and is no identifier.
        same = {cell: span for cell, span in same.items() if span.end == cell.end}
        counted = sum(_WARD.fullmatch(text, *cell) is not None for cell in cells)
    different = {text[span.start : span.end] for span in same.values()}
    if len(different) < _FEWEST or len(same) * 2 < counted:
        return None
    surest = max(same.values(), key=attrgetter("score"))
    return surest if surest.score >= _SURE else None


def _read_heading(text: str, cells: Sequence[_Cell]) -> Span | None:
    """Return a heading that says what its column holds; above it a title may stand."""
    for heading, (written, label, form) in product(cells[:_HEAD], _HEADINGS):
        if written.fullmatch(text, *heading):
            named = [_leave_age(text, cell) for cell in cells]
            held = {text[slice(*cell)] for cell in named if form.fullmatch(text, *cell)}
            return Span(*heading, label, _SURE, SWEEP) if len(held) >= _FEWEST else None
    return None


def _find_columns(text: str) -> Iterator[list[_Cell]]:
    """Yield the columns of the tables of a text, without their empty cells."""
    columns: dict[_Column, list[_Cell]] = defaultdict(list)
    last: dict[_Column, int] = {}
    for number, line in enumerate(within_time(_ROW.finditer(text), every=_CHECKED)):
        for key, item in _cut_row(text, *line.span()):
            if number - last.get(key, number) > _APART + 1:
                yield columns.pop(key)
            last[key] = number
            columns[key].append(item)
    yield from columns.values()


def _cut_row(text: str, start: int, end: int) -> Iterator[tuple[_Column, _Cell]]:
    """Yield the items of the cells of a row, each with what tells its column."""
    signs = [match.start() for match in _SIGN.finditer(text, start, end)]
    if not signs and text.count(";", start, end) >= _SEVERAL:
        signs = [place for place in range(start, end) if text[place] == ";"]
    if signs:
        cells = [
            (place, left + 1, right)
            for place, (left, right) in enumerate(pairwise([start - 1, *signs, end]))
        ]
    else:
        cells = [(one.start() - start, *one.span()) for one in _WIDE.finditer(text, start, end)]
    for place, first, last in cells if len(cells) > 1 else ():
        for item, match in enumerate(_ITEM.finditer(text, first, last)):
            yield (len(signs), place, item), _Cell(*match.span())


def _leave_age(text: str, cell: _Cell) -> _Cell:
    age = _AGED.search(text, max(cell.start, cell.end - _LONGEST_AGE), cell.end)
    return cell if age is None else _Cell(cell.start, age.start())


def _form(text: str, cell: _Cell) -> str:
    return _DIGIT.sub("9", _LETTER.sub("A", text[slice(*cell)]))


def _is_alike(text: str, cell: _Cell, label: PhiLabel, forms: Collection[str]) -> bool:
    written = text[slice(*cell)]
    if label in PERSONS:
        return _may_name(written, initials=_form(text, cell) in forms)
    if label is PhiLabel.AGE:
        return written.isdecimal() and int(written) <= _OLDEST
    if label in INSTITUTIONS:
        return _WARD.fullmatch(written) is not None
    return label in _FORMED and _form(text, cell) in forms


def _may_name(written: str, *, initials: bool) -> bool:
    """Return whether a cell may name a person; ``initials`` says that others of its form do."""
    words = [fold_term(word) for word in _WORD.findall(written)]
    if _INITIALS.fullmatch(written):
        term = "".join(words)
        listed = term in CREDENTIALS or (len(term) > _PAIR and term in abbreviations())
        return not listed or (initials and len(term) == _PAIR)
    whole = 0 < len(words) <= _MOST_WORDS and max(map(len, words)) >= _PAIR
    named = whole and written.istitle()
    return named and _DIGIT.search(written) is None and not any(map(_is_ordinary, words))


def _is_ordinary(word: str) -> bool:
    return word in common_words() or word in abbreviations() or ends_name(word)
