"""Replace a span by a token that depends on the key: ``PATIENT-7F3K2M9QTB``."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.keyring import canonical
from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.code_cues import kind_length
from deidstream.models.phi.codes.draw_code import code_of
from deidstream.schemas.label import LABELS, DeidclinicType
from deidstream.schemas.policy import RedactStyle

SIGNS = "23456789BCDFGHJKMNPQRSTVWXZ"
"""No vowels, so that no word comes out; none of 0, 1 and L, which are read as others."""
LENGTH = 10
"""Signs of a token: 47.5 bits. The probability that two identities have the same token is 2.4e-5 in
a scope of 100,000 identities, and 1e-12 in a note with 20."""


@dataclass(frozen=True, slots=True)
class HashToken:
    """All mentions of the same normal form have one token within their scope.

    Numbers agree whatever their separators, leading zeros and the word before that says what kind
    of number it is; names that are written differently do not agree. The
    token is drawn by the key, not a digest that a list of names could be tried against. A token
    that must be passed over, as it is another's, gives way to the next by ``Draws.probe``.
    """

    name: str = "hash"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the normal form; of numbers and contacts the letters and digits alone."""
        value = _value(mention)
        has_content = any(map(str.isalnum, value))
        return (Identity(f"hash.{mention.label}", value),) if has_content else ()

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw the signs of the token."""
        draw = draws.own(identity)
        return "".join(draw.pick(SIGNS) for _ in range(LENGTH))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write label and token."""
        identities = self.identities(mention)
        if not identities:
            return write_label(mention, self.style)
        return f"{mention.name}-{surrogates[identities[0]]}"


def _value(mention: Mention) -> str:
    kind, text = LABELS[mention.label].deidclinic, mention.text
    if kind is DeidclinicType.CONTACT:
        return code_of(text)
    if kind is DeidclinicType.ID:
        code = code_of(text[kind_length(text) :])
        return (code.lstrip("0") or code) if code.isdigit() else code
    return canonical(text)
