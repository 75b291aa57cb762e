"""Move every age of a patient by the same few years (DeIDClinic, section 3.3.3)."""

from collections.abc import Mapping
from dataclasses import dataclass

import re2

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.cap_age import write_over_cap
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.dates.calendar import suffix
from deidstream.models.phi.read_age import (
    ORDINALS,
    PER_YEAR,
    Age,
    is_age,
    may_be_spelled_number,
    normalise_age,
    read_age,
    unit_at,
)
from deidstream.models.phi.spelled_numbers import spell
from deidstream.models.text.runs import (
    Run,
    Sort,
    join_touching,
    read_scanned_digits,
    recase,
    runs,
    safe_separators,
)
from deidstream.schemas.policy import RedactStyle

SHIFT = Identity("age.shift")
_LETTERS = re2.compile(r"\p{L}+")


@dataclass(frozen=True, slots=True)
class ShiftAge:
    """Ages move by 1 to ``jitter`` years, back or forth, the same for all ages of a scope.

    The written form stays: ``43-year-old`` may become ``46-year-old``, ``forty-three`` become
    ``forty-six``. An age that is given in months, weeks or days moves by as many of them, and the
    months beside years stay. A move that would pass the cap, or fall under 1, goes the other way.
    Ages over the cap become ``90 or older``. Decades such as ``80s`` say little and stay. What
    cannot be read becomes ``[AGE]``.
    """

    cap: int = 89
    jitter: int = 5
    """Years."""
    name: str = "shift"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Rest on the scope's shift, if the age can be read and is not over the cap."""
        age = mention.readings.read(read_age, mention.text)
        moves = age is not None and age.years < self.cap + 1 and not age.is_coarse
        return (SHIFT,) if moves else ()

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw the signed number of years, such as ``-3``; never 0."""
        drawn = draws.own(identity).below(2 * self.jitter) - self.jitter
        return f"{drawn + (drawn >= 0):+d}"

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the moved age."""
        age = mention.readings.read(read_age, mention.text)
        if age is None:
            return write_label(mention, self.style)
        if age.years >= self.cap + 1:
            return write_over_cap(mention, age, self.cap)
        if age.is_coarse:
            return mention.text
        return self._write_moved_age(mention, age, int(surrogates[SHIFT]))

    def _write_moved_age(self, mention: Mention, age: Age, years: int) -> str:
        places = [place for place in range(len(age.words)) if is_age(age.words, place)]
        text = normalise_age(mention.text)
        written = self._write_digits(text, age, places, years) if places else None
        if written is None and not places:
            written = self._write_spelled_age(text, age, years)
        return write_label(mention, self.style) if written is None else written

    def _write_digits(self, text: str, age: Age, places: list[int], years: int) -> str | None:
        coarsest = min(unit_at(age.words, place) for place in places)
        moving = [place for place in places if unit_at(age.words, place) == coarsest]
        by = self._bound_move([int(age.words[place]) for place in moving], coarsest, years)
        return _write_numbers(text, age, {place: int(age.words[place]) + by for place in moving})

    def _write_spelled_age(self, text: str, age: Age, years: int) -> str | None:
        unit = next((PER_YEAR[word] for word in age.words if word in PER_YEAR), 1.0)
        count = round(age.years * unit)
        spans = [
            run.span()
            for run in _LETTERS.finditer(text)
            if may_be_spelled_number(text[run.start() : run.end()].casefold())
        ]
        if not spans:
            return None
        start, end = spans[0][0], spans[-1][1]
        moved = spell(count + self._bound_move([count], unit, years))
        first_upper = moved[0].upper() + moved[1:] if text[start].isupper() else moved
        return text[:start] + recase(first_upper, text[start:end]) + text[end:]

    def _bound_move(self, counts: list[int], unit: float, years: int) -> int:
        """Reverse a move that would leave the range of ages."""
        beyond = max(counts) + years >= (self.cap + 1) * unit
        return -years if beyond or min(counts) + years < 1 else years


def _write_numbers(text: str, age: Age, moved: Mapping[int, int]) -> str | None:
    """Write moved numbers over those of the text; ``None`` if it cannot be cut as it was read."""
    places = [place for place, word in enumerate(age.words) if word != "/"]
    pieces = [piece for token in join_touching(runs(text)) for piece in _pieces(token)]
    readable = [number for number, (sort, _) in enumerate(pieces) if sort is not Sort.OTHER]
    if len(readable) != len(places):
        return None
    written = [piece for _, piece in pieces]
    for number, place in zip(readable, places, strict=True):
        if place in moved:
            written[number] = str(moved[place])
        elif place - 1 in moved and age.words[place] in ORDINALS:
            written[number] = recase(suffix(moved[place - 1] % 100), written[number])
    return "".join(written)


def _pieces(token: str) -> list[tuple[Sort, str]]:
    """Separate letters and digits; a token that is read as a number is one piece."""
    if read_scanned_digits(token) != token:
        return [(Sort.DIGITS, token)]
    return [(run.sort, _separator(run)) for run in runs(token)]


def _separator(run: Run) -> str:
    if run.sort is not Sort.OTHER:
        return run.text
    return "".join(c if c in "<>~+=" else safe_separators(c) for c in run.text)
