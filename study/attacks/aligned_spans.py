"""Find what became of the spans of an original, by the words that its output kept around them.

An output says nowhere what was replaced. Original and output are aligned by their words and signs,
and what stands in the output between the word before a span and the word behind it has replaced the
span.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from deidstream.schemas.span import Span

_WORD: Final = re.compile(r"[^\W_]+|[^\w\s]|_")
MOST_WORDS: Final = 30_000
"""Longer notes are not aligned: the time grows with the square of their length."""


@dataclass(frozen=True, slots=True)
class AlignedSpan:
    """What stood in an original, and what stands in its place."""

    original: str = field(repr=False)
    """The span, with the rest of a word that it cuts."""
    output: str = field(repr=False)
    """Empty where nothing came in its place."""


@dataclass(frozen=True, slots=True)
class _Words:
    """A text as words and signs; the first and the last are its ends."""

    words: Sequence[str] = field(repr=False)
    starts: Sequence[int] = field(repr=False)
    ends: Sequence[int] = field(repr=False)


def align_spans(original: str, output: str, spans: Sequence[Span]) -> Iterator[AlignedSpan | None]:
    """Yield what each span became.

    Args:
        original: Text that the spans are of.
        output: What it became.
        spans: Of the original.

    Yields:
        ``None`` where the words beside the span are not in the output as well.
    """
    before, after = _read_words(original), _read_words(output)
    if max(len(before.words), len(after.words)) > MOST_WORDS:
        yield from (None for _ in spans)
        return
    partners = _match_words(before.words, after.words)
    for span in spans:
        # The last word that ends before the span, and the first that starts behind it.
        left = bisect_right(before.ends, span.start) - 1
        right = bisect_left(before.starts, span.end)
        first, last = partners.get(left), partners.get(right)
        if first is None or last is None:
            yield None
        else:
            replaced = original[before.ends[left] : before.starts[right]].strip()
            yield AlignedSpan(replaced, output[after.ends[first] : after.starts[last]].strip())


def _read_words(text: str) -> _Words:
    found = [match.span() for match in _WORD.finditer(text)]
    return _Words(
        ["\0", *(text[start:end] for start, end in found), "\0"],
        [0, *(start for start, _ in found), len(text)],
        [0, *(end for _, end in found), len(text)],
    )


def _match_words(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return for each word that was kept the number of the same word in the output."""
    partners = {0: 0, len(before) - 1: len(after) - 1}
    for run, other_run in _match_run(before, after):
        partners |= zip(run, other_run, strict=True)
    # Of a long run, words that return often were left out: a comma between two identifiers.
    kept = sorted(partners.items())
    for (old, new), (next_old, next_new) in pairwise(kept):
        if next_old - old > 1 and next_new - new > 1:
            inner = before[old + 1 : next_old], after[new + 1 : next_new]
            for some, others in _match_run(*inner):
                partners |= _shift(some, others, old + 1, new + 1)
    return partners


def _shift(some: range, others: range, by: int, other_by: int) -> Iterator[tuple[int, int]]:
    for one, other in zip(some, others, strict=True):
        yield one + by, other + other_by


def _match_run(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[range, range]]:
    for a, b, size in SequenceMatcher(None, before, after).get_matching_blocks():
        yield range(a, a + size), range(b, b + size)
