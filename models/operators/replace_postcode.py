"""Replace a postcode by one of the province that its own province moves to."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.draw_code import code_of, draw_code, write_code
from deidstream.models.phi.codes.spoken_codes import read_spoken_code, write_spoken_code
from deidstream.models.phi.contacts.network import CARD, card_address, draw_card, write_card
from deidstream.models.phi.places.address import draw_postcode
from deidstream.models.text.runs import read_scanned_digits
from deidstream.schemas.policy import RedactStyle

_LENGTH, _LONG_LENGTH = 5, 9
"""Digits of a ZIP code, and of ZIP+4."""
_CODE, _PLUS4 = "id.ZIP", "id.ZIP.plus4"


@dataclass(frozen=True, slots=True)
class ReplacePostcode:
    """Postcodes lie where their state moves to; ZIP and ZIP+4 of one place agree."""

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the code, or the two parts of ZIP+4."""
        card = card_address(mention.text)
        if card:
            return (Identity(CARD, card),)
        code = _code(mention.text)
        if len(code) == _LONG_LENGTH and code.isdigit():
            return (Identity(_CODE, code[:_LENGTH]), Identity(_PLUS4, code[_LENGTH:]))
        return (Identity(_CODE, code),) if code else ()

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a code of the same form."""
        if identity.kind == CARD:
            return draw_card(identity.value, draws.own(identity))
        if identity.kind == _CODE:
            return draw_postcode(identity, draws)
        return draw_code(identity.value, draws.own(identity))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn code over the mention's."""
        found = self.identities(mention)
        if not found:
            return write_label(mention, self.style)
        drawn = "".join(surrogates[identity] for identity in found)
        if found[0].kind == CARD:
            return write_card(mention.text, drawn)
        return (
            write_spoken_code(mention.text, drawn)
            if read_spoken_code(mention.text)
            else write_code(mention.text, drawn)
        )


def _code(text: str) -> str:
    code = read_spoken_code(text) or code_of(text)
    # A scanner's letters for digits would hide which state a ZIP code is of.
    read = read_scanned_digits(text.replace("-", ""))
    scanned = read.isdigit() and len(read) in {_LENGTH, _LONG_LENGTH}
    return read if scanned else code
