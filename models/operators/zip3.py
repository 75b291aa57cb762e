"""Shorten a ZIP code to its first three digits where enough people live there.

Source: 45 CFR 164.514(b)(2)(i)(B). The areas of 20,000 people or fewer are the union of those in
the HHS guidance on de-identification (Census of 2000) and of those found in later censuses.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.operators.codes import code_of
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.wordlists import listed

RESTRICTED = frozenset(
    listed("036 059 063 102 203 205 369 556 692 790 821 823 830 831 878 879 884 890 893")
)


@dataclass(frozen=True, slots=True)
class ShortenZip:
    """``70998-0412`` becomes ``709``, a restricted area ``000``, any other postcode ``[ZIP]``."""

    name: str = "generalise"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Rest on nothing."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the three digits."""
        code = code_of(mention.text)
        if len(code) not in {5, 9} or not (code.isascii() and code.isdigit()):
            return redacted(mention.label)
        return "000" if code[:3] in RESTRICTED else code[:3]
