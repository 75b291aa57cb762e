"""Read a replaced span as its operator reads it: in pieces that stay and pieces that are drawn."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from deidstream.models.mention import Identity, Mention
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.replace_name import ReplaceName
from deidstream.models.operators.replace_place import ReplacePlace, identify_piece
from deidstream.models.operators.replace_region import ReplaceRegion
from deidstream.models.phi.names.write_name import read_name
from deidstream.models.phi.places.regions import cut_mention

KEPT = "kept"
"""Role of a piece that stays."""


@dataclass(frozen=True, slots=True)
class MentionPiece:
    """A piece of a mention that has a letter or digit."""

    text: str = field(repr=False)
    role: str
    identity: Identity | None = field(repr=False)


def read_pieces(operator: Operator, mention: Mention) -> tuple[MentionPiece, ...]:
    """Return the pieces of a mention in order.

    Names, places and regions are read word by word. For every other operator the mention is one
    piece, once for each identity that it rests on.
    """
    identities = operator.identities(mention)
    pieces = [piece for piece in _cut(operator, mention) if any(map(str.isalnum, piece.text))]
    if set(identities) <= {piece.identity for piece in pieces}:
        return tuple(pieces)
    return tuple(MentionPiece(mention.text, one.kind, one) for one in identities)


def _cut(operator: Operator, mention: Mention) -> Iterable[MentionPiece]:
    match operator:
        case ReplaceName():
            return _cut_name(mention)
        case ReplacePlace():
            return _cut_place(operator, mention)
        case ReplaceRegion():
            return _cut_region(mention)
        case _:
            return ()


def _cut_name(mention: Mention) -> Iterator[MentionPiece]:
    for one in read_name(mention.text, mention.facts.names):
        yield MentionPiece(one.part.text, one.part.role.name.lower(), one.identity)


def _cut_place(operator: ReplacePlace, mention: Mention) -> Iterator[MentionPiece]:
    for piece in operator.read_pieces(mention):
        yield MentionPiece(piece.text, piece.role.name.lower(), identify_piece(piece))


def _cut_region(mention: Mention) -> Iterator[MentionPiece]:
    for part in cut_mention(mention):
        kind = part.identity.kind if part.identity else KEPT
        role = kind.partition("/")[0].rpartition(".")[2]
        yield MentionPiece(part.text, role.lower(), part.identity)
