r"""Define, compile and run the rules.

A rule is data: a pattern whose every group marks a candidate, the label of what it marks, and a fit
that looks at a candidate and its surroundings and says how much of it to keep. Patterns run over
the UTF-8 bytes of a note in Latin-1 mode: ``\p{L}`` costs google-re2 thousands of instructions a
pattern, the byte classes of :mod:`deidstream.models.text.patterns` ten.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import re2

from deidstream.models.time_budget import check_time
from deidstream.schemas.label import PhiLabel

BEFORE_BYTES, AFTER_BYTES = 72, 40
_CHECKED = 16
"""Matches between two looks at the clock."""
_BYTES = re2.Options()
_BYTES.encoding = re2.Options.Encoding.LATIN1
_BYTES.log_errors = False


@dataclass(frozen=True, slots=True)
class Candidate:
    """The text that a group matched, with the text around it."""

    text: str = field(repr=False)
    before: str = field(repr=False, default="")
    """Before it: up to the rule's ``before_bytes``."""
    after: str = field(repr=False, default="")
    """After it: up to the rule's ``after_bytes``."""


Fit = Callable[[Candidate], tuple[int, int]]
"""Says which ``[start, end)`` of a candidate's text to keep; an empty one refuses it."""

REFUSED = (0, 0)


def keep_whole(candidate: Candidate) -> tuple[int, int]:
    """Keep a candidate as it is."""
    return 0, len(candidate.text)


def when(test: Callable[[str], bool]) -> Fit:
    """Keep a candidate whose text passes a test, and refuse any other."""
    return lambda candidate: keep_whole(candidate) if test(candidate.text) else REFUSED


@dataclass(frozen=True, slots=True)
class Rule:
    """One written form of PHI."""

    id: str
    label: PhiLabel
    pattern: str
    """In google-re2 syntax. It must match in bounded context, so that no text takes more than
    linear time: repeat by ``{0,n}`` the text after a cue."""
    score: float
    found: tuple[str, ...]
    """Examples, what is to be found marked ``[[so]]``."""
    passed: tuple[str, ...] = ()
    """Examples in which nothing is to be found."""
    fit: Fit = keep_whole
    joined: bool = False
    """A letter or digit may stand next to the span, as where a date is cut from a time stamp."""
    before_bytes: int = BEFORE_BYTES
    """How much of the text before a candidate the fit sees."""
    after_bytes: int = AFTER_BYTES
    own: str = ""
    """The site's own name for what is like the label; empty: none."""


@dataclass(frozen=True, slots=True)
class CompiledRule:
    """A rule, ready to run."""

    rule: Rule
    regex: Any
    groups: range
    """Numbers of the groups, each of which marks a candidate."""

    def spans(self, data: bytes) -> Sequence[tuple[int, int]]:
        """Find the kept spans in the UTF-8 bytes of a note, as byte offsets."""
        match = self.regex.search(data)
        if match is None:  # nearly always
            return ()
        found: list[tuple[int, int]] = []
        matches = 0
        while match is not None:
            matches += 1
            if matches % _CHECKED == 0:
                check_time()
            position = match.start() + 1
            for group in self.groups:
                start, end = match.span(group)
                if start < end:
                    kept = self._keep(data, start, end)
                    position = max(position, kept[1] if kept else end)
                    if kept:
                        found.append(kept)
            match = self.regex.search(data, position)
        return found

    def _keep(self, data: bytes, start: int, end: int) -> tuple[int, int] | None:
        text = data[start:end].decode("utf-8", "ignore")
        rule = self.rule
        before = data[max(0, start - rule.before_bytes) : start].decode("utf-8", "ignore")
        after = data[end : end + rule.after_bytes].decode("utf-8", "ignore")
        first, last = rule.fit(Candidate(text, before, after))
        if first >= last or not (rule.joined or _free(text[first:last], text, before, after)):
            return None
        return start + len(text[:first].encode()), start + len(text[:last].encode())


def compile_rule(rule: Rule) -> CompiledRule:
    """Compile a rule's pattern.

    Raises:
        ValueError: The pattern has no group.
    """
    regex = re2.compile(rule.pattern.encode(), _BYTES)
    groups = range(1, regex.groups + 1)
    if not groups:
        msg = f"rule {rule.id} marks nothing"
        raise ValueError(msg)
    return CompiledRule(rule, regex, groups)


def _free(kept: str, text: str, before: str, after: str) -> bool:
    # Only the outer edges can touch a neighbour: a fit cuts at the bounds of words.
    left = text.startswith(kept) and before[-1:].isalnum() and kept[0].isalnum()
    right = text.endswith(kept) and after[:1].isalnum() and kept[-1].isalnum()
    return not (left or right)
