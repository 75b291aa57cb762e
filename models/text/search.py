"""Find every occurrence of given terms in a text.

The sweep and the verifier use the same function, so that they cannot disagree. Nothing is cached:
an automaton holds terms of one note and is dropped after the call.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import ahocorasick
import numpy as np
from numpy.typing import NDArray

from deidstream.models.text.context import Condition, meets
from deidstream.models.text.folding import (
    EDGE,
    Folded,
    SearchForm,
    add_word_edges,
    codes_of,
    fold,
    fold_short,
    fold_text,
    fold_to_keys,
    text_of,
    word_mask,
    words_of,
)
from deidstream.models.time_budget import within_time

_CHECKED = 64
"""Matches between two looks at the clock."""
MOST_WORDS = 16
"""Only so many words of a term are looked for: nested long terms would multiply the work."""
_MOST_SIGNS = 16
"""Only so many signs before the first word of a term and behind its last are looked for."""
_LONGEST_PIECE, _KEPT = 64, 24
"""Of a longer word, and of a longer row of signs between words, so many characters at each end are
compared, and between them a digest of the whole."""
_WIDEST_GAP = 3
_SEPARATES = np.array([chr(code) in " -./()_+" for code in range(128)] + [False])
"""Whether a character of ASCII may separate the digits of a number; the last is for all others."""
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile("[0-9]+")
_LETTERS = re.compile(r"[^\W\d_]+")


class Term(NamedTuple):
    """A text to look for, and where an occurrence counts.

    A tuple, as a note takes thousands, each asked for its hash several times.
    """

    text: str
    condition: Condition = Condition.ANYWHERE
    loose: bool = False
    """Whether only letters and digits count, with up to 3 separators between two of them, and a
    letter may touch a digit: how numbers are written and rewritten."""

    def __repr__(self) -> str:
        """Leave out the text, which is of a note."""
        return f"Term(condition={self.condition!r}, loose={self.loose})"


class Occurrence(NamedTuple):
    """One occurrence: ``[start, end)`` in code points of the searched text."""

    start: int
    end: int
    term: Term


@dataclass(frozen=True, slots=True)
class _Searched:
    """A form of a folded text in which keys are looked for."""

    text: str = field(repr=False)
    may_end: Callable[[int], bool]
    """Whether a match may have its last character here."""
    locate: Callable[[int, int], tuple[int, int] | None]
    """Returns the place of a match in the folded text, or None if it is refused."""


_Keys = Mapping[str, Sequence[Term]]


@dataclass(frozen=True, slots=True)
class TermKeys:
    """Terms made ready to be looked for in several texts of one note.

    At each character of a text the automaton tries every beginning of a key that ends there. Of a
    key that repeats itself, such as a word of one letter, that would be all that was read so far.
    So an exact key has an ``EDGE`` at each edge of its words: a beginning of it, as far as it ends
    another, begins at a word too, or in the few signs before the first. Nor may a key be of any
    length: the automaton is freed by a call within a call for each character. Loose terms are
    numbers of at most 40 characters.
    """

    exact: _Keys = field(repr=False)
    loose: _Keys = field(repr=False)

    @classmethod
    def of_terms(cls, terms: Iterable[Term]) -> "TermKeys":
        """Fold terms."""
        exact: list[Term] = []
        loose: list[Term] = []
        for term in terms:
            (loose if term.loose else exact).append(term)
        return cls(_word_keys(exact), _letter_keys(loose))


def find_occurrences(text: str, terms: Collection[Term]) -> list[Occurrence]:
    """Find where ``terms`` occur in ``text`` as words of their own, in order.

    Case, diacritics, ligatures, kinds of apostrophe and dash, and runs of white space do not count,
    unless the condition of a term says so. A letter or digit on either side rejects a match; an
    apostrophe and the letters after it do not. Occurrences may overlap, but of those that end at
    one place only the longest is reported, and of terms that fold alike the first whose condition
    is met. Time is linear in the text and in the terms.
    """
    return find_keys(text, TermKeys.of_terms(terms)) if terms else []


def find_keys(text: str, keys: TermKeys) -> list[Occurrence]:
    """Find where terms occur, as ``find_occurrences`` does."""
    folded = fold(text)
    found = [
        *_search_form(text, folded, keys.exact, _word_form),
        *_search_form(text, folded, keys.loose, _letters_form),
    ]
    return sorted(set(found), key=lambda one: (one.start, one.end))


def _search_form(
    text: str, folded: Folded, keys: _Keys, form_of: Callable[[str], _Searched]
) -> Iterator[Occurrence]:
    if not keys:
        return
    form = form_of(folded.text)

    def accept(start: int, end: int, key: str) -> Occurrence | None:
        if (place := form.locate(start, end)) is None:
            return None
        origin = folded.origin(*place)
        met = (term for term in keys[key] if meets(text, origin, term.text, term.condition))
        return next((Occurrence(*origin, term) for term in met), None)

    yield from _scan_for_keys(form, keys, accept)


def _scan_for_keys(
    form: _Searched, keys: _Keys, accept: Callable[[int, int, str], Occurrence | None]
) -> Iterator[Occurrence]:
    automaton = ahocorasick.Automaton()
    for key in keys:
        automaton.add_word(key, key)
    automaton.make_automaton()
    settled = -1
    # The automaton names what ends at one place from the longest to the shortest.
    for last, key in within_time(automaton.iter(form.text), every=_CHECKED):
        if last == settled:
            continue
        if not form.may_end(last):
            settled = last
        elif found := accept(last + 1 - len(key), last + 1, key):
            settled = last
            yield found


def _word_form(text: str) -> _Searched:
    form = _shorten_pieces(add_word_edges(text))

    def locate(start: int, end: int) -> tuple[int, int]:
        # An edge has no place; the character inside it has.
        first, last = start + (form.text[start] == EDGE), end - 1 - (form.text[end - 1] == EDGE)
        return int(form.places[first]), int(form.places[last]) + 1

    return _Searched(form.text, lambda _: True, locate)


def _letters_form(text: str) -> _Searched:
    form = _keep_letters(text)
    breaks = _count_breaks(text, form.places)

    def may_end(last: int) -> bool:
        place = int(form.places[last])
        return not _is_one_kind(text[place], text[place + 1 : place + 2])

    def locate(start: int, end: int) -> tuple[int, int] | None:
        first, last = int(form.places[start]), int(form.places[end - 1]) + 1
        begun = first > 0 and _is_one_kind(text[first - 1], text[first])
        if begun or breaks[start] != breaks[end - 1]:
            return None
        opened = first > 0 and text[first - 1] == "(" and ")" in text[first:last]
        return first - opened, last

    return _Searched(form.text, may_end, locate)


def _word_keys(terms: Collection[Term]) -> _Keys:
    keys: defaultdict[str, list[Term]] = defaultdict(list)
    for term, form in zip(terms, fold_to_keys([term.text for term in terms]), strict=True):
        pieces = form.split(EDGE)
        # Words and the text between them alternate; the first and the last are not words.
        if len(pieces) > 2 * MOST_WORDS + 1:
            pieces[2 * MOST_WORDS :] = [""]
        if len(pieces) > 1:
            before, *pieces, behind = pieces
            within = map(_shorten, pieces)
            pieces = [before[-_MOST_SIGNS:], *within, behind[:_MOST_SIGNS]]
        key = EDGE.join(pieces)
        if key and (len(pieces) > 1 or len(key) <= _MOST_SIGNS):
            keys[key].append(term)
    return keys


def _shorten(piece: str) -> str:
    if len(piece) <= _LONGEST_PIECE:
        return piece
    raw = piece.encode("utf-8", "surrogatepass")
    whole = blake2b(raw, digest_size=_LONGEST_PIECE // 2 - _KEPT).hexdigest()
    return piece[:_KEPT] + whole + piece[-_KEPT:]


def _shorten_pieces(form: SearchForm) -> SearchForm:
    """Shorten the words of a text, and what is between them, as those of keys are."""
    borders = np.concatenate([[-1], np.flatnonzero(form.places < 0), [len(form.text)]])
    long = np.flatnonzero(np.diff(borders) > _LONGEST_PIECE + 1)
    if not len(long):
        return form
    texts: list[str] = []
    kept = np.ones(len(form.text), dtype=np.bool_)
    done = 0
    for start, end in zip((borders[long] + 1).tolist(), borders[long + 1].tolist(), strict=True):
        texts += form.text[done:start], _shorten(form.text[start:end])
        # The characters at both ends are their own; no match begins or ends between them.
        kept[start + _LONGEST_PIECE - _KEPT : end - _KEPT] = False
        done = end
    return SearchForm("".join([*texts, form.text[done:]]), form.places[kept])


def _letter_keys(terms: Collection[Term]) -> _Keys:
    keys: defaultdict[str, list[Term]] = defaultdict(list)
    for term in terms:
        if key := "".join(c for c in fold_short(term.text) if c.isalnum()):
            keys[key].append(term)
    return keys


def _keep_letters(text: str) -> SearchForm:
    places = np.flatnonzero(word_mask(text))
    return SearchForm(text_of(codes_of(text)[places]), places)


def _count_breaks(text: str, places: NDArray[np.int64]) -> NDArray[np.int64]:
    # Number of places, up to each letter, where a gap is too wide or holds no mere separator.
    foreign = ~_SEPARATES[np.minimum(codes_of(text), len(_SEPARATES) - 1)]
    foreign[places] = False
    before = np.cumsum(foreign)[places]
    gaps = np.diff(places, prepend=places[:1])
    broken = (gaps > _WIDEST_GAP + 1) | (np.diff(before, prepend=before[:1]) > 0)
    return np.cumsum(broken, dtype=np.int64)


def _is_one_kind(one: str, other: str) -> bool:
    return (one.isalpha() and other.isalpha()) or (one.isdigit() and other.isdigit())


@dataclass(frozen=True, slots=True)
class SeenWords:
    """What a text holds, folded. A term with no part of it cannot occur in the text."""

    words: frozenset[str] = field(repr=False)
    """Runs of letters and digits."""
    numbers: frozenset[str] = field(repr=False)
    """Runs of digits, those within a word too."""
    letters: frozenset[str] = field(repr=False)
    """Runs of letters, those within a word too."""

    @classmethod
    def of_text(cls, text: str) -> "SeenWords":
        """Gather the words of a text. Linear in its length."""
        folded = fold_text(text)
        runs = (_WORD, _NUMBER, _LETTERS)
        return cls(*(frozenset(run.findall(folded)) for run in runs))

    def hold_a_word_of(self, text: str) -> bool:
        """Return whether the text may hold a part of another, initials left out."""
        words = words_of(text)
        longer = [word for word in words if len(word) > 1]
        return not self.words.isdisjoint(longer or words)
