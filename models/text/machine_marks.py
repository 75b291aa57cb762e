r"""Find the marks of a machine's language in a text: what is structure, and no words of the note.

A note may be an export: the code of a label printer, a dump of a table, a diff, a page, captions, a
log. Its marks are known by their form, whatever language they are of: commands that a sign begins
(``^FO12,10``, ``\textbf{``), tags, names before values (``"fam":``), the names of columns above
rows, places to be filled in (``{{pt.name}}``), addresses of code and hashes. Values between them
are words of the note.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from deidstream.models.text.patterns import word_set

_FEWEST = 3
"""So many names before values, or columns, make an export; so many letters make a name."""
_TWICE = 2
_DIGIT = re.compile("[0-9]")
_LETTERS = re.compile(r"(?<=[a-z])(?=[A-Z])|[_.:-]+")

_WORDED_LINE = re.compile(r"(?m)^[ \t]*\{?\\[a-z]")
_WORDED = re.compile(
    r"(?P<text>\\\\|(?<![A-Za-z])[A-Za-z]:(?:\\[\w .-]{1,80}){1,20})|\{\\[^{}\n]{1,200};\}|[{}]"
    r"|\\(?![nrt][A-Z])[A-Za-z]{1,32}(?:\*|-?[0-9]{1,6}(?![0-9]))?(?:\[[^]\n]{0,80}\])?"
    r"(?:\{(?!\\)|[ ](?! ))?"
)
"""What it calls ``text`` is a sign that stands for itself, or the path of a file."""
_SHORT_LINE = re.compile(r"(?m)^[ \t]*([\^~])[A-Z][0-9A-Z][^\n^~]{0,400}\1[A-Z][0-9A-Z]")
_SHORT = re.compile(r"[\^~]([A-Z][0-9A-Z])")
_ARGUMENTS = re.compile(r"(?:[A-Z]?-?[0-9]{1,4}|[A-Z])(?:,[A-Z]?[0-9]{0,4}){0,9}|")
_ESCAPE = re.compile(
    "\x1b(?:" + r"\[[0-9;?]{0,16}[A-Za-z]|[&*()%][a-z]?(?:[-+]?[0-9.]{0,8}[a-z]){0,8}"
    r"[-+]?[0-9.]{0,8}[A-Z@]|[0-9A-Z=])"
)
_PRINTED = re.compile(
    r'(?m)^[A-Z][0-9A-Z]{0,9}[ ]?(?:(?:-?[0-9]{1,5}|[A-Z]|"[\w.]{1,8}")[ ]?,[ ]?){3,12}(?=")'
)
_PRINTER_LINE = re.compile(
    r"(?m)^(?:[A-Za-z]{1,8}[ ]?[0-9][0-9.]{0,5}(?:,[0-9][0-9.]{0,5}){0,4}|[A-Z])$"
)

_TAG = re.compile(r"<([/?!]?)([A-Za-z][\w:.-]{0,40})(?=[\s/>?])([^<>\n]{0,400}?)([/?]?)>")
_UNREAD = re.compile(r"(?i)<(style|script)\b[^<>]{0,200}>[^<]{0,20000}</\1>")
_ATTRIBUTE = re.compile(
    r"""\s*(?:(?:style|class|face|(?:bg)?color)=(?:"[^"\n]*"|'[^'\n]*')"""
    r"""|([A-Za-z_][\w:.-]{0,40})=["']?)|["']"""
)
_PAGE = word_set("""
a b i u p s em br hr li ol ul dl dt dd td th tr h1 h2 h3 h4 h5 h6 sup sub pre img div body head html
span font meta link title table tbody thead strong small center section header
""")
"""Elements of HTML, whose names say nothing about what they hold."""

