"""Find the stated names in a text: words that stand beside each other are one match."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from deidstream.models.phi.known.ordinary_names import is_name_here, settle_names
from deidstream.models.phi.known.stated_names import (
    LONGEST_WORD,
    StatedNames,
    StatedWord,
    WordSort,
    drop_one_letter,
    is_short_name,
    ordinary_words,
)
from deidstream.models.phi.known.written_words import WrittenText
from deidstream.models.text.context import follows_title

_BETWEEN = frozenset(" \t.,'\u2019`-\u2010\u2011\u2013\"\u201c\u201d()^;|_/")
"""What may be between two words of one name."""
_WIDEST = 12
_WRAPPED = 45
"""Characters of a line so long that its end may be the mere edge of the page."""
_LONGEST_LOGIN = 40
_LOGIN_SIGNS = frozenset("._-")
_QUOTES = {'"': '"', "\u201c": "\u201d", "'": "'", "\u2018": "\u2019", "(": ")"}
_LONG = 7
"""Letters of a word that is no other word by chance, even in small letters."""
SHORTEST_LOGIN = 4
_DEGREES = frozenset({".D", ".P", ".N", ".S"})
_FILES = (".pdf", ".doc", ".docx", ".jpg", ".png", ".txt", ".csv", ".xlsx", ".tif", ".dcm")


class NameMatch(NamedTuple):
    """One match ``[start, end)``, the persons that it may name, and whether it is exact."""

    start: int
    end: int
    persons: int
    sort: WordSort
    login: bool = False
    """Whether it is a user name."""


@dataclass(slots=True)
class _Run:
    """Words beside each other that one person's name holds, by their places."""

    first: int
    last: int
    persons: int
    sorts: list[WordSort] = field(default_factory=list[WordSort])
    forms: set[str] = field(default_factory=set[str], repr=False)


def find_names(written: WrittenText, stated: StatedNames) -> list[NameMatch]:
    """Find the stated names in a text, in order; matches are disjoint. Linear in the text."""
    hits, torn = _find_words(written, stated)
    runs = [(run, _judge(written, run)) for run in _gather_runs(written, stated, hits, torn)]
    settled = settle_names(written, (run.first for run, sort in runs if sort is WordSort.ORDINARY))
    found: list[NameMatch] = []
    for run, sort in runs:
        if sort is not WordSort.PART:
            found.append(_place(written, run, sort))
        elif run.sorts == [WordSort.ORDINARY] and run.first == run.last and run.first in settled:
            found.append(_place(written, run, WordSort.SIMILAR))
    return found


def _find_words(
    written: WrittenText, stated: StatedNames
) -> tuple[dict[int, StatedWord], set[int]]:
    """Return the stated words by their places, and the places of the first parts of torn ones."""
    hits: dict[int, StatedWord] = {}
    torn: set[int] = set()
    words, known, ordinary = written.words, stated.words, ordinary_words()
    for place, word in enumerate(words):
        found = known.get(word.form)
        if found is None and len(word.form) >= SHORTEST_LOGIN and word.form not in ordinary:
            found = _find_resembling(written, place, stated)
        if found is not None:
            hits[place] = found
    forms = [word.form for word in words]
    for place, joined in enumerate(map(str.__add__, forms, forms[1:])):
        if joined in known and known[joined].sort is WordSort.OWN and _is_torn(written, place):
            hits[place] = hits[place + 1] = known[joined]
            torn.add(place)
    return hits, torn


def _is_torn(written: WrittenText, place: int) -> bool:
    """Return whether two words are the parts of one: ``Mary-Ann``, ``Achter-`` and ``berg``."""
    gap = written.gap(place)
    if gap.strip(" \t\r") in {"-\n", "\n", "-", "\u2010", "\u2011", "'", "\u2019"}:
        return True
    return gap == " " and written.written(place)[0].isupper()


def _find_resembling(written: WrittenText, place: int, stated: StatedNames) -> StatedWord | None:
    """Return the stated word of which a word is a user name or plural, or that it misspells."""
    form = written.words[place].form
    persons = stated.logins.get(form, 0)
    if not persons and form.endswith("s"):
        persons = _singular_of(form, stated)
    if not persons and form.isalpha() and (len(form) >= _LONG or _may_be_name(written, place)):
        persons = _persons_misspelled(form, stated)
    return StatedWord(WordSort.SIMILAR, persons) if persons else None


def _may_be_name(written: WrittenText, place: int) -> bool:
    """Return whether a word has a capital, or is in a note that has none."""
    return written.lower or written.text[written.words[place].start].isupper()


def _singular_of(form: str, stated: StatedNames) -> int:
    for stem in (form[:-1], form[:-2] if form.endswith("es") else ""):
        found = stated.words.get(stem)
        if found is not None and found.sort is WordSort.OWN:
            return found.persons
    return 0


def _persons_misspelled(form: str, stated: StatedNames) -> int:
    if len(form) > LONGEST_WORD:
        return 0
    for short in (form, *drop_one_letter(form)):
        for word in stated.shortened.get(short, ()):
            if is_one_edit_away(form, word):
                return stated.words[word].persons
    return 0


def is_one_edit_away(one: str, other: str) -> bool:
    """Return whether one letter more, less, other or swapped makes one word the other.

    >>> is_one_edit_away("smtih", "smith"), is_one_edit_away("smyths", "smith")
    (True, False)
    """
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    start = 0
    while start < len(one) and one[start] == other[start]:
        start += 1
    if len(one) < len(other):
        return one[start:] == other[start + 1 :]
    swapped = one[start + 1 : start + 2] + one[start : start + 1] + one[start + 2 :]
    return one[start + 1 :] == other[start + 1 :] or swapped == other[start:]


