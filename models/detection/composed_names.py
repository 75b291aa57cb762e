"""Find words that are composed of the names of persons of a note, as user names are.

File names, log lines and portals call people ``gmarchetti``, ``marchettigiulia``, ``MarchettiG`` or
``giuliam``. Such a word is found by the name that it holds, if what is beside it are initials that
stand with the name in the note, another name, or one letter beside a long name.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from deidstream.models.phi.contacts.handles import ROLES, is_name
from deidstream.models.phi.known.stated_names import LONGEST_WORD, is_ordinary
from deidstream.models.phi.names.identity import share_of
from deidstream.models.text.folding import words_of
from deidstream.schemas.label import PERSONS, PhiLabel
from deidstream.schemas.span import Span

_SURE = 0.9
"""Probability of a name that is looked for in longer words."""
_SHORTEST, _LONG = 4, 6
"""Letters of a name within a word; of one beside which any letter may stand."""
_MOST_BESIDE = 3
"""Initials beside a name."""
_WORD = re.compile(rf"(?<![^\W_])[^\W\d_]{{{_SHORTEST + 1},{LONGEST_WORD}}}(?![^\W_])")


class ComposedName(NamedTuple):
    """``[start, end)`` of a word, and a span of the name in it."""

    start: int
    end: int
    label: PhiLabel
    name: Span


class _Names(NamedTuple):
    """The names of a note in small letters, and the initials that stand beside each."""

    spans: dict[str, Span]
    initials: dict[str, set[str]]

    def allows(self, name: str, beside: str) -> bool:
        """Return whether a text may stand beside a name in a word."""
        if not beside or beside in self.spans or (beside in ROLES and len(name) > _SHORTEST):
            return True
        if len(beside) <= _MOST_BESIDE and set(beside) <= self.initials[name]:
            return True
        return len(name) >= _LONG and (len(beside) == 1 or is_name(beside))


def find_composed_names(text: str, spans: Sequence[Span]) -> Iterator[ComposedName]:
    """Yield the words that are composed of names of persons.

    Args:
        text: Text of the note.
        spans: Disjoint, in order, with probabilities as scores.
    """
    names = _gather_names(text, spans)
    if not names.spans:
        return
    for match in _WORD.finditer(text):
        folded = words_of(match[0])
        word = folded[0] if len(folded) == 1 else ""
        if word in names.spans or is_ordinary(word) or share_of(word):
            continue
        name = _find_name_in(word, names)
        if name:
            plural = word == f"{name}s"
            origin = names.spans[name]
            label = origin.label if plural else PhiLabel.USERNAME
            yield ComposedName(match.start(), match.end(), label, origin)


def score_user_names(text: str, spans: Sequence[Span]) -> Iterator[tuple[Span, float]]:
    """Yield user names that hold a name of the note, and its score."""
    names = _gather_names(text, spans)
    for span in spans:
        if span.label is PhiLabel.USERNAME and names.spans:
            words = words_of(text[span.start : span.end])
            held = (w if w in names.spans else _find_name_in(w, names) for w in words)
            if name := next(filter(None, held), ""):
                yield span, names.spans[name].score


def _gather_names(text: str, spans: Sequence[Span]) -> _Names:
    names = _Names({}, {})
    for span in spans:
        if span.label not in PERSONS or span.score < _SURE:
            continue
        words = [word for word in words_of(text[span.start : span.end]) if word.isalpha()]
        for word in words:
            if len(word) >= _SHORTEST and not is_ordinary(word):
                names.spans.setdefault(word, span)
                letters = names.initials.setdefault(word, set())
                letters.update(other[0] for other in words if other != word)
    return names


def _find_name_in(word: str, names: _Names) -> str:
    """Return the longest name that a word is composed of; empty if it is of none."""
    if len(word) > LONGEST_WORD:
        return ""
    for length in range(len(word) - 1, _SHORTEST - 1, -1):
        for start in range(len(word) - length + 1):
            name = word[start : start + length]
            beside = (word[:start], word[start + length :])
            if name in names.spans and all(names.allows(name, one) for one in beside):
                return name
    return ""