_QUOTED_KEY = re.compile(r"""(["'])([a-z_][A-Za-z0-9_]{0,40})(?<![0-9])\1\s{0,4}:[ ]?"?""")
_KEY = re.compile(
    r"(?<![^\s,;({\[?&\"'|])([a-z][a-z0-9]{0,20}(?:_[a-z0-9]{1,20}){1,6}|[a-z]{2,20}"
    r"""(?:[A-Z][a-z]{1,20})+)(?:=(?=\S)|[ ]=[ ]|(:)(?=\s))["']?"""
)
_CHOICE = re.compile(
    r"(?<![\w.])(?P<quote>[\"']?)(?:act(?:ion)?|evt|event|err(?:or)?|lvl|level|tmpl|template|status"
    r"|type|flag|lang|model|form)(?P=quote)(?:=|(?<=[\"']):[ ]?)([\"']?)"
    r"(?P<value>[A-Za-z][\w.-]{1,40})(?(2)\2|(?=[\s,;|&)}]|$))"
)
"""The value of a key that says what happened, or of which kind something is."""
_NESTED = re.compile(r"(?m)^([ ]{0,40})[a-z]\w{0,40}:[ ]{0,4}\n\1[ ]{1,8}[a-z]\w{0,40}:[ \n]")
"""Names before values within what another one names; a chat, whose speakers stand so, has none."""
_COLUMN = r"""["`]?[A-Za-z_][A-Za-z0-9_]{0,40}["`]?"""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LISTED = re.compile(
    rf"\([ ]?{_COLUMN}(?:,\s{{0,2}}{_COLUMN}){{2,200}}[ ]?\)"
    r"(?=\s{1,4}(?i:values)\s{0,4}\(|\s{1,4}(?i:from stdin))"
)
_HEADING = re.compile(
    r"(?m)^[a-z][a-z0-9_]{0,40}(?:([,;|\t])[a-z][a-z0-9_]{0,40}){2,200}\r?$"
    r"|^[A-Za-z]\w{0,40}(?:(;)[A-Za-z][\w /]{0,40}){2,200}\r?$"
)
_SEPARATOR = re.compile(r'(?m)^\ufeff?"?sep=[,;|\t]"?\r?$')
"""What says, in the first line of a table, which sign is between its cells."""
_FIELD = re.compile(
    r"(?:^|_)(?:id|no|num|name|first|last|dob|date|time|ts|mrn|sex|age|note|text|txt|type|code|cd)"
    r"(?:_|$)"
)

