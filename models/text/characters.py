"""The plain form of one character: what a reader sees, without styles, widths and the invisible."""

import unicodedata
from functools import lru_cache

_MARKS = (
    range(0x0300, 0x0370),
    range(0x1AB0, 0x1B00),
    range(0x1DC0, 0x1E00),
    range(0x20D0, 0x2100),
)
"""Marks that stand on Latin letters and figures."""
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
_SELECTORS = (range(0xFE00, 0xFE10), range(0xE0000, 0xE1000))
_SPACE_LIKE = frozenset("\u2800")
_LINE_ENDS = frozenset("\x0b\x0c\x85\u2028\u2029")
_RAISED = ("<super>", "<sub>", "<fraction>")
"""Figures that stand beside others without being part of them: 10\u00b3, m\u00b2."""
_LETTERED = (0x1F150, 0x1F170, 0x1F1E6)
"""First of the runs of 26 enclosed capitals that Unicode does not decompose."""
_SIGNS = frozenset("@./:-()#+_&,'")
_SURROGATES = range(0xD800, 0xE000)


@lru_cache(maxsize=65_536)
def plain(c: str) -> str:
    r"""Return what ``c`` shows: itself, its ASCII form, or nothing when it is invisible.

    Nothing: default-ignorable characters, soft hyphens, direction controls, other controls but tab
    and line ends, and marks on Latin letters. White space of any kind is a space, its line ends
    ``\n``, a digit of any script the ASCII one; full-width, mathematical and enclosed letters are
    ASCII (Unicode NFKC). Half a surrogate pair is a question mark, as in the encoded text.
    """
    if " " <= c <= "~" or c in "\t\n\r":
        return c
    if is_invisible(c):
        return ""
    if ord(c) in _SURROGATES:
        return "?"
    if c.isspace() or c in _SPACE_LIKE:
        return "\n" if c in _LINE_ENDS else " "
    return str(unicodedata.decimal(c)) if c.isdecimal() else _compatible(c)


@lru_cache(maxsize=65_536)
def is_invisible(c: str) -> bool:
    """Tell whether a character shows nothing of its own."""
    code = ord(c)
    if c in _FILLERS or any(code in run for run in (*_SELECTORS, *_MARKS)):
        return True
    control = unicodedata.category(c) == "Cc" and not c.isspace()
    return control or unicodedata.category(c) == "Cf"


def _compatible(c: str) -> str:
    for first in _LETTERED:
        if first <= ord(c) < first + 26:
            return chr(ord("A") + ord(c) - first)
    form = unicodedata.normalize("NFKC", c)
    if form == c or not form.isascii() or unicodedata.decomposition(c).startswith(_RAISED):
        return c
    if any(map(str.isalnum, form)):
        return form.strip("().,")
    return form if form in _SIGNS else c
