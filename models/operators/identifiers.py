"""Replace an identifying number or code by one of the same shape that is nobody's."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.keyring import Draw
from deidstream.models.operators.codes import code_of, draw_code, write_code
from deidstream.models.operators.number_words import speak, spoken_digits
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.redact import redacted
from deidstream.schemas.label import PhiLabel

_SSN_GROUPS = 49
_ZIP_LENGTH, _ZIP4_LENGTH = 5, 9
_LAST_FOUR = 4


@dataclass(frozen=True, slots=True)
class ReplaceCode:
    """Letters become letters, digits digits; separators and case stay.

    Mentions agree whatever their separators. Numbers dictated digit by digit are written in words
    again. A social security number and its last four digits agree, as do ZIP and ZIP+4.
    """

    name: str = "surrogate"

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the code, or the parts of one whose parts occur alone."""
        code = spoken_digits(mention.text) or code_of(mention.text)
        parts = _cut(mention.label, code[len(_hidden(mention.label, code)) :])
        return tuple(Identity(f"id.{mention.label}{part}", value) for part, value in parts)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a code of the same shape."""
        draw = draws.own(identity)
        if identity.kind == "id.SSN.front":
            return _never_issued(identity.value, draw)
        return draw_code(identity.value, draw, wordlike=identity.kind == "id.USERNAME")

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the drawn code over the mention's."""
        drawn = "".join(surrogates[identity] for identity in self.identities(mention))
        if not drawn:
            return redacted(mention.label)
        if spoken_digits(mention.text):
            return speak(drawn)
        return write_code(mention.text, _hidden(mention.label, code_of(mention.text)) + drawn)


def _hidden(label: PhiLabel, code: str) -> str:
    """What the writer hid of a social security number himself: ``XXX-XX-0417``."""
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