_PLACE = re.compile(
    r"\{\{-?\s?(?:[a-z_][\w.]{0,60}|[A-Z_.]{2,60}|[A-Za-z]{1,30}[._][\w.]{1,60})\s?-?\}\}"
    r"""|\{%[^%"'{}\n]{0,80}%\}|<%=?[^%"'<>\n]{0,80}%>|\$\{[A-Za-z_][\w.]{0,60}\}"""
    r"|(?<!\w)(?:%[A-Z_]{2,30}%|@@?[A-Z_]{2,30}@@?|:[a-z]{1,20}(?:_[a-z]{1,20}){1,4}:)(?!\w)"
    r"|«[A-Za-z]{1,30}_\w{1,30}»"
)
_HASHED = (
    r"(?<![A-Za-z])(?i:commit|revert|merge|blob|sha-?[0-9]{0,3}|md5|crc-?[0-9]{0,2}|hash|digest"
    r"|checksum)"
)
_CHANGED_FILE = re.compile(
    r"(?m)^(?:diff --git|---|\+\+\+)[ ][ab]/(?!\S{0,200}[0-9]{4})(\S{1,200})(?:[ ]b/\1)?$"
)
"""A file of a diff; one with a number in its name may be named after a patient."""
_HEX = r"(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}"
_HASH = re.compile(
    rf"(?<![\w.-])(?:{_HEX}\.\.\.?{_HEX}(?:[ ][0-7]{{6}})?|{_HASHED}[ :=]{{1,3}}{_HEX}"
    rf"(?:[ ]{_HEX})?|{_HASHED}[\"']?[ :=]{{1,3}}[\"']?(?P<of>(?:{_HASHED}[:=])?(?:{_HEX}"
    r"|[0-9a-f]{2,64}"
    r"(?:\.\.\.?[0-9a-f]{2,64}|(?::[0-9a-f]{2}){2,31})))|0x[0-9A-Fa-f]{4,16})(?![\w-])"
)
_HUNK = re.compile(r"(?m)^@@ -[0-9,]{1,12} \+[0-9,]{1,12} @@")
_SECTION = re.compile(r"(?m)^@@(?= [^@\n]{1,80} @@[ \t]*$)|(?<= )@@[ \t]*$")
"""Signs around the heading of a part of a note, as diffs of whole notes have them."""
_CHANGED = re.compile(r"(?m)^[-+]{1,3}")
_ELEMENT = re.compile(r"(?m)^[ \t]*\([0-9a-fA-F]{4},[0-9a-fA-F]{4}\)(?:[ ][A-Z]{2}(?=[ ]))?")
_ELEMENT_END = re.compile(r"(?m)[ ]#[ ]{1,6}[0-9]{1,6},[ ]{0,3}[0-9]{1,4}(?:[ ][A-Za-z]{1,60})?$")
_CODED = re.compile(r"\.[A-Z][a-z]{1,20}[A-Z]|\.[a-z]{1,5}:[0-9]{1,6}\)|-[0-9]{1,4}\]")
"""What every address of code has."""
_CODE = re.compile(
    r"(?<![\w./@])(?:[a-z][a-z0-9]{0,20}\.){2,8}(?:[A-Z][a-z0-9]{1,20}){2,8}(?:\.\w{1,40})?"
    r"(?:\([A-Za-z]{1,60}\.[a-z]{1,5}(?::[0-9]{1,6})?\))?"
    r"|(?<![\w.])[A-Z][A-Za-z]{1,60}\.[a-z]\w{1,60}\([A-Z][A-Za-z]{1,60}\.[a-z]{1,5}:[0-9]{1,6}\)"
    r"|(?<![\w.])(?:[a-z][a-z0-9]{0,20}\.){1,8}[A-Z]\w{1,60}(?:[$.][A-Za-z]\w{0,60}){1,3}"
    r"\([A-Z]\w{1,60}\.[a-z]{1,5}:[0-9]{1,6}\)"
    r"|(?<=[ ])\[([a-z]{2,12}(?:-[0-9a-z]{1,12}){1,8}-[0-9]{1,4})\]"
)
_ENCLOSED = re.compile(r"(?m)^(?:BEGIN|END):([A-Z]{2,20})(?=\r?$)")
_PROPERTY = re.compile(r"(?m)^([A-Z][A-Z0-9-]{0,30})[:;]")
_PARAMETER = re.compile(
    r"(?<=;)(?:TYPE|VALUE|ENCODING|CHARSET)=[A-Z0-9-]{2,20}(?=[:;])"
    r"|(?<=;)TZID=[A-Z][A-Za-z_]{1,20}/[A-Z][A-Za-z_]{1,30}(?=[:;])"
    r"|(?m:(?<=^VERSION:)[0-9.]{1,8}$|(?<=^PRODID:)[+-]//[^\n]{1,80}//[A-Z]{2}$)"
)
"""What says how the value of a property is to be read, and who wrote the program that wrote it."""
_SEGMENT = re.compile(r"(?m)^[A-Z][A-Z0-9]{1,2}\*[^~\n]{0,2000}~\r?$")
_SEGMENT_NAME = re.compile(r"(?m)^[A-Z][A-Z0-9]{1,2}(?=\*)")
_STATE = re.compile(
    r"(?<=[A-Z]{3})\*(?=[A-Z]{2}\*[0-9]{5}(?:[0-9]{4})?[*~])"
    r"|(?<=[A-Z]{3}\*[A-Z]{2})\*(?=[0-9]{5}(?:[0-9]{4})?[*~])"
)
"""The separators about a state, which is known by the city before it and the code behind it."""
_CODE_OF_LIST = re.compile(
    r"(?<=\*)(?:[0-9]{6}X[0-9]{3}(?:A[0-9])?|[A-Z]{2,3}:[A-Z][0-9]{2}[0-9A-Z]{0,4})(?=[*~^])"
)
_TELEX = re.compile(r"(?m)^(?:ZCZC(?=[ \n])|(?:BT|NNNN)$)")
_CHOSEN = re.compile(
    r"(?<![\w./@\\-])[A-Z][A-Z0-9]{0,19}(?:_(?:[A-Z0-9]{0,8}[A-Z][A-Z0-9]{0,15}|[0-9]{1,2})){1,6}"
    r"(?![\w@-]|\.[a-z])(?<![0-9]{5})"
)
"""A value that a program chooses from its list: what was done, to which device, with what result. A
number of more digits may be that of a patient."""
_ZONE = re.compile(
    r"(?<![\w/])(?:(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific"
    r")/[A-Z][A-Za-z_-]{1,30}(?:/[A-Z][A-Za-z_-]{1,30})?|EST5EDT|CST6CDT|MST7MDT|PST8PDT)(?![\w/])"
)
"""A time zone of the IANA, whose city is where clocks go alike, not where anybody is."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark at ``[start, end)`` of a text."""

    start: int
    end: int
    meant: str | None = field(repr=False)
    """What is read in its place: the name that it gives to a value, or a blank. ``None``: it is
    read as it stands."""
    name: str = field(repr=False, default="")
    """A name that somebody chose for what it marks, which may be a person's; mostly none."""
    values: int = 1
    """How many values it names: as many as the rows below a column; none if it is a value itself,
    more than one if it is that of a key for kinds."""


class _Command(NamedTuple):
    """A command of two signs, and what stands between it and the next mark."""

    start: int
    end: int
    name: str
    rest: str


