"""Shorten a ZIP code to its first three digits where enough people live there.

Source: 45 CFR 164.514(b)(2)(i)(B). The areas of 20,000 people or fewer are the union of those in
the HHS guidance on de-identification (Census of 2000), of those of the Census of 2010, of those
that have offices and post boxes alone, and of all that no post office of a State or a territory
has, those of the armed forces among them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.draw_code import code_of
from deidstream.models.phi.places.address import provinces
from deidstream.models.text.word_files import split_list
from deidstream.schemas.policy import RedactStyle

RESTRICTED = frozenset(
    split_list(
        "036 059 063 102 203 205 369 556 692 790 821 823 830 831 878 879 884 890 893 "
        # Offices and post boxes alone.
        "192 202 204 311 332 375 399 459 509 555 649 753 772 842 885 889 901 938 942"
    )
)
_TERRITORIES = frozenset(split_list("006 007 008 009 969"))
"""Areas of Puerto Rico, the Virgin Islands and Guam."""
_AMERICAN = frozenset({"", "en", "es"})
"""Languages without a region in which a postcode of five digits is taken for a ZIP code."""
_AREA = 3
_LENGTHS = frozenset({_AREA, 5, 9})


@dataclass(frozen=True, slots=True)
class ShortenZip:
    """``70118-0412`` becomes ``701``, a restricted area ``000``, any other postcode ``[ZIP]``.

    Digits that the writer masked, as in ``036xx``, count as masked. In a note whose language
    names another country than the United States there are no ZIP codes.
    """

    name: str = "generalise"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:  # noqa: ARG002
        """Return no identities."""
        return ()

    def derive(self, identity: Identity, draws: Draws) -> str:  # noqa: ARG002
        """Derive nothing."""
        return ""

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:  # noqa: ARG002
        """Write the three digits."""
        code = code_of(mention.text.replace("*", "x"))
        area = code[:_AREA]
        known = code.rstrip("x") if len(code) in _LENGTHS else ""
        american = _is_american(mention.facts.language)
        if len(known) < _AREA or not (american and known.isascii() and known.isdigit()):
            return write_label(mention, self.style)
        return "000" if area in RESTRICTED or area not in _areas() else area


def _is_american(language: str | None) -> bool:
    tag = (language or "").replace("_", "-").casefold()
    return tag in _AMERICAN or tag.endswith(("-us", "-pr"))


@cache
def _areas() -> frozenset[str]:
    """Return the areas that have a post office."""
    states = (state for state in provinces().values() if state.land == "US")
    return _TERRITORIES.union(*(state.prefixes for state in states))
