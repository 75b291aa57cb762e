"""Shorten a ZIP code to its first three digits where enough people live there.

Source: 45 CFR 164.514(b)(2)(i)(B). The areas of 20,000 people or fewer are the union of those in
the HHS guidance on de-identification (Census of 2000), of those of the Census of 2010, and of four
that have offices and post boxes alone (202, 204, 753 and 772).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.operators.codes import code_of
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.wordlists import listed
from deidstream.schemas.policy import RedactStyle

RESTRICTED = frozenset(
    listed(
        "036 059 063 102 202 203 204 205 369 556 692 753 772 790 821 823 830 831 878 879 884 890 "
        "893"
    )
)
_AREA = 3
_LENGTHS = frozenset({_AREA, 5, 9})


@dataclass(frozen=True, slots=True)
class ShortenZip:
    """``70998-0412`` becomes ``709``, a restricted area ``000``, any other postcode ``[ZIP]``.

    What the writer covered himself, as in ``036xx``, counts as covered.
    """

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
        """Write the three digits."""
        code = code_of(mention.text.replace("*", "x"))
        area = code[:_AREA]
        known = code.rstrip("x") if len(code) in _LENGTHS else ""
        if len(known) < _AREA or not (known.isascii() and known.isdigit()):
            return redacted(mention.label, self.style)
        return "000" if area in RESTRICTED else area
