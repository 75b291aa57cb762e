"""The surrogates that were issued to one note, by their places in its output."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from deidstream.models.records import remaining
from deidstream.schemas.policy import OperatorName
from deidstream.schemas.span import Replacement

_BLANK = "|"


@dataclass(frozen=True, slots=True)
class IssuedSurrogates:
    """What the output holds that is ours; disjoint, in order."""

    places: Sequence[tuple[int, int]] = field(repr=False)
    """``[start, end)`` of each, in code points of the output."""

    @classmethod
    def of_output(cls, replacements: Iterable[Replacement]) -> "IssuedSurrogates":
        """Gather the surrogates still in the output; what the policy keeps is none of ours."""
        ours = (r for r in remaining(replacements) if r.operator != OperatorName.KEEP)
        return cls([(r.out_start, r.out_end) for r in ours])

    @classmethod
    def with_kept(cls, replacements: Iterable[Replacement]) -> "IssuedSurrogates":
        """Gather also what the policy keeps, which whoever looks again finds again."""
        return cls([(r.out_start, r.out_end) for r in remaining(replacements)])

    def with_places(self, places: Iterable[tuple[int, int]]) -> "IssuedSurrogates":
        """Count further places of the output as ours too, where they touch no surrogate."""
        more = [place for place in places if not self.touch(*place)]
        return IssuedSurrogates(sorted([*self.places, *more])) if more else self

    def cover(self, start: int, end: int) -> bool:
        """Return whether ``[start, end)`` of the output lies within one of them."""
        place = self._last_from(start)
        return place >= 0 and end <= self.places[place][1]

    def touch(self, start: int, end: int) -> bool:
        """Return whether one of them shares a character with ``[start, end)`` of the output."""
        place = self._last_from(end - 1)
        return place >= 0 and start < self.places[place][1]

    def blank(self, text: str) -> str:
        """Return the output, as long as it is, with a sign for each character of a surrogate."""
        pieces: list[str] = []
        read = 0
        for start, end in self.places:
            pieces += (text[read:start], _BLANK * (end - start))
            read = end
        return "".join((*pieces, text[read:]))

    def _last_from(self, start: int) -> int:
        return bisect_right(self.places, start, key=lambda ends: ends[0]) - 1
