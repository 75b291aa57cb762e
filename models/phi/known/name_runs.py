"""Find the words of stated names in a text, and gather those beside each other into runs."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from deidstream.models.phi.known.person_set import PersonSet
from deidstream.models.phi.known.stated_names import (
    LONGEST_WORD,
    StatedNames,
    StatedWord,
    WordSort,
    drop_one_letter,
    ordinary_words,
)
from deidstream.models.phi.known.written_words import WrittenText

_SHORTEST_RESEMBLING = 4
"""Letters from which a word may be a user name, a plural or a misspelled name."""
_UNMISTAKABLE = 7
"""Letters of a word that is no other word by chance, even in small letters."""
_TEARS = frozenset({"-\n", "\n", "-", "\u2010", "\u2011", "'", "\u2019"})
"""What may tear one word in two; blanks around it are left out."""
_PLAIN_GAPS = frozenset({" ", ", ", "-", "^"})
"""What is between two words of one name most of the time; ``^`` in HL7."""
_LINE_ENDS = frozenset({"\n", ",\n"})
_WRAPPED = 45
"""Characters of a line so long that its end may be the mere edge of the page."""
_BETWEEN = frozenset(" \t.,'\u2019`-\u2010\u2011\u2013\"\u201c\u201d()^;|_/")
"""What else may be between two words of one name."""
_WIDEST_GAP = 12
"""Characters between two words of one name, at most."""
_LONGEST_ABBREVIATION = 2
"""Letters of a word whose full stop may end no sentence: ``J.``, ``St.``."""
_WIDEST_BY_INITIAL = 2
"""Characters between an initial and the word beside it, at most."""
_WIDEST_BY_INITIAL_IN_HL7 = 3
"""The same together with the ``^`` at both ends."""
_TIES = frozenset({".", "_", "-"})
"""What ties even a small letter to a name: ``salonga_j``."""
_DEGREES = frozenset({".D", ".P", ".N", ".S"})
"""How a degree goes on behind its first letter: ``M.D``, ``R.N``."""
_QUOTES = {'"': '"', "\u201c": "\u201d", "'": "'", "\u2018": "\u2019", "(": ")"}


@dataclass(slots=True)
class Run:
    """The words from the index ``first`` to the index ``last``, which one person's name holds."""

    first: int
    last: int
    persons: PersonSet
    """Whose names hold all of them."""
    sorts: list[WordSort]
    """Sorts of its words, initials and nicknames left out."""
    forms: set[str] = field(repr=False)
    """Its words, initials and nicknames left out."""

    def add_word(self, form: str, word: StatedWord) -> None:
        """Add the word behind the last."""
        self.persons &= word.persons
        self.sorts.append(word.sort)
        self.forms.add(form)
        self.last += 1


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text, and which of its words stated names hold."""

    written: WrittenText
    stated: StatedNames
    hits: dict[int, StatedWord] = field(default_factory=dict[int, StatedWord], repr=False)
    """The words that names hold, by index."""
    torn: set[int] = field(default_factory=set[int])
    """Indexes of words that are one name's word only together with the next."""

    def may_count(self, index: int) -> bool:
        """Return whether a word of a name may stand for it: ``Rose``, but not ``rose``."""
        ordinary = self.hits[index].sort is WordSort.ORDINARY
        return not ordinary or _has_capital(self.written, index)


def gather_runs(written: WrittenText, stated: StatedNames) -> Iterator[Run]:
    """Yield the runs of a text, in order; they are disjoint. Linear in the text."""
    reading = _find_words(written, stated)
    ended = -1
    for index in sorted(reading.hits):
        if index <= ended:
            continue
        word = reading.hits[index]
        run = Run(index, index, word.persons, [word.sort], {written.words[index].form})
        if reading.may_count(index):
            _add_initials_before(reading, run, ended)
            _add_what_follows(reading, run)
        ended = run.last
        yield run


def _find_words(written: WrittenText, stated: StatedNames) -> _Reading:
    reading = _Reading(written, stated)
    words, known, ordinary = written.words, stated.words, ordinary_words()
    for index, word in enumerate(words):
        found = known.get(word.form)
        if found is None and len(word.form) >= _SHORTEST_RESEMBLING and word.form not in ordinary:
            found = _find_resembling(written, index, stated)
        if found is not None:
            reading.hits[index] = found
    forms = [word.form for word in words]
    for index, joined in enumerate(map(str.__add__, forms, forms[1:])):
        if joined in known and known[joined].sort is WordSort.OWN and _is_torn(written, index):
            reading.hits[index] = reading.hits[index + 1] = known[joined]
            reading.torn.add(index)
    return reading


def _is_torn(written: WrittenText, index: int) -> bool:
    """Return whether a word and the next are parts of one: ``Mary-Ann``, ``Achter-`` ``berg``."""
    gap = written.gap(index)
    if gap.strip(" \t\r") in _TEARS:
        return True
    return gap == " " and written.written(index)[0].isupper()


def _find_resembling(written: WrittenText, index: int, stated: StatedNames) -> StatedWord | None:
    """Return the stated word of which a word is a user name or plural, or that it misspells."""
    form = written.words[index].form
    persons = stated.logins.get(form) or _find_singular(form, stated)
    if persons is None and _may_be_misspelled(written, index):
        persons = _find_misspelled(form, stated)
    return None if persons is None else StatedWord(WordSort.SIMILAR, persons)


