"""Two numbers with a slash between, and what is around them in their note."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto

from deidstream.models.detection.clinical.note_style import NoteStyle

_BEFORE = 48
"""Characters before the numbers that are searched for words about them."""
_NAME_ABOVE = re.compile(
    r"(.*[A-Za-z][ \t:(]{1,4})(?:[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{2,4}"
    r"|[A-Z][a-z]{2,8} [0-9]{1,2}, [0-9]{4}|[0-9]{1,2} [A-Z][a-z]{2,8} [0-9]{4})[):\t ]{0,3}\n"
)
"""A line that is a name and a day alone: the value is below."""
_LAST_WORD = re.compile(r"([A-Za-z]{2,})[ :=]{1,3}\Z")
_AFTER = 28
"""Characters behind them that are."""
_LONGEST = 80
"""Characters of a line with a name and a day."""
_METRES = 6
"""Distance at which an eye is tested, in metres."""
_FEET = 20
"""The same in feet."""
_ACUITIES = {
    _METRES: frozenset({4, 5, 6, 7, 9, 12, 18, 24, 36, 60}),
    _FEET: frozenset({10, 12, 15, 16}),
}
"""Second numbers of a visual acuity, by the first: ``6/9``, ``20/15``."""

LENGTHS = frozenset({7, 12, 24, 52})
"""Second numbers of a length of time in British notation: ``3/7`` are three days, then come months,
hours and weeks."""


class Kind(Enum):
    """What two numbers and a slash are."""

    VALUE = auto()
    LENGTH = auto()
    """A length of time by its form; it may be the age of an infant."""
    DATE = auto()
    OPEN = auto()
    """No rule says."""


@dataclass(frozen=True, slots=True)
class Fraction:
    """Two or more numbers with slashes between, and the text of their line around them."""

    start: int
    end: int
    parts: tuple[str, ...] = field(repr=False)
    """The numbers, as they are written."""
    first: int = field(repr=False)
    """The first number, decimals cut off."""
    second: int = field(repr=False)
    before: str = field(repr=False)
    """Of what begins a line below a name and a day, the name."""
    after: str = field(repr=False)
    read_style: Callable[[], NoteStyle] = field(repr=False)
    """Reads the style of the note; most rules decide without it, and reading takes long."""

    @classmethod
    def of_match(
        cls, text: str, match: re.Match[str], read_style: Callable[[], NoteStyle]
    ) -> "Fraction":
        """Cut a match out of its line."""
        start, end = match.span()
        reach = max(0, start - _BEFORE)
        line = max(reach, text.rfind("\n", reach, start) + 1)
        stop = text.find("\n", end, end + _AFTER)
        after = text[end : stop if stop >= 0 else end + _AFTER]
        parts = tuple(part.strip() for part in match[0].split("/"))
        first, second = int(float(parts[0])), int(float(parts[1]))
        before = text[line:start]
        if line and not before.strip() and (named := _find_line_above(text, line)):
            before = named[1][-_BEFORE:]
        return cls(start, end, parts, first, second, before, after, read_style)

    @property
    def is_spaced(self) -> bool:
        """Whether blanks are between the numbers and the slash."""
        return self.end - self.start > len("/".join(self.parts))

    @property
    def scale(self) -> tuple[str, int]:
        """The word right before the numbers, if any, and the second of them."""
        word = _LAST_WORD.search(self.before)
        return (word[1].lower() if word else "", self.second)

    @property
    def is_acuity(self) -> bool:
        """Whether the numbers may be a visual acuity."""
        return self.second in _ACUITIES.get(self.first, ())

    @property
    def is_metric_acuity(self) -> bool:
        """Whether they may be one in metres."""
        return self.first == _METRES and self.is_acuity


def _find_line_above(text: str, line: int) -> re.Match[str] | None:
    above = text.rfind("\n", max(0, line - 1 - _LONGEST), line - 1) + 1
    return _NAME_ABOVE.fullmatch(text, max(above, line - 1 - _LONGEST), line)


Rule = Callable[[Fraction], bool]
"""Returns whether it holds for a fraction."""


def find_kind(one: Fraction, rules: Iterable[tuple[Rule, Kind]]) -> Kind | None:
    """Return the kind that goes with the first rule that holds."""
    for holds, kind in rules:
        if holds(one):
            return kind
    return None
