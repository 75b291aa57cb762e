"""Make rules of the patterns of a policy, and find what is wrong with one.

Unlike the shipped rules they are written by people who see characters, so that their expressions
run over UTF-8.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import re2

from deidstream.models.recognizers.rules.rule import (
    AFTER_BYTES,
    BEFORE_BYTES,
    REFUSED,
    Candidate,
    CompiledRule,
    Fit,
    Rule,
    keep_whole,
)
from deidstream.models.text.folding import words_of
from deidstream.schemas.label import PhiLabel, own_name
from deidstream.schemas.site_pattern import LONGEST_PATTERN, SitePattern

MARKED = "phi"
"""Name of the group that marks what is to be found, if that is not the whole match."""
_BYTES_A_WORD = 40
"""Room for a word beside a match and the signs around it."""
_KEPT = 256
"""Compiled patterns that are kept."""
_MARK = re.compile(r"\[\[|\]\]")
_EMPTY_IN = (b"", b"a", b"7 a\n")
"""Texts in one of which a pattern that can match nothing at all does so."""
_HINTS = {
    "invalid perl operator": "look-ahead and look-behind are not in re2; use before and behind",
    "invalid escape sequence": "back-references are not in re2",
}
_UTF8 = re2.Options()
_UTF8.log_errors = False


@dataclass(frozen=True, slots=True)
class PatternFault:
    """What is wrong with one key of a pattern; values are never quoted."""

    key: str
    message: str
    item: int = 0
    """Item of the list at the key, counted from 1; 0: the whole of it."""


@dataclass(frozen=True, slots=True)
class _Example:
    """A text and the places in it that are to be found."""

    text: str = field(repr=False)
    places: tuple[tuple[int, int], ...]
    """``[start, end)`` in bytes of UTF-8."""


@lru_cache(maxsize=_KEPT)
def compile_pattern(
    name: str, pattern: SitePattern, label: PhiLabel = PhiLabel.IDNUM
) -> CompiledRule:
    """Make a rule of a pattern in which ``find_faults`` finds nothing wrong.

    Args:
        name: The name of the pattern, the id of the rule.
        pattern: Its expression, the name of its label, and words.
        label: What that label is, or is like; places are the same whatever it is.
    """
    regex = re2.compile(pattern.pattern.encode(), _UTF8)
    group = regex.groupindex.get(MARKED.encode(), 0)
    cued = bool(pattern.before or pattern.behind)
    reach = pattern.within * _BYTES_A_WORD
    rule = Rule(
        name,
        label,
        pattern.pattern,
        pattern.score,
        pattern.examples,
        pattern.counter_examples,
        _require_cue(pattern) if cued else keep_whole,
        before_bytes=reach if cued else BEFORE_BYTES,
        after_bytes=reach if cued else AFTER_BYTES,
        own=own_name(pattern.label),
    )
    return CompiledRule(rule, regex, range(group, group + 1))


def find_faults(pattern: SitePattern) -> Iterator[PatternFault]:
    """Find what is wrong with a pattern: its expression, its words, and then its examples."""
    faults = [*_wrong_expression(pattern.pattern), *_wrong_cues(pattern)]
    yield from faults
    if not faults:
        yield from _wrong_examples(compile_pattern("", pattern), pattern)


def _wrong_expression(expression: str) -> Iterator[PatternFault]:
    message = _refuse_expression(expression)
    if message:
        yield PatternFault("pattern", message)


def _refuse_expression(expression: str) -> str:
    if len(expression) > LONGEST_PATTERN:
        return f"must have no more than {LONGEST_PATTERN} characters"
    try:
        regex: Any = re2.compile(expression.encode(), _UTF8)
    except re2.error as error:
        # What follows the reason quotes the expression.
        why = error.args[0].decode("utf-8", "replace").partition(":")[0]
        hint = _HINTS.get(why)
        return f"re2 refuses it: {why}" + (f" ({hint})" if hint else "")
    for text in _EMPTY_IN:
        match = regex.search(text)
        if match is not None and match.start() == match.end():
            return "matches where there is nothing: it must match a character at least"
    return ""


def _wrong_cues(pattern: SitePattern) -> Iterator[PatternFault]:
    for key, cues in (("before", pattern.before), ("behind", pattern.behind)):
        for number, cue in enumerate(cues, 1):
            words = words_of(cue)
            if not words:
                yield PatternFault(key, "must have a letter or a digit", number)
            elif len(words) > pattern.within:
                message = "has more words than are looked at: see within"
                yield PatternFault(key, message, number)


def _wrong_examples(compiled: CompiledRule, pattern: SitePattern) -> Iterator[PatternFault]:
    for number, text in enumerate(pattern.examples, 1):
        message = _refuse_example(compiled, text)
        if message:
            yield PatternFault("examples", message, number)
    for number, text in enumerate(pattern.counter_examples, 1):
        message = "must mark nothing" if _MARK.search(text) else _refuse_find(compiled, text)
        if message:
            yield PatternFault("counter_examples", message, number)


def _refuse_find(compiled: CompiledRule, text: str) -> str:
    for start, end in compiled.spans(encoded := text.encode()):
        first, last = (len(encoded[:bound].decode()) for bound in (start, end))
        return (
            f"characters {first + 1} to {last} are found: make the pattern narrower, say what "
            "stands before or behind it, or leave this text out"
        )
    return ""


def _refuse_example(compiled: CompiledRule, text: str) -> str:
    example = _read_marks(text)
    if example is None:
        return "must mark what is to be found, [[so]]"
    found = compiled.spans(example.text.encode())
    if tuple(found) == example.places:
        return ""
    return "something else is found than what it marks" if found else "nothing is found in it"


def _read_marks(text: str) -> _Example | None:
    """Take the marks out of a text; ``None`` if it has none, or one without the other."""
    marks = [match[0] for match in _MARK.finditer(text)]
    if not marks or marks != ["[[", "]]"] * (len(marks) // 2):
        return None
    pieces = [piece.encode() for piece in _MARK.split(text)]
    bounds = [len(b"".join(pieces[:number])) for number in range(1, len(pieces))]
    places = tuple(zip(bounds[::2], bounds[1::2], strict=True))
    return _Example(b"".join(pieces).decode(), places)


def _require_cue(pattern: SitePattern) -> Fit:
    """Make a fit that keeps a candidate if one of the words stands near enough beside it."""
    before, behind = _join_words(pattern.before), _join_words(pattern.behind)

    def fit(candidate: Candidate) -> tuple[int, int]:
        nearest = words_of(candidate.before)[-pattern.within :]
        following = words_of(candidate.after)[: pattern.within]
        cued = _holds(nearest, before) or _holds(following, behind)
        return keep_whole(candidate) if cued else REFUSED

    return fit


def _join_words(cues: Sequence[str]) -> tuple[str, ...]:
    return tuple(f" {' '.join(words_of(cue))} " for cue in cues)


def _holds(words: Sequence[str], cues: Sequence[str]) -> bool:
    joined = f" {' '.join(words)} "
    return any(cue in joined for cue in cues)
