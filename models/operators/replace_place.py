"""Replace the proper part of a street, a place or an institution; its kind stays."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from deidstream.models.keyring import canonical
from deidstream.models.mention import Distinct, Draws, Identity, Mention, NotedLands
from deidstream.models.operators.redact import write_label
from deidstream.models.phi.codes.draw_code import write_code
from deidstream.models.phi.dates.calendar import suffix
from deidstream.models.phi.names.initials import ALPHABET, draw_place_letters, initial, map_char
from deidstream.models.phi.places.address import county_pools, draw_city, target_country
from deidstream.models.phi.places.cities import LIES_IN, city_key, identify_city, is_city
from deidstream.models.phi.places.draw_place import draw_feature, draw_unit
from deidstream.models.phi.places.kind_words import is_kind_word
from deidstream.models.phi.places.phrases import SMALL, Piece, PieceRole, cut_phrase, split_town
from deidstream.models.phi.places.place_pools import (
    class_pool,
    draw_given,
    draw_saint,
    draw_unlike,
    has_class,
    has_town_words,
    word_pools,
)
from deidstream.models.text.runs import recase
from deidstream.models.text.word_files import words_in
from deidstream.schemas.label import INSTITUTIONS
from deidstream.schemas.policy import RedactStyle

PROPER, SAINT, CODE = "place.name", "place.saint", "place.code"
GIVEN = "place.given"
TERRAIN, _LETTERS = "place.terrain", "place.letters"
_KINDS = {
    PieceRole.PROPER: PROPER,
    PieceRole.SAINT: SAINT,
    PieceRole.GIVEN: GIVEN,
    PieceRole.TERRAIN: TERRAIN,
    PieceRole.CODE: CODE,
    PieceRole.ORDINAL: CODE,
}
_DISTINCT = {
    PROPER: Distinct.FROM_ALL,
    SAINT: Distinct.FROM_ALL,
    GIVEN: Distinct.FROM_ALL,
    TERRAIN: Distinct.FROM_ORIGINALS,
    CODE: Distinct.FROM_NOTHING,
}
_ACRONYM = re.compile("[A-Z]{2,6}")
_AMERICAN = "US"
LETTERS = Identity(_LETTERS)
"""The table by which initials of places map; a scope has one."""


@dataclass(frozen=True, slots=True)
class ReplacePlace:
    """``Dry Creek Medical Center`` becomes ``Harwick Ridge Medical Center``, ``7B`` such as ``4M``.

    Only words of the list ``kept`` stay. A mention that holds nothing else gets a proper name and
    its last word. Each word of a proper name is replaced by itself, and the initial of its
    surrogate follows from its own: ``Dry Creek`` and ``DCMC`` become ``Harwick Ridge`` and
    ``HRMC``. Proper words agree between streets, places and institutions of a scope.
    """

    kept: str
    """File of ``models/data`` that lists the words that stay."""
    name: str = "surrogate"
    style: RedactStyle = RedactStyle.LABEL
    """How what cannot be replaced is written."""

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the proper parts, saints, numbers and unit letters; of an acronym, its name's."""
        if whole := self._find_whole_name(mention):
            return self.identities(whole)
        found = map(identify_piece, self.read_pieces(mention))
        named = tuple(dict.fromkeys(identity for identity in found if identity))
        if named or not any(map(str.isalnum, mention.text)):
            return named
        return (Identity(PROPER, canonical(mention.text)),)

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Draw a composed name, a saint, or a number or letter of the same shape."""
        if identity.kind.partition(LIES_IN)[0] in {PROPER, GIVEN, TERRAIN, _LETTERS}:
            return _draw_word(identity, draws)
        if is_city(identity):
            return draw_city(identity, draws)
        if identity.kind == SAINT:
            own = replace(draws, probe=0).own(identity)
            return draw_saint(identity.value, own, draws.probe)
        return draw_unit(identity.value, draws.own(identity))

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the pieces with their surrogates; an acronym of the note as that of its name."""
        if whole := self._find_whole_name(mention):
            written = (
                _write(piece, surrogates) for piece in _list_initials(self.read_pieces(whole))
            )
            return "".join(word[:1].upper() for word in written)[: len(mention.text)]
        pieces = self.read_pieces(mention)
        if any(map(identify_piece, pieces)):
            return "".join(_write(piece, surrogates) for piece in pieces)
        if not any(map(str.isalnum, mention.text)):
            return write_label(mention, self.style)
        return _write_with_head(mention.text, pieces, surrogates)

    def read_pieces(self, mention: Mention) -> list[Piece]:
        """Cut a mention into its pieces."""
        facts = mention.facts
        return mention.readings.read(self._cut, mention.text, facts.towns, facts.lands)

    def _find_whole_name(self, mention: Mention) -> Mention | None:
        """Return the name of the note that an acronym is of, if one of its words is replaced."""
        text = mention.text
        if mention.label not in INSTITUTIONS or not _ACRONYM.fullmatch(text):
            return None
        for name in mention.facts.institutions:
            whole = replace(mention, text=name)
            pieces = self.read_pieces(whole)
            letters = "".join(piece.text[0] for piece in _list_initials(pieces))
            if letters.upper().startswith(text) and any(map(identify_piece, pieces)):
                return whole
        return None

    def _cut(self, text: str, towns: frozenset[str], lands: NotedLands) -> list[Piece]:
        kept = words_in(self.kept)
        before, town, rest = split_town(text, towns, kept)
        pieces = cut_phrase(before, kept)
        if town:
            key = city_key(town)
            pieces.append(Piece(PieceRole.TOWN, town, key, lands.towns.get(key, "")))
        return [_place_word(piece, lands.land) for piece in pieces + cut_phrase(rest, kept)]


