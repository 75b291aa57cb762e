"""Replace a user name by one that is made of the surrogates of the names in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.draw_code import code_of, draw_code, write_code
from deidstream.models.phi.codes.spoken_codes import read_spoken_code, write_spoken_code
from deidstream.models.phi.contacts import handles
from deidstream.models.phi.contacts.network import CARD, card_address, draw_card, write_card
from deidstream.schemas.policy import RedactStyle

_CODE = "id.USERNAME"


@dataclass(frozen=True, slots=True)
class ReplaceUsername:
    """``h.obuya`` and ``hobuya`` follow the surrogates of ``H`` and ``Obuya``; others are codes.

    A code keeps its shape, and its vowels become vowels; leading zeros count.
    """

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the names in it, or the code that it is."""
        segments = handles.read_user_name(mention.text, mention.facts.names)
        if segments:
            return handles.identities(segments, mention.facts.names)
        card = card_address(mention.text)
        if card:
            return (Identity(CARD, card),)
        code = read_spoken_code(mention.text) or code_of(mention.text)
        return (Identity(_CODE, code),) if code else ()

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a name, or a code of the same shape."""
        if handles.is_handle_kind(identity):
            return handles.derive(identity, draws)
        draw = draws.own(identity)
        if identity.kind == CARD:
            return draw_card(identity.value, draw)
        return draw_code(identity.value, draw, wordlike=True)

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn names or the drawn code over the mention's."""
        segments = handles.read_user_name(mention.text, mention.facts.names)
        if segments:
            return handles.write(segments, surrogates, mention.facts.names)
        found = self.identities(mention)
        if not found:
            return write_label(mention, self.style)
        drawn = surrogates[found[0]]
        if found[0].kind == CARD:
            return write_card(mention.text, drawn)
        return (
            write_spoken_code(mention.text, drawn)
            if read_spoken_code(mention.text)
            else write_code(mention.text, drawn)
        )
