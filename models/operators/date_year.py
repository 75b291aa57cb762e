"""Keep of a date its year alone (45 CFR 164.514(b)(2)(i)(C))."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.operators.date_fields import Slot
from deidstream.models.operators.dates import read
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class KeepYear:
    """A date becomes its four-digit year; one without becomes ``[DATE]``.

    It does not know ages: a year that shows somebody to be 90 or older stays.
    """

    name: str = "generalise"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Rest on nothing."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the year."""
        text = unicodedata.normalize("NFKC", mention.text)
        fields = read(text, mention.facts) if len(text) <= _LONGEST else None
        years = [item.text for item in fields or [] if item.slot is Slot.YEAR]
        full = [year for year in years if len(year) == 4]  # noqa: PLR2004
        return full[0] if full else redacted(mention.label)
