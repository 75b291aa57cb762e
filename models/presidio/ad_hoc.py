"""Recognizers that a request brings with it: patterns and lists of terms."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import re2

from deidstream.models.presidio.entity_spans import EntitySpan
from deidstream.models.time_budget import check_time, within_time

PATTERN_FLAGS = re.DOTALL | re.MULTILINE | re.IGNORECASE
"""Flags of a pattern where the request names none, as in Presidio."""
MOST_FOUND = 20_000
"""Places that the recognizers of a request may find in one text."""
_TERM_SCORE = 1.0
_PATTERN_BYTES = 1 << 20
"""Memory of one compiled pattern."""


class UnusablePattern(Exception):
    """A pattern is no regular expression, or needs features or memory that RE2 does not give it."""


class TooManyFound(Exception):
    """The recognizers of a request find more in one text than is returned."""


@dataclass(frozen=True, slots=True)
class AdHocRecognizer:
    """Finds one entity."""

    entity: str
    patterns: tuple[tuple[str, float], ...] = field(default=(), repr=False)
    """Regular expressions and the scores of what they find."""
    terms: tuple[str, ...] = field(default=(), repr=False)

    def find(self, text: str, flags: int = PATTERN_FLAGS) -> Iterator[EntitySpan]:
        """Find the entity in a text.

        Raises:
            UnusablePattern: One of the patterns cannot be used.
            OutOfTime: The budget of the stage is used up.
        """
        for pattern, score in self.patterns:
            for start, end in _match(pattern, text, flags):
                yield EntitySpan(start, end, self.entity, score)
        if self.terms:
            for start, end in _match_terms(self.terms, text):
                yield EntitySpan(start, end, self.entity, _TERM_SCORE)


def find_ad_hoc(
    recognizers: Iterable[AdHocRecognizer], text: str, flags: int = PATTERN_FLAGS
) -> list[EntitySpan]:
    """Find what the recognizers of a request find in a text.

    Raises:
        UnusablePattern: One of the patterns cannot be used.
        TooManyFound: They find more than ``MOST_FOUND`` places.
        OutOfTime: The budget of the stage is used up.
    """
    found: list[EntitySpan] = []
    for recognizer in recognizers:
        for span in recognizer.find(text, flags):
            found.append(span)
            if len(found) > MOST_FOUND:
                raise TooManyFound
    return found


def _match(pattern: str, text: str, flags: int) -> Iterable[tuple[int, int]]:
    check_time()
    for match in within_time(compile_pattern(pattern, flags).finditer(text), every=100):
        if match.end() > match.start():
            yield match.span()


def compile_pattern(pattern: str, flags: int) -> Any:  # noqa: ANN401 - the library has no types
    """Compile a pattern for the engine whose time grows with the length of the text alone.

    Look-around and back references, which that engine does not have, are refused.

    Raises:
        UnusablePattern: It is no regular expression of that engine.
    """
    options = re2.Options()
    options.max_mem = _PATTERN_BYTES
    options.case_sensitive = not flags & re.IGNORECASE
    options.dot_nl = bool(flags & re.DOTALL)
    options.log_errors = False
    prefix = "(?m)" if flags & re.MULTILINE else ""
    try:
        return re2.compile(prefix + pattern, options)
    except (re2.error, UnicodeEncodeError):
        raise UnusablePattern from None


def _match_terms(terms: Sequence[str], text: str) -> Iterable[tuple[int, int]]:
    longest_first = sorted({term for term in terms if term}, key=len, reverse=True)
    if not longest_first:
        return
    union = "|".join(map(re2.escape, longest_first))
    for start, end in _match(union, text, re.IGNORECASE):
        before, after = text[start - 1 : start], text[end : end + 1]
        if not _is_word(before) and not _is_word(after):
            yield start, end


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
