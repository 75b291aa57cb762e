"""Read the one list of eponyms and that of the nouns behind them, with a set for each use.

It is here, below ``phi``, as the context of a match is read by it too.
"""

from deidstream.models.text.patterns import word_set
from deidstream.models.text.word_files import lines

_POSSESSIVE = "'s"


def _marks_by_term() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in lines("eponyms.txt"):
        term, _, marks = line.partition("; ")
        found[term] = word_set(marks)
    return found


def _leading_words() -> frozenset[str]:
    leading = (term for term, marks in _MARKS.items() if marks & {"leads", "leads-only"})
    return frozenset(term.split()[0].lower().removesuffix(_POSSESSIVE) for term in leading)


_MARKS = _marks_by_term()
EPONYMS = tuple(term for term, marks in _MARKS.items() if "leads-only" not in marks)
"""Every term that may stay in a text, as it is written."""
LEADING_EPONYMS = _leading_words()
"""Words in lower case that begin no name unless a title or a field says otherwise."""
DOUBLE_EPONYMS = frozenset(
    term.lower()
    for term, marks in _MARKS.items()
    if "-" in term and " " not in term and "surname" not in marks
)
"""Eponyms with a hyphen, in lower case, that are no double surnames."""

_HEADS = {noun: marks for noun, *marks in map(str.split, lines("eponyms.heads.txt"))}
HEADS = frozenset(_HEADS)
"""Nouns that an eponym stands before."""
EVIDENT_HEADS = frozenset(noun for noun, marks in _HEADS.items() if "own" not in marks)
"""Those that a person of the note does not have himself, as he has a fever."""