def _gather_runs(
    written: WrittenText, stated: StatedNames, hits: dict[int, StatedWord], torn: set[int]
) -> Iterator[_Run]:
    ended = -1
    for place in sorted(hits):
        if place <= ended:
            continue
        run = _Run(place, place, hits[place].persons, [hits[place].sort])
        run.forms.add(written.words[place].form)
        if hits[place].sort is not WordSort.ORDINARY or _may_be_name(written, place):
            _lead(written, stated, run, ended)
            _follow(written, stated, hits, torn, run)
        ended = run.last
        yield run


def _lead(written: WrittenText, stated: StatedNames, run: _Run, ended: int) -> None:
    """Add the initials before a run: ``J. A. Smith``."""
    while run.first - 1 > ended and _is_initial(written, stated, run, run.first - 1):
        if not _are_beside(written, run.first - 1):
            return
        run.persons &= stated.letters[written.words[run.first - 1].form]
        run.first -= 1


def _follow(
    written: WrittenText,
    stated: StatedNames,
    hits: dict[int, StatedWord],
    torn: set[int],
    run: _Run,
) -> None:
    """Add what follows a run: other words of the name, initials, a nickname in quotes."""
    while run.last + 1 < len(written.words):
        place = run.last + 1
        form = written.words[place].form
        if run.last not in torn and (not _are_beside(written, run.last) or form in run.forms):
            return
        joins = place in hits and hits[place].persons & run.persons
        if joins and (hits[place].sort is not WordSort.ORDINARY or _may_be_name(written, place)):
            run.persons &= hits[place].persons
            run.sorts.append(hits[place].sort)
            run.forms.add(form)
        elif _is_initial(written, stated, run, place) and not _is_measure(written, place):
            run.persons &= stated.letters[form]
        elif not _is_nickname(written, hits, run, place):
            return
        run.last = place


def _are_beside(written: WrittenText, place: int) -> bool:
    gap = written.gap(place)
    if gap in {" ", ", ", "-", "^"}:
        return True
    if gap.replace("\r", "") in {"\n", ",\n"}:
        end = written.words[place].end
        return end - written.text.rfind("\n", 0, end) > _WRAPPED
    if len(gap) > _WIDEST or not set(gap) <= _BETWEEN:
        return False
    # A full stop and a blank end a sentence, but after an initial.
    word = written.words[place]
    return "." not in gap or len(word.form) <= 2 or not gap[-1].isspace()  # noqa: PLR2004


def _is_initial(written: WrittenText, stated: StatedNames, run: _Run, place: int) -> bool:
    word = written.words[place]
    if len(word.form) != 1 or not stated.letters.get(word.form, 0) & run.persons:
        return False
    gap = written.gap(place) if place < run.first else written.gap(run.last)
    if len(gap.strip("^")) > 2 or len(gap) > 3 or (place < run.first and "," in gap):  # noqa: PLR2004
        return False
    tied = gap in {".", "_", "-"}
    return written.text[word.start].isupper() or tied


def _is_measure(written: WrittenText, place: int) -> bool:
    """Return whether a letter belongs to what follows: ``Smith P 80``, ``A-fib``, ``M.D.``."""
    after = written.text[written.words[place].end :][:2]
    if len(after) < 2:  # noqa: PLR2004
        return False
    measured = after[0] in " -:=" and after[1].isdigit()
    return measured or (after[0] == "-" and after[1].islower()) or after in _DEGREES


def _is_nickname(written: WrittenText, hits: dict[int, StatedWord], run: _Run, place: int) -> bool:
    """Return whether a word in quotes or brackets is between two words of a name."""
    opening, behind = written.gap(place - 1).strip(), place + 1
    if opening not in _QUOTES or behind not in hits or not hits[behind].persons & run.persons:
        return False
    closed = written.gap(place).strip() == _QUOTES[opening]
    return closed and written.written(place)[0].isupper()


def _judge(written: WrittenText, run: _Run) -> WordSort:
    """Return how exact a run is; ``PART``: it is no name."""
    words = written.words[run.first : run.last + 1]
    start, end = words[0].start, words[-1].end
    if WordSort.OWN in run.sorts:
        return WordSort.OWN
    capital = all(written.text[word.start].isupper() for word in words)
    if WordSort.SIMILAR in run.sorts:
        return WordSort.SIMILAR if capital or written.lower or len(words) == 1 else WordSort.PART
    if len(run.sorts) > 1 or (len(words) > 1 and WordSort.ORDINARY in run.sorts):
        # Words of one name beside each other are that name; in small letters they may be chance.
        stands = capital or (written.lower and WordSort.ORDINARY in run.sorts)
    elif WordSort.ORDINARY in run.sorts:
        stands = is_name_here(written, start, end)
    else:
        short = is_short_name(written.words[run.first].form) and written.text[start:end].istitle()
        stands = capital and follows_title(written.text, start)
        stands = stands or (short and is_name_here(written, start, end))
    return WordSort.ORDINARY if stands else WordSort.PART


def _place(written: WrittenText, run: _Run, sort: WordSort) -> NameMatch:
    start, end = written.words[run.first].start, written.words[run.last].end
    widened = _widen_to_login(written.text, start, end)
    return NameMatch(*widened, run.persons, sort, login=widened != (start, end))


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
