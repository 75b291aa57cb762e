"""Replace the proper part of a street, a place or an institution; its kind stays."""

from collections.abc import Mapping
from dataclasses import dataclass

from deidstream.models.keyring import canonical
from deidstream.models.operators.casing import recase
from deidstream.models.operators.codes import write_code
from deidstream.models.operators.date_words import suffix
from deidstream.models.operators.operator import Draws, Identity, Mention
from deidstream.models.operators.phrases import (
    Piece,
    Role,
    draw_proper,
    draw_saint,
    draw_unit,
    parse,
)
from deidstream.models.operators.redact import redacted
from deidstream.models.operators.wordlists import word_set
from deidstream.schemas.policy import RedactStyle

_PROPER, _SAINT, _CODE = "place.name", "place.saint", "place.code"
_KINDS = {Role.PROPER: _PROPER, Role.SAINT: _SAINT, Role.CODE: _CODE, Role.ORDINAL: _CODE}


@dataclass(frozen=True, slots=True)
class ReplacePlace:
    """``Dry Creek Medical Center`` becomes ``Alder Ridge Medical Center``, ``7B`` such as ``4M``.

    Only words of the list ``kept`` stay. A mention that holds nothing else gets a proper name and
    its last word. Proper parts agree between streets, places and institutions of a scope.
    """

    kept: str
    """File of ``models/data`` that lists the words that stay."""
    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the proper parts, saints, numbers and unit letters."""
        found = map(_identity, self._parse(mention.text))
        named = tuple(dict.fromkeys(identity for identity in found if identity))
        if named or not any(map(str.isalnum, mention.text)):
            return named
        return (Identity(_PROPER, canonical(mention.text)),)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a composed name, a saint, or a number or letter of the same shape."""
        draw_kind = {_PROPER: draw_proper, _SAINT: draw_saint, _CODE: draw_unit}
        return draw_kind[identity.kind](identity.value, draws.own(identity))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the pieces anew."""
        pieces = self._parse(mention.text)
        if any(map(_identity, pieces)):
            return "".join(_write(piece, surrogates) for piece in pieces)
        if not any(map(str.isalnum, mention.text)):
            return redacted(mention.label, self.style)
        return _headed(mention.text, pieces, surrogates)

    def _parse(self, text: str) -> list[Piece]:
        return parse(text, word_set(self.kept))


def _identity(piece: Piece) -> Identity | None:
    kind = _KINDS.get(piece.role)
    return Identity(kind, piece.value) if kind else None


def _write(piece: Piece, surrogates: Mapping[Identity, str]) -> str:
    identity = _identity(piece)
    if identity is None:
        return piece.text
    surrogate = surrogates[identity]
    if piece.role is Role.ORDINAL:
        return surrogate + recase(suffix(int(surrogate[-2:])), piece.text[-2:])
    if piece.role is Role.CODE:
        return write_code(piece.text, surrogate)
    return recase(surrogate, piece.text)


def _headed(text: str, pieces: list[Piece], surrogates: Mapping[Identity, str]) -> str:
    """Name what was only described: ``Women's Health Center`` becomes ``Alder Ridge Center``."""
    name = surrogates[Identity(_PROPER, canonical(text))]
    kept = [piece.text for piece in pieces if piece.role is Role.KEPT]
    return recase(f"{name} {kept[-1]}" if len(kept) > 1 else name, text)
