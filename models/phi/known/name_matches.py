"""Find the stated names in a text: words that stand beside each other are one match."""

from collections.abc import Callable
from typing import NamedTuple

from deidstream.models.phi.known.name_runs import Run, gather_runs
from deidstream.models.phi.known.ordinary_names import is_name_here, settle_names
from deidstream.models.phi.known.person_set import PersonSet
from deidstream.models.phi.known.stated_names import StatedNames, WordSort, is_short_name
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.models.text.context import follows_title

_LONGEST_LOGIN = 40
"""Characters on either side of a name that are searched for the rest of a user name."""
_LOGIN_SIGNS = frozenset("._-")
_FILES = (".pdf", ".doc", ".docx", ".jpg", ".png", ".txt", ".csv", ".xlsx", ".tif", ".dcm")
"""What ends the name of a file; it is no part of a user name."""


class NameMatch(NamedTuple):
    """One match ``[start, end)``, the persons that it may name, and whether it is exact."""

    start: int
    end: int
    persons: PersonSet
    sort: WordSort
    login: bool = False
    """Whether it is a user name."""


def find_names(written: WrittenText, stated: StatedNames) -> list[NameMatch]:
    """Find the stated names in a text, in order. Linear in the text.

    Matches are disjoint, except that those that are widened to user names may overlap.
    """
    runs = [(run, _judge(written, run)) for run in gather_runs(written, stated)]
    settled = settle_names(written, (run.first for run, sort in runs if sort is WordSort.ORDINARY))
    found: list[NameMatch] = []
    for run, sort in runs:
        if sort is not WordSort.PART:
            found.append(_make_match(written, run, sort))
        elif _is_lone_ordinary_word(run) and run.first in settled:
            found.append(_make_match(written, run, WordSort.SIMILAR))
    return found


def _judge(written: WrittenText, run: Run) -> WordSort:
    """Return how exact a run is; ``PART``: it is no name."""
    for is_name, sort in _JUDGEMENTS:
        if is_name(written, run):
            return sort
    return WordSort.PART


def _has_own_word(_written: WrittenText, run: Run) -> bool:
    """Return whether a word of it is nothing but a name: ``achterberg``."""
    return WordSort.OWN in run.sorts


def _has_similar_word(written: WrittenText, run: Run) -> bool:
    """Return whether a word of it resembles a name: ``bill`` of a William Long, or ``Bill Long``.

    With other words in small letters it may be chance: ``bill long``.
    """
    if WordSort.SIMILAR not in run.sorts:
        return False
    return run.first == run.last or written.lower or _has_capitals(written, run)


def _has_several_words(written: WrittenText, run: Run) -> bool:
    """Return whether words of one name are beside each other: ``Rose May``, ``R. May``.

    In small letters that may be chance, unless the note has no others.
    """
    ordinary = WordSort.ORDINARY in run.sorts
    if len(run.sorts) == 1 and (run.first == run.last or not ordinary):
        return False
    return _has_capitals(written, run) or (written.lower and ordinary)


def _is_ordinary_word_as_name(written: WrittenText, run: Run) -> bool:
    """Return whether an ordinary word is a name here: ``We met Rose.``, but not ``Rose to 5``."""
    return _is_lone_ordinary_word(run) and is_name_here(written, *_borders(written, run))


def _is_part_behind_title(written: WrittenText, run: Run) -> bool:
    """Return whether a mere part of a name is behind a title: ``Dr. Li``."""
    if run.sorts != [WordSort.PART] or not _has_capitals(written, run):
        return False
    return follows_title(written.text, written.words[run.first].start)


def _is_short_word_as_name(written: WrittenText, run: Run) -> bool:
    """Return whether a name of two letters is one here: ``We met Bo.``, but not ``BO seen``."""
    if run.sorts != [WordSort.PART] or not is_short_name(written.words[run.first].form):
        return False
    start, end = _borders(written, run)
    return written.text[start:end].istitle() and is_name_here(written, start, end)


_JUDGEMENTS: tuple[tuple[Callable[[WrittenText, Run], bool], WordSort], ...] = (
    (_has_own_word, WordSort.OWN),
    (_has_similar_word, WordSort.SIMILAR),
    (_has_several_words, WordSort.ORDINARY),
    (_is_ordinary_word_as_name, WordSort.ORDINARY),
    (_is_part_behind_title, WordSort.ORDINARY),
    (_is_short_word_as_name, WordSort.ORDINARY),
)
"""What makes a run a name, and how exact it is then; the first that holds decides."""


def _is_lone_ordinary_word(run: Run) -> bool:
    return run.sorts == [WordSort.ORDINARY] and run.first == run.last


def _has_capitals(written: WrittenText, run: Run) -> bool:
    """Return whether each word of a run begins with a capital."""
    words = written.words[run.first : run.last + 1]
    return all(written.text[word.start].isupper() for word in words)


def _borders(written: WrittenText, run: Run) -> tuple[int, int]:
    return written.words[run.first].start, written.words[run.last].end


def _make_match(written: WrittenText, run: Run, sort: WordSort) -> NameMatch:
    borders = _borders(written, run)
    widened = _widen_to_login(written.text, *borders)
    return NameMatch(*widened, run.persons, sort, login=widened != borders)


def _widen_to_login(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a match to the user name that it is part of: ``dr.salonga``, ``mcgown_b``."""
    first, last = start, end
    begin, stop = start - _LONGEST_LOGIN, min(len(text), end + _LONGEST_LOGIN)
    while first > max(begin, 1) and text[first - 1] in _LOGIN_SIGNS and _is_small(text[first - 2]):
        first -= 2
        while first > max(begin, 0) and _is_small(text[first - 1]):
            first -= 1
    while last + 1 < stop and text[last] in _LOGIN_SIGNS and _is_small(text[last + 1]):
        if text.startswith(_FILES, last):
            break
        last += 2
        while last < stop and _is_small(text[last]):
            last += 1
    if (first, last) == (start, end) or not text[start:end].islower():
        return start, end
    return first, last


def _is_small(c: str) -> bool:
    return c.islower() or c.isdigit()
