"""Replace an identifying number or code by one of the same shape that is not in use."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from deidstream.models.keyring import Draw
from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.code_cues import kind_length
from deidstream.models.phi.codes.draw_code import code_of, draw_code, write_code
from deidstream.models.phi.codes.short_codes import find_half, find_whole_code, shorten_code
from deidstream.models.phi.codes.spoken_codes import read_spoken_code, write_spoken_code
from deidstream.models.phi.contacts.network import CARD, card_address, draw_card, write_card
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import RedactStyle

_SSN_GROUPS = 49
_FRONT = 5
_LAST_FOUR = 4


@dataclass(frozen=True, slots=True)
class ReplaceCode:
    """Letters become letters, digits digits; separators, case and leading zeros stay.

    Mentions agree whatever their label and separators, with or without leading zeros, and with or
    without a word before that only says what kind of number it is. Numbers dictated digit by digit
    are written in words again. A shorter form of another number of the note is written as that of
    its surrogate, and a number that is written twice without a blank as its surrogate twice. A
    social security number and its last four digits agree. The same number under two other labels
    gets one surrogate, since writers often disagree on whether it is the number of a record, a
    device or a licence.
    """

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Return the code, or its parts where they occur alone."""
        text = mention.text[kind_length(mention.text) :]
        card = card_address(text)
        if card:
            return (Identity(CARD, card),)
        if other := _find_other_form(mention):
            return self.identities(other)
        code = read_spoken_code(text) or code_of(text)
        parts = _split_code(mention.label, code[len(_masked_part(mention.label, code)) :])
        kind = "id.SSN" if mention.label is PhiLabel.SSN else "id.number"
        return tuple(Identity(kind + part, value) for part, value in parts)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a code of the same shape."""
        draw = draws.own(identity)
        if identity.kind == "id.SSN.front":
            return _draw_unissued(identity.value, draw)
        if identity.kind == CARD:
            return draw_card(identity.value, draw)
        return draw_code(identity.value, draw)

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn code over the mention's."""
        found = self.identities(mention)
        if not found:
            return write_label(mention, self.style)
        start = kind_length(mention.text)
        if other := _find_other_form(mention):
            own, of = mention.text[start:], code_of(self.render(other, surrogates))
            code = 2 * of if find_half(own) else shorten_code(of, other.text, own)
            return mention.text[:start] + write_code(own, code)
        drawn = "".join(surrogates[identity] for identity in found)
        return mention.text[:start] + _write(mention.text[start:], mention.label, found[0], drawn)


def _find_other_form(mention: Mention) -> Mention | None:
    """Return the mention whose surrogate a number has: one of its halves, or a longer form of it.

    A barcode may hold a number twice.
    """
    own = mention.text[kind_length(mention.text) :]
    if mention.label is PhiLabel.SSN or read_spoken_code(own):
        return None
    whole = find_half(own) or find_whole_code(own, mention.facts.codes)
    return replace(mention, text=whole) if whole else None


def _write(text: str, label: PhiLabel, identity: Identity, drawn: str) -> str:
    if identity.kind == CARD:
        return write_card(text, drawn)
    spoken = read_spoken_code(text)
    if spoken:
        return write_spoken_code(text, _masked_part(label, spoken) + drawn)
    return write_code(text, _masked_part(label, code_of(text)) + drawn)


def _masked_part(label: PhiLabel, code: str) -> str:
    """Return what the writer hid of a social security number, ``XXX-XX-0417``, or leading zeros."""
    if label is not PhiLabel.SSN and code.isascii() and code.isdigit():
        return code[: len(code) - len(code.lstrip("0"))] if code.strip("0") else ""
    shown = code.lstrip("x")
    masked = label is PhiLabel.SSN and shown.isdigit() and len(shown) == _LAST_FOUR
    return code[: len(code) - len(shown)] if masked else ""


def _split_code(label: PhiLabel, code: str) -> list[tuple[str, str]]:
    """Cut a code where a part of it may stand alone; no part is empty."""
    if label is PhiLabel.SSN and code[-_LAST_FOUR:].isdigit():
        parts = [(".front", code[:-_LAST_FOUR]), (".last", code[-_LAST_FOUR:])]
    else:
        parts = [("", code)]
    return [(part, value) for part, value in parts if value]


def _draw_unissued(value: str, draw: Draw) -> str:
    """Draw an area 9xx with a group up to 49: no social security or taxpayer number (ITIN).

    Source: 20 CFR 422.103 and IRS Publication 1915; anything but five digits keeps its shape.
    """
    if len(value) != _FRONT or not value.isdigit():
        return draw_code(value, draw)
    drawn = value
    while drawn == value:
        drawn = f"9{draw.below(100):02d}{1 + draw.below(_SSN_GROUPS):02d}"
    return drawn
