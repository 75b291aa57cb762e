"""Word KNEO: each word becomes one of its nearest words in the space of their vectors.

Source: Abdalla, Abdalla, Rudzicz and Hirst, "Using word embeddings to improve the privacy of
clinical notes" (JAMIA 27(6), 2020), Algorithm 1; the degree drawn for each word is their advice for
a stronger form. It is applied after the replacement of PHI: replaced spans stay as they are.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from deidstream.models.keyring import Draw, Keyring
from deidstream.models.kneo.signs import Signs
from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.words_and_numbers import (
    WordOrNumber,
    cut_words,
    find_codes,
    normal_word,
)
from deidstream.models.time_budget import within_time
from deidstream.schemas.kneo_report import KneoReport
from deidstream.schemas.span import Replacement
from deidstream.schemas.word_policy import (
    CodeRule,
    DrawnFor,
    NumberRule,
    UnknownRule,
    WordPolicy,
)

UNKNOWN: Final = "[UNK]"
NUMBER: Final = "[NUMBER]"
_DIGITS: Final = 4
_TRIES: Final = 16
"""Draws of another number before its place gets a label."""


@dataclass(frozen=True, slots=True)
class WordQuery:
    """A text whose PHI has been replaced and whose words are to be replaced."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    """Sorted, disjoint, landed in ``text``."""
    note_id: str = field(repr=False)
    keyring: Keyring
    banned: Callable[[str], bool] = field(repr=False)
    """Returns whether a word, or the digits of a number, resemble an identifier of the note."""


@dataclass(frozen=True, slots=True)
class WordResult:
    """The text of a note after word KNEO."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    """All of them, at their new places."""
    written: tuple[tuple[int, int], ...]
    """``[start, end)`` in ``text`` of what stands in the place of each word and number."""
    kept: tuple[tuple[int, int], ...]
    """``[start, end)`` in ``text`` of the codes that the policy keeps."""
    report: KneoReport
    """Its units are words and numbers; withheld are those with a label, or nothing, in their
    place."""


@dataclass(slots=True)
class _Writing:
    """What has been written of one note so far."""

    query: WordQuery
    stream: Draw = field(repr=False)
    signs: Signs
    drawn: dict[str, str | None] = field(repr=False, default_factory=dict[str, str | None])
    """What each word became, where that counts for the note."""
    nearest: dict[str, tuple[str, ...]] = field(
        repr=False, default_factory=dict[str, tuple[str, ...]]
    )
    """The neighbours of each word that was asked for."""
    parts: list[str] = field(repr=False, default_factory=list[str])
    at: int = 0
    """How far the query's text has been read."""
    length: int = 0
    """Characters that were written."""
    written: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    exchanged: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Those of them that were drawn."""
    codes: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Where kept codes were written."""
    characters: int = 0
    """Length of the words and numbers together."""
    withheld: int = 0
    kept: Counter[str] = field(default_factory=Counter[str])
    """Words and numbers that stay, by their form."""
    kept_characters: int = 0

    def copy_to(self, place: int) -> None:
        """Copy the text up to a place."""
        self.parts.append(self.query.text[self.at : place])
        self.length += place - self.at
        self.at = place

    def keep(self, token: WordOrNumber, form: str) -> None:
        """Leave a token as it is."""
        self.kept[form] += 1
        self.kept_characters += token.end - token.start
        self.characters += token.end - token.start

    def keep_code(self, token: WordOrNumber) -> None:
        """Leave a token as a part of a code."""
        self.keep(token, "code")
        self.copy_to(token.start)
        self.codes.append((self.length, self.length + token.end - token.start))

    def write(self, token: WordOrNumber, drawn: str | None, otherwise: str) -> None:
        """Write what was drawn in the place of a token; where nothing was, ``otherwise``."""
        text = otherwise if drawn is None else drawn
        signs = Signs.of(shown=False) if drawn is None else self.signs
        self.characters += token.end - token.start
        self.copy_to(token.start)
        self.parts += [signs.opening, text, signs.closing]
        self.at = token.end
        start = self.length + len(signs.opening)
        place = (start, start + len(text))
        if text:
            self.written.append(place)
        if drawn is None:
            self.withheld += 1
        else:
            self.exchanged.append(place)
        self.length = place[1] + len(signs.closing)

    def report(self) -> KneoReport:
        """Return the counts."""
        return KneoReport(
            units=len(self.exchanged) + self.withheld + self.kept.total(),
            replaced=len(self.exchanged),
            kept=dict(sorted(self.kept.items())),
            withheld=self.withheld,
            kept_characters=round(self.kept_characters / max(1, self.characters), _DIGITS),
            exchanged=tuple(self.exchanged),
        )