def find_marks(text: str) -> list[Mark]:
    """Return the marks of a text, in order, none within another; a note of words has none."""
    found = sorted(_find_all(text), key=lambda mark: (mark.start, -mark.end))
    marks: list[Mark] = []
    for mark in found:
        if not marks or mark.start >= marks[-1].end:
            marks.append(mark)
    return marks


def _find_all(text: str) -> Iterator[Mark]:
    yield from _find_commands(text)
    yield from _find_printed(text)
    if "<" in text:
        yield from _find_tags(text)
    yield from _find_keys(text)
    yield from _keep(_SEPARATOR.finditer(text))
    yield from _find_columns(text)
    yield from _blank(_PLACE.finditer(text))
    yield from _keep(_ZONE.finditer(text) if "/" in text or "DT" in text else ())
    yield from _find_chosen(text)
    yield from _find_changes(text)
    yield from _find_envelopes(text)
    yield from _keep(_CODE.finditer(text) if _CODED.search(text) else (), 1)
    elements = [*_ELEMENT.finditer(text)]
    if len(elements) >= _FEWEST:
        yield from _blank((*elements, *_ELEMENT_END.finditer(text)))


def _blank(found: Iterable[re.Match[str]]) -> Iterator[Mark]:
    return (Mark(*one.span(), " ") for one in found)


def _keep(found: Iterable[re.Match[str]], group: int | None = None) -> Iterator[Mark]:
    """Yield marks that are read as they stand; a group holds the names of them."""
    for one in found:
        yield Mark(*one.span(), None, (group is not None and one[group]) or "")


def _find_commands(text: str) -> Iterator[Mark]:
    """Yield the commands of a sign that begins lines, wherever they stand."""
    yield from _blank(_ESCAPE.finditer(text) if "\x1b" in text else ())
    if "\\" in text and len(_WORDED_LINE.findall(text)) >= _TWICE:
        yield from _blank(found for found in _WORDED.finditer(text) if not found["text"])
    if len(_SHORT_LINE.findall(text)) < _TWICE:
        return
    commands = [*_read_short(text)]
    # A command behind which words stand anywhere holds what is printed, numbers too.
    holds = {one.name for one in commands if not _ARGUMENTS.fullmatch(one.rest.rstrip())}
    for one in commands:
        end = one.end if one.name in holds else one.end + len(one.rest.rstrip())
        yield Mark(one.start, end, " ")


def _read_short(text: str) -> Iterator[_Command]:
    found = [*_SHORT.finditer(text)]
    ends = [one.start() for one in found[1:]] + [len(text)]
    for one, end in zip(found, ends, strict=True):
        line_end = text.find("\n", one.end(), end)
        yield _Command(*one.span(), one[1], text[one.end() : line_end if line_end >= 0 else end])


def _find_printed(text: str) -> Iterator[Mark]:
    """Yield the arguments before quoted words, and lines of arguments in a text with such."""
    printed = [*_PRINTED.finditer(text)] if '"' in text else []
    if len(printed) >= _TWICE:
        yield from _blank((*printed, *_PRINTER_LINE.finditer(text)))


def _find_tags(text: str) -> Iterator[Mark]:
    """Yield tags without the values of their attributes.

    A word within ``<>`` may be an address: it is a tag if it is closed, has attributes or is one of
    HTML. One or two letters name who speaks the caption that follows.
    """
    yield from _blank(_UNREAD.finditer(text))
    tags = [*_TAG.finditer(text)]
    closed = {tag[2] for tag in tags if tag[1] == "/"}
    for tag in tags:
        sign, name, inner, end = tag.groups()
        known = name in closed or name.casefold() in _PAGE or (bool(inner) and len(name) <= _TWICE)
        if known or "=" in inner or end == "/" or (sign == "!" and name.isupper()):
            yield from _read_tag(tag)


def _read_tag(tag: re.Match[str]) -> Iterator[Mark]:
    sign, name, inner, _ = tag.groups()
    if sign == "?":
        yield Mark(*tag.span(), " ")
        return
    named = not sign and len(name) >= _FEWEST and name.casefold() not in _PAGE
    chosen = "" if name.casefold() in _PAGE else name
    first = f" {_read_name(name)}: " if named else " "
    if not inner.strip():
        yield Mark(*tag.span(), "  " if sign == "/" and chosen else first, chosen)
        return
    at = tag.start(3)
    values = [*_ATTRIBUTE.finditer(tag.string, at, tag.end(3))]
    yield Mark(tag.start(), at + (not values), " " if values else first, chosen)
    for value in values:
        read = f" {_read_name(value[1])}: " if value[1] else " "
        yield Mark(*value.span(), read, value[1] or "")
    # What a tag holds without an attribute is whoever says what follows.
    yield Mark(tag.end(3), tag.end(), " " if values else ": ")


