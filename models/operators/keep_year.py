"""Keep of a date its year alone (45 CFR 164.514(b)(2)(i)(C))."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.dates.age_limit import (
    is_decade,
    last_year_over,
    may_show_age,
    shows_age,
    years_of,
)
from deidstream.models.phi.dates.ranges import dates_of
from deidstream.schemas.policy import RedactStyle

_DECADE = 10


@dataclass(frozen=True, slots=True)
class KeepYear:
    """A date becomes its four-digit year, ``1970s`` stays, what names no year becomes ``[DATE]``.

    A year more than ``cap`` years before that of the note becomes ``1934 or earlier``:
    everybody born then is over the cap. Where the note came without its date, its latest year
    counts as that of the note; if such a note names an age over the cap, every year becomes
    ``[DATE]``, as any of them may be that of a birth.
    """

    cap: int = 89
    """Years."""
    name: str = "generalise"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Rest on nothing."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the year."""
        years = mention.facts.years
        dates = dates_of(mention)
        named = years_of(dates, years)
        if not named or may_show_age(years, self.cap):
            return write_label(mention, self.style)
        first, last = min(named), max(named)
        decade = first // _DECADE * _DECADE if is_decade(dates) else None
        if shows_age(first if decade is None else decade + _DECADE - 1, years, self.cap):
            return f"{last_year_over(years, self.cap)} or earlier"
        if first < last:
            return f"{first}-{last}"
        return f"{first}" if decade is None else f"{decade}s"
