"""Put a token that only the key can tell instead of the span: ``PATIENT-7F3K2M9QTB``."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.keyring import canonical
from deidstream.models.operators.codes import code_of
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.schemas.label import LABELS, DeidclinicType
from deidstream.schemas.policy import RedactStyle

SIGNS = "23456789BCDFGHJKMNPQRSTVWXZ"
"""No vowels, so that no word comes out; none of 0, 1 and L, which are read as others."""
LENGTH = 10
"""Signs of a token: 47.5 bits. Of 100,000 identities of a scope two have the same token with a
probability of 2.4e-5, of the 20 of a note with 1e-12."""


@dataclass(frozen=True, slots=True)
class HashToken:
    """All mentions of the same normal form have one token within their scope.

    Numbers agree whatever their separators; names that are written differently do not agree. The
    token is drawn by the key, not a digest that a list of names could be tried against. A token
    that must be passed over, as it is another's, gives way to the next by ``Draws.probe``.
    """

    name: str = "hash"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the normal form; of numbers and contacts the letters and digits alone."""
        kind = LABELS[mention.label].deidclinic
        coded = kind in {DeidclinicType.ID, DeidclinicType.CONTACT}
        value = code_of(mention.text) if coded else canonical(mention.text)
        told = any(map(str.isalnum, value))
        return (Identity(f"hash.{mention.label}", value),) if told else ()

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw the signs of the token."""
        draw = draws.own(identity)
        return "".join(draw.pick(SIGNS) for _ in range(LENGTH))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write label and token."""
        identities = self.identities(mention)
        if not identities:
            return redacted(mention.label, self.style)
        return f"{mention.label}-{surrogates[identities[0]]}"
