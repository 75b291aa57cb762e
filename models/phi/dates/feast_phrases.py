"""Choose the words with which the plain date of a feast reads in the sentence of the feast.

``at Easter`` cannot become ``at March 27``: ``at around March 27`` reads, ``in the New Year``
becomes ``in the days around March 16``, and ``during Ramadan`` ``during the weeks from July 1 to
July 29``.
"""

import re
from types import MappingProxyType

from deidstream.models.phi.dates.holidays import is_fast

_AROUND = MappingProxyType(
    {
        "at": "around ",
        "over": "the days around ",
        "during": "the days around ",
        "for": "the days around ",
        "in": "the days around ",
        "the": "days around ",
    }
)
"""What is written between a word that takes a feast and a date."""
_WORD_BEFORE = re.compile(r"(?:^|[^A-Za-z])([A-Za-z]+)\s+\Z")
_NOUN_AFTER = re.compile(r"\s+[A-Za-z]")
"""After an article and a feast, a word is the noun of both: ``the Christmas orders``."""
SEEN = 12
"""Characters before and behind a feast that are looked at."""


def find_preface(text: str, before: str, behind: str) -> str:
    """Return what to write before the plain date of a feast; mostly nothing.

    >>> find_preface("Easter", "lifted it at ", ""), find_preface("Easter", "since ", ".")
    ('around ', '')
    >>> find_preface("Memorial Day", "for the ", " dinner"), find_preface("Ramadan", "in ", "")
    ('', 'the ')

    Args:
        text: The feast.
        before: Up to ``SEEN`` characters before it.
        behind: As many behind it.
    """
    found = _WORD_BEFORE.search(before)
    word = found[1].lower() if found else ""
    if is_fast(text):
        return "" if word == "the" else "the "
    if word == "the" and _NOUN_AFTER.match(behind):
        return ""
    return _AROUND.get(word, "")