def _may_be_misspelled(written: WrittenText, index: int) -> bool:
    """Return whether a word may be a name but for a slip: ``Samn`` or ``achtreberg``."""
    form = written.words[index].form
    return form.isalpha() and (len(form) >= _UNMISTAKABLE or _has_capital(written, index))


def _has_capital(written: WrittenText, index: int) -> bool:
    """Return whether a word has a capital, or is in a note that has none."""
    return written.lower or written.text[written.words[index].start].isupper()


def _find_singular(form: str, stated: StatedNames) -> PersonSet | None:
    """Return whose name a word is the plural of: ``Achterbergs``."""
    if not form.endswith("s"):
        return None
    for stem in (form[:-1], form[:-2] if form.endswith("es") else ""):
        found = stated.words.get(stem)
        if found is not None and found.sort is WordSort.OWN:
            return found.persons
    return None


def _find_misspelled(form: str, stated: StatedNames) -> PersonSet | None:
    """Return whose name a word misspells: ``Achtreberg``."""
    if len(form) > LONGEST_WORD:
        return None
    for short in (form, *drop_one_letter(form)):
        for word in stated.shortened.get(short, ()):
            if _is_one_edit_away(form, word):
                return stated.words[word].persons
    return None


def _is_one_edit_away(one: str, other: str) -> bool:
    """Return whether one letter more, less, other or swapped makes one word the other.

    >>> _is_one_edit_away("smtih", "smith"), _is_one_edit_away("smyths", "smith")
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


def _add_initials_before(reading: _Reading, run: Run, ended: int) -> None:
    """Add the initials before a run that begin behind the index ``ended``: ``J. A. Smith``."""
    written = reading.written
    while run.first - 1 > ended:
        index = run.first - 1
        gap = written.gap(index)
        if "," in gap or not _is_initial(reading, run, index, gap):
            return
        if not _are_beside(written, index):
            return
        run.persons &= reading.stated.letters[written.words[index].form]
        run.first = index


def _add_what_follows(reading: _Reading, run: Run) -> None:
    """Add what follows a run: other words of the name, initials, a nickname in quotes."""
    written = reading.written
    while run.last + 1 < len(written.words):
        index = run.last + 1
        form = written.words[index].form
        goes_on = form not in run.forms and _are_beside(written, run.last)
        if not goes_on and run.last not in reading.torn:
            return
        word = reading.hits.get(index)
        if word is not None and word.persons & run.persons and reading.may_count(index):
            run.add_word(form, word)
        elif _is_initial_behind(reading, run, index):
            run.persons &= reading.stated.letters[form]
            run.last = index
        elif _is_nickname(reading, run, index):
            run.last = index
        else:
            return


def _are_beside(written: WrittenText, index: int) -> bool:
    """Return whether what is between a word and the next may be inside one name."""
    gap = written.gap(index)
    if gap in _PLAIN_GAPS:
        return True
    if gap.replace("\r", "") in _LINE_ENDS:
        return _is_line_full(written, index)
    if len(gap) > _WIDEST_GAP or not _BETWEEN.issuperset(gap):
        return False
    return not _ends_sentence(written, index, gap)


def _is_line_full(written: WrittenText, index: int) -> bool:
    """Return whether the line up to a word is so long that its end means nothing."""
    end = written.words[index].end
    return end - written.text.rfind("\n", 0, end) > _WRAPPED


def _ends_sentence(written: WrittenText, index: int, gap: str) -> bool:
    """Return whether a sentence ends behind a word: ``saw Rose. May``, but not ``J. Smith``."""
    abbreviated = len(written.words[index].form) <= _LONGEST_ABBREVIATION
    return "." in gap and gap[-1].isspace() and not abbreviated


def _is_initial(reading: _Reading, run: Run, index: int, gap: str) -> bool:
    """Return whether a word is an initial of the run's person.

    Args:
        reading: The text and its words.
        run: The words beside it.
        index: Index of the word.
        gap: What is between it and the run.
    """
    word = reading.written.words[index]
    holders = reading.stated.letters.get(word.form) if len(word.form) == 1 else None
    if holders is None or not holders & run.persons:
        return False
    if len(gap) > _WIDEST_BY_INITIAL_IN_HL7 or len(gap.strip("^")) > _WIDEST_BY_INITIAL:
        return False
    return gap in _TIES or reading.written.text[word.start].isupper()


def _is_initial_behind(reading: _Reading, run: Run, index: int) -> bool:
    """Return whether the word behind a run is an initial: ``Nkosi, M``, but not ``Nkosi P 80``."""
    written = reading.written
    return _is_initial(reading, run, index, written.gap(run.last)) and not _is_no_name(
        written, index
    )


def _is_no_name(written: WrittenText, index: int) -> bool:
    """Return whether a letter belongs to what follows: ``P 80``, ``A-fib``, ``M.D.``."""
    end = written.words[index].end
    sign, following = written.text[end : end + 1], written.text[end + 1 : end + 2]
    measured = sign in " -:=" and following.isdigit()
    hyphenated = sign == "-" and following.islower()
    return measured or hyphenated or sign + following in _DEGREES


def _is_nickname(reading: _Reading, run: Run, index: int) -> bool:
    """Return whether a word in quotes or brackets is between two words of the run's person.

    ``Jose "Pepito" Salonga``.
    """
    written, behind = reading.written, reading.hits.get(index + 1)
    opening = written.gap(index - 1).strip()
    if opening not in _QUOTES or behind is None or not behind.persons & run.persons:
        return False
    closed = written.gap(index).strip() == _QUOTES[opening]
    return closed and written.written(index)[0].isupper()