def _place_word(piece: Piece, land: str) -> Piece:
    """Have a proper word lie in the country of its note, if it is no word of streets anywhere."""
    placed = piece.role is PieceRole.PROPER and land != _AMERICAN and has_town_words(land)
    return replace(piece, lies_in=land) if placed and not has_class(piece.value) else piece


def _list_initials(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces whose initials an acronym has; small words have none."""
    return [one for one in pieces if one.text[:1].isalpha() and one.text not in SMALL]


def _draw_word(identity: Identity, draws: Draws) -> str:
    """Draw a word whose initial follows from the scope's table, or the table itself."""
    table = draw_place_letters(draws)
    if identity == LETTERS:
        return table
    first = table[ALPHABET.index(initial(identity.value))]
    if identity.kind == TERRAIN:
        shared = draws.shared("terrain:" + first)
        return draw_feature(identity.value, first, shared, draws.probe)
    draw = replace(draws, probe=0).own(identity)
    if identity.kind == GIVEN:
        return draw_given(identity.value, first, draw, draws.probe)
    pools = county_pools(identity.value, draws) or word_pools(
        identity.value, first, land_of_word(identity, draws)
    )
    word = draw_unlike(identity.value, pools, draw, draws.probe)
    if " " not in identity.value:
        return word
    # What only describes an institution gets a name of two words.
    return f"{word} {draw.pick(class_pool('features').names)}"


def land_of_word(identity: Identity, draws: Draws) -> str:
    """Return the code of the country whose towns a proper word is called after; empty: America."""
    land = identity.kind.partition(LIES_IN)[2]
    return (target_country(land, draws) or "") if land else ""


def identify_piece(piece: Piece) -> Identity | None:
    """Return the identity of a piece; ``None`` for one that stays."""
    if piece.role is PieceRole.INITIALS:
        return LETTERS
    if piece.role is PieceRole.TOWN:
        return identify_city(piece.value, piece.lies_in)
    kind = _KINDS.get(piece.role)
    if kind is None:
        return None
    placed = f"{kind}{LIES_IN}{piece.lies_in}" if piece.lies_in else kind
    return Identity(placed, piece.value, _DISTINCT[kind])


def _write(piece: Piece, surrogates: Mapping[Identity, str]) -> str:
    identity = identify_piece(piece)
    if identity is None:
        return piece.text
    surrogate = surrogates[identity]
    if piece.role is PieceRole.INITIALS:
        return "".join(map_char(char, surrogate).upper() for char in piece.text)
    if piece.role is PieceRole.ORDINAL:
        return surrogate + recase(suffix(int(surrogate[-2:])), piece.text[-2:])
    if piece.role is PieceRole.CODE:
        return write_code(piece.text, surrogate)
    return recase(surrogate, piece.text)


def _write_with_head(text: str, pieces: list[Piece], surrogates: Mapping[Identity, str]) -> str:
    """Name an institution that was only described: ``Women's Health Center``.

    The name stands for its first word, or for all words up to the last one that may be a name.
    """
    name = recase(surrogates[Identity(PROPER, canonical(text))], text)
    kept = [place for place, piece in enumerate(pieces) if piece.role is PieceRole.KEPT]
    named = [n for n in kept[:-1] if not is_kind_word(canonical(pieces[n].text))]
    behind = pieces[(named or kept)[-1 if named else 0] + 1 :] if kept else []
    return name + "".join(piece.text for piece in behind)