def _read_name(name: str) -> str:
    """Return the words of a name that a machine has for something."""
    return _LETTERS.sub(" ", name).strip()


def _find_keys(text: str) -> Iterator[Mark]:
    """Yield the names before values, if there are some of them."""
    quoted = [*_QUOTED_KEY.finditer(text)] if ":" in text else []
    if len({key[2] for key in quoted}) >= _FEWEST:
        yield from _keep(quoted, 2)
    nested = _NESTED.search(text) is not None
    named = _KEY.finditer(text) if nested or "=" in text else ()
    plain = [key for key in named if nested or not key[2]]
    if len(quoted) + text.count("=") >= _FEWEST:
        for one in _CHOICE.finditer(text):
            yield Mark(*one.span("value"), None, one["value"], _TWICE)
    if len({key[1] for key in plain}) >= _FEWEST:
        yield from _keep(plain, 1)


def _find_chosen(text: str) -> Iterator[Mark]:
    for one in _CHOSEN.finditer(text) if "_" in text else ():
        yield Mark(*one.span(), None, one[0], values=0)


def _find_columns(text: str) -> Iterator[Mark]:
    """Yield lists of the names of columns before the rows that hold their values."""
    headings = [(heading, _TWICE) for heading in _LISTED.finditer(text)]
    headings += [(one, _count_rows(text, one)) for one in _HEADING.finditer(text)]
    for heading, rows in headings:
        for name in _NAME.finditer(text, *heading.span()) if rows else ():
            yield Mark(*name.span(), None, name[0], rows)


def _count_rows(text: str, heading: re.Match[str]) -> int:
    """Return how many rows, of the first few, a line names the columns of: 0 if it names none.

    It has fields, or names that are words of any language above more rows; and the rows have values
    in as many columns.
    """
    sign = heading[1] or heading[2]
    names = heading[0].rstrip().split(sign)
    rows = [*islice(_read_rows(text, heading.end() + 1, sign, len(names)), _FEWEST)]
    if not rows:
        return 0
    fields = sum(_FIELD.search(name) is not None for name in names)
    worded = bool(heading[1]) and len(rows) >= _FEWEST and min(map(len, names)) >= _FEWEST
    first = rows[0].casefold().replace(" ", "_").split(sign)
    repeated = any(_FIELD.search(cell) and cell.count("_") < _TWICE for cell in first)
    return len(rows) if (fields >= _TWICE or worded) and not repeated else 0


def _read_rows(text: str, start: int, sign: str, width: int) -> Iterator[str]:
    """Yield the lines from one on that have as many cells, and a number in one of them."""
    while start < len(text):
        line_end = text.find("\n", start)
        row = text[start : line_end if line_end >= 0 else len(text)]
        if row.count(sign) < width - 1 or not _DIGIT.search(row):
            return
        yield row
        start += len(row) + 1


def _find_changes(text: str) -> Iterator[Mark]:
    """Yield hashes, and what a diff writes before lines."""
    for one in _HASH.finditer(text):
        yield Mark(*one.span("of" if one["of"] else 0), None)
    hunks = [*_HUNK.finditer(text)] if "@@" in text else []
    sections = [*_SECTION.finditer(text)] if "@@" in text else []
    if hunks or len(sections) >= _TWICE * 2:
        yield from _blank((*hunks, *sections))
        yield from _keep(_CHANGED_FILE.finditer(text), 1)
        yield from _keep(_CHANGED.finditer(text))


def _find_envelopes(text: str) -> Iterator[Mark]:
    """Yield what encloses the parts of a message, and the names of their lines."""
    enclosed = [*_ENCLOSED.finditer(text)]
    if _are_closed(enclosed):
        for one in (*enclosed, *_PROPERTY.finditer(text)):
            yield Mark(*one.span(), " ", one[1])
        yield from _blank(_PARAMETER.finditer(text))
    if len(_SEGMENT.findall(text)) >= _FEWEST:
        yield from _keep(_SEGMENT_NAME.finditer(text), 0)
        yield from _blank(_STATE.finditer(text))
        yield from _keep(_CODE_OF_LIST.finditer(text))
    telex = [*_TELEX.finditer(text)]
    if len({one[0] for one in telex}) >= _TWICE:
        yield from _blank(telex)


def _are_closed(enclosed: Iterable[re.Match[str]]) -> bool:
    """Return whether something that begins ends too."""
    found = {one[0] for one in enclosed}
    return any(one.startswith("B") and f"END{one[5:]}" in found for one in found)