@dataclass(frozen=True, slots=True)
class WordKneo:
    """Draws neighbours of words; a pure function of note, key, vectors and policy."""

    near: NearWords
    policy: WordPolicy

    def substitute(self, query: WordQuery) -> WordResult:
        """Substitute the words and numbers of a text, outside its replaced spans.

        Case, punctuation and white space stay. A neighbour is never a spelling variant of its word
        nor of a word of an identifier.
        """
        digest = self.near.vectors.digest
        stream = query.keyring.draw("kneo-words", query.note_id, digest)
        writing = _Writing(query, stream, Signs.of(shown=self.policy.signs))
        moved: list[Replacement] = []
        for start, end, landed in _cut_stretches(query):
            stretch = query.text[start:end]
            codes = deque(self._find_kept_codes(query, stretch))
            for token in within_time(cut_words(stretch)):
                here = replace(token, start=token.start + start, end=token.end + start)
                while codes and codes[0][1] <= token.start:
                    codes.popleft()
                if codes and codes[0][0] <= token.start and token.end <= codes[0][1]:
                    writing.keep_code(here)
                elif token.is_number:
                    self._write_number(writing, here)
                else:
                    self._write_word(writing, here)
            writing.copy_to(end)
            if landed is not None:
                moved.append(_copy_replacement(writing, landed))
        return WordResult(
            text="".join(writing.parts),
            replacements=tuple(moved),
            written=tuple(writing.written),
            kept=tuple(writing.codes),
            report=writing.report(),
        )

    def _find_kept_codes(self, query: WordQuery, stretch: str) -> list[tuple[int, int]]:
        """Return the codes that stay: none of whose words resembles an identifier of the note."""
        if self.policy.codes is not CodeRule.KEEP:
            return []
        return [
            (start, end)
            for start, end in find_codes(stretch)
            if not any(_is_banned(query, token) for token in cut_words(stretch[start:end]))
        ]

    def _write_word(self, writing: _Writing, token: WordOrNumber) -> None:
        word = normal_word(token.text)
        if self.policy.drawn_for is DrawnFor.MENTION:
            neighbour = self._draw_neighbour(writing, word)
        else:
            if word not in writing.drawn:
                writing.drawn[word] = self._draw_neighbour(writing, word)
            neighbour = writing.drawn[word]
        drawn = None if neighbour is None else _write_in_case(neighbour, token.text)
        writing.write(token, drawn, UNKNOWN if self.policy.unknown is UnknownRule.LABEL else "")

    def _draw_neighbour(self, writing: _Writing, word: str) -> str | None:
        least, most = self.policy.degree, self.policy.degree_to
        degree = least + writing.stream.below(most - least + 1)
        if word not in writing.nearest:
            writing.nearest[word] = self.near.of(word)
        nearest: list[str] = []
        for neighbour in writing.nearest[word]:
            if not writing.query.banned(neighbour):
                nearest.append(neighbour)
                if len(nearest) == degree:
                    break
        return writing.stream.pick(nearest) if nearest else None

    def _write_number(self, writing: _Writing, token: WordOrNumber) -> None:
        if self.policy.numbers is NumberRule.KEEP:
            writing.keep(token, "number")
            return
        drawn = None
        if self.policy.numbers is NumberRule.PERTURB:
            drawn = _draw_number(writing.stream, token.text, writing.query.banned)
        writing.write(token, drawn, NUMBER)


def _is_banned(query: WordQuery, token: WordOrNumber) -> bool:
    return not token.is_number and query.banned(normal_word(token.text))


def _cut_stretches(query: WordQuery) -> Iterator[tuple[int, int, Replacement | None]]:
    """Yield the stretches between replaced spans, each with the replacement behind it."""
    at = 0
    for landed in query.replacements:
        yield at, landed.out_start, landed
        at = landed.out_end
    yield at, len(query.text), None


def _copy_replacement(writing: _Writing, landed: Replacement) -> Replacement:
    start = writing.length
    writing.copy_to(landed.out_end)
    return replace(landed, out_start=start, out_end=writing.length)


def _write_in_case(word: str, pattern: str) -> str:
    """Write a word in capitals, with a capital or small, as ``pattern`` is written."""
    letters = [c for c in pattern if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters):
        return word.upper()
    return word[:1].upper() + word[1:] if letters and letters[0].isupper() else word


def _draw_number(stream: Draw, text: str, banned: Callable[[str], bool]) -> str | None:
    """Draw another number of as many digits; ``None`` where only banned ones were drawn."""
    for _ in range(_TRIES):
        drawn = _draw_digits(stream, text)
        if drawn != text and not banned("".join(filter(str.isdigit, drawn))):
            return drawn
    return None


def _draw_digits(stream: Draw, text: str) -> str:
    """Draw each digit; the first of several is a zero where it was one, and only there."""
    digits = sum(map(str.isnumeric, text))
    drawn: list[str] = []
    for place, sign in enumerate(text):
        if not sign.isnumeric():
            drawn.append(sign)
        elif place or digits == 1:
            drawn.append(str(stream.below(10)))
        else:
            drawn.append(sign if sign == "0" else str(1 + stream.below(9)))
    return "".join(drawn)
