"""Find where the sentences of a paragraph end.

A full stop ends no sentence behind an abbreviation, an initial or a list number. Transcribed notes
have a comma where a line ended (".,MEDICATIONS: , Her"); there a sentence ends too.
"""

from collections.abc import Iterator
from typing import Final

import re2

from deidstream.models.text.titles import ABBREVIATED

_END: Final = re2.compile(
    r"[.!?]+[\"'\x{201D}\x{2019})\]]*(?:\s*,[\s,]*|\s+)|\p{Ll}{3}[.!?]\p{Lu}[\p{Ll} ]"
)
_CLOSE: Final = frozenset(".!?\"'\u201d\u2019)]")
_LOOK_BACK: Final = 24
_LEADERS: Final = "...."
"""Dots that lead from one column to the next."""

# Never the end of a sentence.
_BINDING: Final = ABBREVIATED | frozenset(
    (
        *("st", "gen", "mt", "ft", "dept", "vs", "no", "nos", "fig", "approx", "ca", "cf", "e.g"),
        *("i.e", "incl", "resp", "inj"),
    )
)
# The end of a sentence only where a capital follows.
_OPEN: Final = frozenset(
    (
        *("etc", "pts", "hrs", "min", "mins", "sec", "mcg", "tab", "tabs", "cap", "caps", "wks"),
        *("mos", "yrs", "inc", "ext", "tel", "temp", "abd", "dist", "prox", "ant", "post", "lat"),
        *("med", "meds", "exam", "lab", "labs", "max", "neg", "pos", "prn", "bid", "tid", "qid"),
        *("qhs", "subcut", "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat"),
        *("sun",),
    )
)
# Not the end of a sentence where a digit follows.
_BEFORE_NUMBER: Final = frozenset(
    (
        *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"),
        *("temp", "sat", "sats", "tel", "ext", "max", "min", "p", "q"),
    )
)
_DEGREES: Final = frozenset({"M.D", "R.N", "D.O", "Ph.D", "N.P", "P.A", "A.M", "P.M", "D.C", "P.T"})


def find_ends(body: str) -> Iterator[int]:
    """Yield where a sentence of a paragraph begins behind the end of another, in order."""
    begin = 0
    if all(body.find(mark, 0, -1) < 0 for mark in ".!?"):
        return
    for match in _END.finditer(body):
        stop, after = match.span()
        if body[stop] not in ".!?":
            # Two sentences without a space; the match reaches into the second.
            stop, after = stop + 3, stop + 4
        if after < len(body) and _ends_sentence(body, begin, stop, after):
            begin = after
            yield begin


def is_bound(body: str) -> bool:
    """Return whether a text ends with an abbreviation after which its sentence goes on."""
    words = body[-_LOOK_BACK:].split()
    return bool(words) and words[-1].endswith(".") and words[-1][:-1].lower() in _BINDING


def _ends_sentence(body: str, begin: int, stop: int, after: int) -> bool:
    """Return whether the mark at ``stop`` ends the sentence that began at ``begin``."""
    words = body[max(begin, stop - _LOOK_BACK) : stop].replace(":,", ": ").split()
    if not words or not _may_part(body[stop:after], body[after]):
        return False
    word = words[-1].lstrip("(\"'[\u201c\u2018")
    following = body[after]
    if body[stop] != "." or body[stop + 1] == ".":
        return not following.islower()
    before = words[-2] if len(words) > 1 else ""
    if _is_abbreviation(word, before) or (before[-1:] in {"", ":"} and word.isdigit()):
        return False
    if following.isdigit():
        return word.lower() not in _BEFORE_NUMBER
    return not following.islower() or _ends_before_small_letter(word)


def _may_part(mark: str, following: str) -> bool:
    """Return whether a mark with what stands behind it may part sentences.

    One comma and one space do not: they come within lists of abbreviations. Leaders do not either.
    """
    if mark.startswith(_LEADERS):
        return False
    if "," not in mark:
        return True
    one_space = mark.endswith(", ") and mark[-3:-2] in _CLOSE
    return not one_space and (following.isupper() or following.isdigit())


def _is_abbreviation(word: str, before: str) -> bool:
    """Return whether a word with a full stop is an abbreviation, so that the sentence continues."""
    if word.lower() in _BINDING:
        return True
    if len(word) == 1 and word.isupper():
        # A unit behind a number, else an initial.
        return not before[-1:].isdigit()
    parts = word.split(".")
    initials = len(parts) > 1 and all(len(part) == 1 and part.isupper() for part in parts)
    return initials and word not in _DEGREES


def _ends_before_small_letter(word: str) -> bool:
    """Return whether a word ends a sentence even where the next begins with a small letter."""
    if word[-1:] in {")", "%"}:
        return True
    return word.isalpha() and len(word) > 2 and word.lower() not in _OPEN  # noqa: PLR2004
