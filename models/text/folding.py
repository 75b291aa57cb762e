"""Fold a text for comparison and remember where every character came from.

Folding changes lengths ('ß' becomes 'ss', 'ﬁ' becomes 'fi', a zero-width space vanishes, a line
break with its indent becomes one space), so offsets must be mapped back to the note.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from deidstream.models.text.characters import read_look_alikes

EDGE = "\0"
"""Written at each edge of a word in a ``SearchForm``; folding drops the NULs of the text."""
_APART = "\ue000"
_WORD = re.compile(r"([^\W_]+)")
_ASCII_WORDS = re.compile(r"[A-Za-z0-9]+")
_BLANKS = re.compile(" +")
_BEYOND = 128
"""The first code point that is not of ASCII."""
_MOST_KEPT = 65_536
_T = TypeVar("_T", np.bool_, np.int64)
_FIRST_MARK, _LAST_MARK = "\u0300", "\u036f"
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\u00b4\uff07", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        # Letters that Unicode does not decompose, though people write them without their mark.
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "\u0131": "i",
        "æ": "ae",
        "œ": "oe",
    }
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text: ``text[k]`` comes from ``[starts[k], ends[k])`` of the original."""

    text: str = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)
    ends: NDArray[np.int64] = field(repr=False)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Map the non-empty ``[start, end)`` of the folded text back to the original."""
        return int(self.starts[start]), int(self.ends[end - 1])


@dataclass(frozen=True, slots=True)
class SearchForm:
    """A form of a folded text made for searching; ``text[k]`` comes from place ``places[k]``."""

    text: str = field(repr=False)
    places: NDArray[np.int64] = field(repr=False)


def fold(text: str) -> Folded:
    """Fold case, width, ligatures, Latin diacritics and runs of white space; drop the invisible.

    Letters of other scripts that look like Latin ones fold to those in words that hold both.
    Linear in the length of ``text``.
    """
    text = read_look_alikes(text)
    loose = _fold_characters(text)
    codes = codes_of(loose)
    blank = codes == ord(" ")
    kept = ~blank
    kept[:1] = True
    kept[1:] |= ~blank[:-1]
    starts = _find_starts(text, len(loose))[kept]
    following = np.append(starts[1:], len(text))
    folded = loose if kept.all() else text_of(codes[kept])
    return Folded(folded, starts, np.maximum(starts + 1, following))


def add_word_edges(text: str) -> SearchForm:
    """Put an ``EDGE`` at each edge of each word of a folded text, to search for whole words.

    A word is a run of letters and digits. An edge has no place of its own: -1.
    """
    inside = np.zeros(len(text) + 2, dtype=np.bool_)
    inside[1:-1] = word_mask(text)
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    kept = np.ones(len(text) + len(edges), dtype=np.bool_)
    kept[edges + np.arange(len(edges))] = False
    codes = np.zeros(len(kept), dtype=np.uint32)
    codes[kept] = codes_of(text)
    places = np.full(len(kept), -1)
    places[kept] = np.arange(len(text))
    return SearchForm(text_of(codes), places)


def fold_to_keys(texts: Sequence[str]) -> list[str]:
    """Fold and strip many short texts in one pass, with word edges, for use as keys."""
    plain = [fold_short(text) if _is_plain(text) else None for text in texts]
    rest = [text for text, folded in zip(texts, plain, strict=True) if folded is None]
    others = iter(_fold_joined(rest).split(_APART) if rest else ())
    folded = [next(others) if form is None else form for form in plain]
    # A line feed is no character of a folded text; words and what is between them alternate.
    return EDGE.join(_WORD.split("\n".join(folded))).split("\n") if folded else []


def _fold_joined(texts: Sequence[str]) -> str:
    return fold_text(_APART.join(text.replace(_APART, " ").strip() for text in texts))


def fold_all(texts: Sequence[str]) -> list[str]:
    """Fold and strip many short texts in one pass."""
    return [form.replace(EDGE, "") for form in fold_to_keys(texts)]


def fold_text(text: str) -> str:
    """Fold a text whose offsets do not matter; a run of white space at an edge becomes a space."""
    return _BLANKS.sub(" ", _fold_characters(read_look_alikes(text)))


def words_of(text: str) -> list[str]:
    """Split a short text into its folded words."""
    if _is_plain(text):
        return _ASCII_WORDS.findall(text.lower())
    folded = fold_short(text)
    if folded.isascii():
        return _ASCII_WORDS.findall(folded)
    return "".join(c if c.isalnum() else " " for c in folded).split()


def fold_short(text: str) -> str:
    """Fold and strip a short text whose offsets do not matter."""
    if _is_plain(text):
        lowered = text.lower()
        return " ".join(lowered.split()) if " " in lowered else lowered
    return " ".join(_fold_characters(read_look_alikes(text)).split())


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def word_mask(text: str) -> NDArray[np.bool_]:
    """Return for each character whether it is a letter or digit."""
    return _answer_by_character(text, _ASCII_WORD, str.isalnum)


def codes_of(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def text_of(codes: NDArray[np.uint32]) -> str:
    """Write code points as a text."""
    return codes.tobytes().decode("utf-32-le", "surrogatepass")


def _fold_characters(text: str) -> str:
    """Fold each character of a text whose look-alikes have been read; keep runs of white space."""
    folded = text.translate(_TABLE)
    # Decomposing and folding may bring forth a look-alike: an accented alpha, a capital gamma.
    read = read_look_alikes(folded)
    if read is folded:
        return folded
    return "".join(
        new if new == old else new.lower() for new, old in zip(read, folded, strict=True)
    )


def _answer_by_character(
    text: str, ascii_answers: NDArray[_T], answer: Callable[[str], int]
) -> NDArray[_T]:
    """Return an answer for each character; those of ASCII are looked up together."""
    codes = codes_of(text)
    answers = ascii_answers[np.minimum(codes, _BEYOND)]
    for place in np.flatnonzero(codes >= _BEYOND):
        answers[place] = answer(text[place])
    return answers


def _find_starts(text: str, length: int) -> NDArray[np.int64]:
    if text.isascii() and length == len(text):
        return np.arange(length)
    lengths = _answer_by_character(text, _ASCII_LENGTHS, lambda c: len(_fold_character(c)))
    return np.repeat(np.arange(len(text)), lengths)


def _fold_character(character: str) -> str:
    if character.isspace():
        return " "
    plain = unicodedata.normalize("NFKD", character.translate(_PLAIN)).casefold()
    letters = unicodedata.normalize("NFKD", plain).translate(_PLAIN)
    return "".join(" " if c.isspace() else c for c in letters if not _is_dropped(c))


def _is_dropped(character: str) -> bool:
    invisible = unicodedata.category(character) in {"Cc", "Cf"}
    return invisible or _FIRST_MARK <= character <= _LAST_MARK


class _Folding(dict[int, str]):
    """The folded form of each character, as a table for ``str.translate``."""

    __slots__ = ()

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if len(self) < _MOST_KEPT:
            self[code] = folded
        return folded


_TABLE = _Folding()
_ASCII = [chr(code) for code in range(_BEYOND)]
_ASCII_WORD = np.array([*map(str.isalnum, _ASCII), False])
_ASCII_LENGTHS = np.array([*(len(_fold_character(c)) for c in _ASCII), 0], np.int64)
