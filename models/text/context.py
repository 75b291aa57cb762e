"""Check from the words around a match whether a term is a person's name there.

Many names are words too: May, Young, Colon, Wilson (disease). A term of such a name carries a
condition on how a match is written and on what stands beside it.
"""

import re
from enum import StrEnum

from deidstream.models.text.eponyms import EVIDENT_HEADS
from deidstream.models.text.titles import ABBREVIATED, EVIDENT

SENTENCE_ENDS = frozenset('.!?:;\n\r\u2022*-\u2013([{|"\u201c')
_SPEECH_WORDS = """
agreed agrees asked asks called calls complained complains confirmed confirms declined declines
denied denies described describes endorsed endorses expressed lives mentioned presents presented
recalls refused refuses reported reports said says stated states tells understands verbalised
verbalized verbalizes works
"""
SPEECH = frozenset(_SPEECH_WORDS.split())
"""Verbs whose subject is a person."""
_HANDLE_SIGNS = "._/@"
_COMPOUND = re.compile("-(?:like|shaped|type)\\b")
_BACK, _AHEAD = 24, 32
_GAP = " \t\r\n."


class Condition(StrEnum):
    """Where an occurrence of a term counts."""

    ANYWHERE = "anywhere"
    """In whatever case."""
    CASED = "cased"
    """Not in small letters alone, but for a part of a user name or an address, nor in a compound
    such as ``Pearl-like``."""
    CAPITALISED = "capitalised"
    """Each word begins with a capital; all capitals only if the term itself is so written."""
    NOT_EPONYM = "not-eponym"
    """Capitalised, and not before a number, a hyphen or a word such as ``disease`` or ``catheter``;
    anywhere after a title."""
    AMID = "amid"
    """As an eponym, and not where a sentence begins either, unless a verb of speech follows."""
    TITLED = "titled"
    """Capitalised, and after a title."""

    __hash__ = str.__hash__
    """That of ``Enum`` is computed in Python at every look-up."""


_ANY_AFTER_TITLE = frozenset({Condition.ANYWHERE, Condition.CASED})


def meets(text: str, place: tuple[int, int], term: str, condition: Condition) -> bool:
    """Return whether the match at ``place`` of ``text`` meets the condition of ``term``."""
    start, end = place
    if condition is Condition.ANYWHERE or follows_title(text, start):
        return condition in _ANY_AFTER_TITLE or text[start].isupper()
    if condition is Condition.CASED:
        return _is_cased(text, start, end)
    if condition is Condition.TITLED or not _written_alike(text[start:end], term):
        return False
    return condition is Condition.CAPITALISED or _is_person(text, start, end, condition)


def _is_cased(text: str, start: int, end: int) -> bool:
    if text[start:end].islower():
        return _is_in_handle(text, start, end)
    return _COMPOUND.match(text, end) is None


def _is_in_handle(text: str, start: int, end: int) -> bool:
    """Return whether a user name or an address goes on beside ``[start, end)``."""
    before, after = text[max(0, start - 1) : start], text[end : end + 2]
    begun = bool(before) and before in _HANDLE_SIGNS
    return begun or (after[1:].isalnum() and after[0] in _HANDLE_SIGNS)


def _is_person(text: str, start: int, end: int, condition: Condition) -> bool:
    following = next_word(text, end)
    if following in EVIDENT_HEADS or is_in_hyphenated_word(text, start, end):
        return False
    if condition is Condition.NOT_EPONYM:
        return not following[:1].isdigit()
    return not begins_sentence(text, start) or following in SPEECH


def follows_title(text: str, start: int) -> bool:
    """Return whether a title such as ``Dr.`` is right before ``start``, in the same sentence."""
    before = text[max(0, start - _BACK) : start]
    title, gap = last_word(before), before[len(before.rstrip(_GAP)) :]
    ended = "\n" in gap or "." in gap
    return title in EVIDENT and not (ended and title not in ABBREVIATED) and "\n\n" not in gap


def is_in_hyphenated_word(text: str, start: int, end: int) -> bool:
    """Return whether ``[start, end)`` is part of a longer word with a hyphen."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    left = before[-1:] == "-" and before[:1].isalpha()
    return left or (after[:1] == "-" and after[1:].isalpha())


def begins_sentence(text: str, start: int) -> bool:
    """Return whether a sentence, a line or an item of a list begins at ``start``."""
    before = text[max(0, start - _BACK) : start].rstrip(" \t")
    if before and before[-1] not in SENTENCE_ENDS:
        return False
    initial = before.endswith(".") and len(last_word(before)) == 1 and before[-2].isupper()
    return not initial and not follows_title(text, start)


def next_word(text: str, end: int) -> str:
    """Return the word after ``end``, in lower case, an apostrophe and its s passed over."""
    after = text[end : end + _AHEAD].replace("\u2019", "'").removeprefix("'s").removeprefix("'")
    words = after.lstrip(" \t\r\n-").split(maxsplit=1)
    return words[0].strip(".,;:()").casefold() if words and after[:1] in " \t\r\n-" else ""


def last_word(before: str) -> str:
    """Return the last word of ``before``, in lower case, its full stop left out."""
    words = before.rstrip(_GAP).replace(".", " ").split()
    return words[-1].lstrip("(\"'").casefold() if words else ""


def _written_alike(match: str, term: str) -> bool:
    if match.isupper() and len(match) > 1 and not term.isupper():
        return False
    return all(word[0].isupper() for word in match.split() if word[0].isalpha())
