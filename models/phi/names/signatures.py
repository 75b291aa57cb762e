"""Tell by the place of letters whether people sign there, or are listed by their initials."""

import re

SIGNED_BY = re.compile(
    r"(?i)\b(?:per|(?<![0-9][dw%] )by|typed|typist|checked|scored|verif|signed|init|inits|"
    r"initials?|dictated|d/w|w/|cc|"
    r"transcribed|seen|witness(?:ed)?|entered|reviewed|recorded|nurse|rn|dr|sr|msg to|note of|"
    r"consent(?:ed)?|cut|taken|given|done|drawn|collected|performed|assessed|verified|authori[sz]ed|"
    r"read ?back|signed off as|(?-i:[DT](?=:))|"
    r"approved|dispensed|counselled|obs|prov(?:ider)?|tech|asst|assist(?:ant)?|hyg(?:ienist)?|scrub|circ|anaes|"
    r"anes|surg(?:eon)?|sho|reg|cons|gdp|nic|order(?:ed)?|under|lead|mi)"
    r"[ \t]{0,2}[:=.,]?[ \t]{0,2}[\"'(]?$"
)
"""A word behind which people are named by their initials; it ends where they begin.

``29w3d by US`` is a value and how it was measured.
"""
DATED = re.compile(r"[ \t]{0,2}[,-]?[ \t]{0,2}\d{1,2}[/.-]\d")
"""A date behind what stands before it."""
TIMED = re.compile(r"\d[ \t]{1,3}(?:\|[ \t]*)?$")
"""A time, or another number, before what stands behind it."""
_CLOCKED = re.compile(
    r"\b(?:(?:[01][0-9]|2[0-3]):?[0-5][0-9]"
    r"|(?:0?[1-9]|[12][0-9]|3[01])([./])(?:0?[1-9]|1[0-2])(?:\1[0-9]{2,4})?)[ \t]{1,3}$"
)
"""A time of day or a date before what stands behind it."""
_CLOSING = frozenset(".,;")
WIDE = "  "
_DELIMITERS = ("|", ";", '"', "\t")
_BACK, _BEFORE = 80, 24
_CLOSED = (".", ";", "!", "?", ")")
_DASHES = ("/", "-", "\u2013", "\u2014")


def read_line_before(text: str, start: int) -> str:
    """Return what is before a place on its line; the last of it, if it is long."""
    return text[max(0, start - _BACK) : start].rpartition("\n")[2]


def may_be_signed(text: str, start: int, end: int) -> bool:
    """Return whether letters may be those of whoever did what stands before them.

    Besides the places of ``is_signature``: behind a word such as ``per``, before a date, between a
    time of day or a date and a full stop or comma, and in the last cell of a row.
    """
    before = text[max(0, start - _BEFORE) : start]
    ends_row = before.rstrip(" \t").endswith("|") and text[end : end + 1] in {"", "\r", "\n"}
    clocked = _CLOCKED.search(before) and text[end : end + 1] in _CLOSING
    placed = ends_row or clocked or DATED.match(text, end)
    return bool(placed or SIGNED_BY.search(before)) or is_signature(text, start, end)


def is_signature(text: str, start: int, end: int) -> bool:
    """Return whether letters stand where people sign or are listed."""
    before, after = read_line_before(text, start), text[end : end + 4]
    begins = not before.strip() or before.endswith((WIDE, "\t"))
    timed = bool(TIMED.search(before))
    ends = not after or after.startswith((WIDE, "\t", "\r", "\n"))
    if ends or after.startswith((".\n", ")\n", "]\n", "^")) or after in {".", ")", "]"}:
        closed = before.endswith(_DASHES) or before.rstrip().endswith(_CLOSED)
        return begins or timed or closed or _is_bracketed(text, before, end)
    if after.startswith(("/", ":", " |", " =")) and (
        begins or (timed and not after.startswith("/"))
    ):
        return True
    return _is_bracketed(text, before, end)


def _is_bracketed(text: str, before: str, end: int) -> bool:
    """Return whether letters are a field of their own, or in brackets, alone or with a date."""
    after = text[end : end + 4]
    if before.endswith("("):
        return after.startswith(")") or bool(DATED.match(text, end))
    field = before.rstrip(" ").endswith(_DELIMITERS) and after.lstrip(" ").startswith(_DELIMITERS)
    return field or (before.endswith(",") and after.startswith(","))
