"""Replace an identifying number or code by one of the same shape that is nobody's."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.keyring import Draw
from deidstream.models.operators import handles
from deidstream.models.operators.code_kinds import kind_length
from deidstream.models.operators.codes import code_of, draw_code, write_code
from deidstream.models.operators.network import card_address, draw_card, write_card
from deidstream.models.operators.number_words import speak, spoken_digits
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.postcodes import draw_postcode
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.runs import unscanned
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import RedactStyle

_SSN_GROUPS = 49
_ZIP_LENGTH, _ZIP4_LENGTH = 5, 9
_LAST_FOUR = 4
_CARD = "contact.card"
_BARE = frozenset({PhiLabel.USERNAME, PhiLabel.ZIP})
"""Labels of codes before which no word says what they are."""
_OF_THEIR_OWN = _BARE | {PhiLabel.SSN}
"""Labels of codes that are made in a way of their own. Of the rest one number is one number:
whether it is of a record, a device or a licence is often a matter of opinion."""
_EXACT = _BARE | {PhiLabel.SSN}
"""Labels of codes in which leading zeros count."""


@dataclass(frozen=True, slots=True)
class ReplaceCode:
    """Letters become letters, digits digits; separators, case and leading zeros stay.

    Mentions agree whatever their label and separators, with or without leading zeros, and with or
    without a word before that only says what kind of number it is. Numbers dictated digit by digit
    are written in words again. A social security number and its last four digits agree, as do ZIP
    and ZIP+4, and postcodes lie where their state moves to. User names are made of the surrogates
    of the names that they hold.
    """

    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the code, or the parts of one whose parts occur alone."""
        handle = _handle(mention)
        if handle:
            return handles.identities(handle)
        text = mention.text[_kind_length(mention) :]
        card = card_address(text)
        if card:
            return (Identity(_CARD, card),)
        code = _code(text, mention.label)
        parts = _cut(mention.label, code[len(_hidden(mention.label, code)) :])
        kind = f"id.{mention.label}" if mention.label in _OF_THEIR_OWN else "id.number"
        return tuple(Identity(kind + part, value) for part, value in parts)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a code of the same shape."""
        if handles.is_ours(identity):
            return handles.derive(identity, draws)
        draw = draws.own(identity)
        if identity.kind == "id.SSN.front":
            return _never_issued(identity.value, draw)
        if identity.kind == "id.ZIP":
            return draw_postcode(identity, draws)
        if identity.kind == _CARD:
            return draw_card(identity.value, draw)
        return draw_code(identity.value, draw, wordlike=identity.kind == "id.USERNAME")

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn code over the mention's."""
        handle = _handle(mention)
        if handle:
            return handles.write(handle, surrogates)
        found = self.identities(mention)
        if not found:
            return redacted(mention.label, self.style)
        start = _kind_length(mention)
        drawn = "".join(surrogates[identity] for identity in found)
        return mention.text[:start] + _write(mention.text[start:], mention.label, found[0], drawn)


def _handle(mention: Mention) -> list[handles.Segment]:
    """Segments of a user name that holds a name; none of any other."""
    if mention.label is not PhiLabel.USERNAME:
        return []
    found = handles.segments(mention.text, personal=False)
    return found if handles.has_name(found) else []


def _kind_length(mention: Mention) -> int:
    return 0 if mention.label in _BARE else kind_length(mention.text)


def _code(text: str, label: PhiLabel) -> str:
    code = spoken_digits(text) or code_of(text)
    # A scanner's letters for digits would hide which state a ZIP code is of.
    return unscanned(text.replace("-", "")) if label is PhiLabel.ZIP and _scanned(text) else code


def _scanned(text: str) -> bool:
    read = unscanned(text.replace("-", ""))
    return read.isdigit() and len(read) in {_ZIP_LENGTH, _ZIP4_LENGTH}


def _write(text: str, label: PhiLabel, identity: Identity, drawn: str) -> str:
    if identity.kind == _CARD:
        return write_card(text, drawn)
    spoken = spoken_digits(text)
    if spoken:
        return speak(_hidden(label, spoken) + drawn)
    return write_code(text, _hidden(label, code_of(text)) + drawn)


def _hidden(label: PhiLabel, code: str) -> str:
    """What the writer hid of a social security number himself, ``XXX-XX-0417``, or zeros before."""
    if label not in _EXACT and code.isascii() and code.isdigit():
        return code[: len(code) - len(code.lstrip("0"))] if code.strip("0") else ""
    shown = code.lstrip("x")
    masked = label is PhiLabel.SSN and shown.isdigit() and len(shown) == _LAST_FOUR
    return code[: len(code) - len(shown)] if masked else ""


def _cut(label: PhiLabel, code: str) -> list[tuple[str, str]]:
    """Cut a code where a part of it may stand alone; no part is empty."""
    if label is PhiLabel.SSN and code[-_LAST_FOUR:].isdigit():
        parts = [(".front", code[:-_LAST_FOUR]), (".last", code[-_LAST_FOUR:])]
    elif label is PhiLabel.ZIP and len(code) == _ZIP4_LENGTH and code.isdigit():
        parts = [("", code[:_ZIP_LENGTH]), (".plus4", code[_ZIP_LENGTH:])]
    else:
        parts = [("", code)]
    return [(part, value) for part, value in parts if value]


def _never_issued(value: str, draw: Draw) -> str:
    """Area 9xx with a group up to 49: neither a social security number nor a taxpayer's (ITIN).

    Source: 20 CFR 422.103 and IRS Publication 1915; anything but five digits keeps its shape.
    """
    if len(value) != _ZIP_LENGTH or not value.isdigit():
        return draw_code(value, draw)
    drawn = value
    while drawn == value:
        drawn = f"9{draw.below(100):02d}{1 + draw.below(_SSN_GROUPS):02d}"
    return drawn
