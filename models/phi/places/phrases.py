"""Cut names made of a proper part and of words for the kind of thing: ``Lake Tillery``.

The kind stays, the proper part is replaced, numbers and unit letters change in their shape.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from deidstream.models.keyring import canonical
from deidstream.models.phi.names.identity import share_of
from deidstream.models.phi.names.name_lists import is_given
from deidstream.models.phi.places.cities import city_key, find_home
from deidstream.models.phi.places.draw_place import terrain
from deidstream.models.phi.places.kind_words import is_kind_word
from deidstream.models.phi.places.place_pools import has_class
from deidstream.models.text.folding import words_of
from deidstream.models.text.runs import join_touching, safe_separators, words
from deidstream.models.text.word_files import sections, split_list, words_in

_ACRONYM, _UNIVERSITY = 5, 4
_LONGEST_ACRONYM = 6
_INSTITUTION = "hospital"
"""Only lists of words of institutions have it."""
_STREET = "stra\u00dfe"
"""Only the list of words of streets has it."""
_SHORTEST_NAME = 4
"""Letters of a word that stays elsewhere and may be the name of a street: ``Strand Road``."""
STREET_KINDS = frozenset(sections("places.words.txt")["street kinds"])
"""A longer word that stays elsewhere is the name of the street right before one of these."""
_COMPOUNDS = split_list("stra\u00dfe strasse str weg gasse allee platz straat gracht gatan")
_TAILS = split_list("CHC FHC RMC CMC GMC MMC UMC MC GH RH CH MH UH DH HC HS H C")
"""How acronyms of institutions end in words that stay: Medical Center, General Hospital."""
SMALL = frozenset(["and", "at", "de", "for", "la", "of", "the"])
"""Without initials in an acronym."""
_SAINTLY = frozenset({"st", "saint", "ste", "st."})
_WITHIN = frozenset("'\u2019.")
"""Signs within a word that stays, as in ``Women's``."""
_TITLES = frozenset(sections("places.words.txt")["titles"])
"""Before a name in that of an institution; they stay."""
_FOUNDER_PERCENT = 0.01
"""How common a given name is at least that tells a founder's."""
_BRANCHES = ("iatric", "iatrics", "ology", "ological", "ography", "oscopy", "otherapy", "opathy")
"""How words for branches of medicine end."""
_LONGEST_LINK = 3
_ORDINAL = frozenset({"st", "nd", "rd", "th"})


class PieceRole(Enum):
    """Kind of a piece of a phrase."""

    SEPARATOR = auto()
    KEPT = auto()
    PROPER = auto()
    SAINT = auto()
    TOWN = auto()
    """The name of a city of the note, which leads that of an institution in it."""
    GIVEN = auto()
    """The given name of a person whom an institution is called after: ``Eleanor Roosevelt``."""
    TERRAIN = auto()
    """A word such as ``Creek`` at the end of a proper name."""
    INITIALS = auto()
    """Letters of an acronym that abbreviate a proper name."""
    CODE = auto()
    ORDINAL = auto()


_BESIDE_KINDS = frozenset(
    {PieceRole.SEPARATOR, PieceRole.KEPT, PieceRole.CODE, PieceRole.ORDINAL, PieceRole.INITIALS}
)
"""What may stand among the words of kinds at the end of a name: ``Tillery Homecare Unit 4 BD``."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a phrase, in order."""

    role: PieceRole
    text: str = field(repr=False)
    value: str = field(repr=False, default="")
    """Normal form of what is replaced."""
    lies_in: str = ""
    """Code of the country or province in which its note says that a town lies."""


def cut_phrase(text: str, kept: frozenset[str]) -> list[Piece]:
    """Cut a phrase; only words of ``kept`` stay.

    >>> [piece.role.name for piece in cut_phrase("Lake Van Tillery", frozenset({"lake"}))]
    ['KEPT', 'SEPARATOR', 'PROPER', 'SEPARATOR', 'PROPER']
    """
    loose = not text.isupper() or len(text.split()) == 1
    cased = _INSTITUTION in kept and text[:1].isupper()
    pieces: list[Piece] = []
    for token in _join_abbreviations(join_touching(words(text)), kept):
        if cased and _is_common_noun(token):
            pieces.append(Piece(PieceRole.KEPT, token))
        else:
            pieces += _pieces(token, kept, pieces, loose=loose)
    named = [_promote_to_name(pieces, place, kept) for place in range(len(pieces))]
    if _STREET not in kept:
        named = _keep_kinds(named, kept)
    if _INSTITUTION not in kept:
        return named
    return [_find_given_name(named, place) for place in range(len(named))]


def split_town(text: str, towns: frozenset[str], kept: frozenset[str]) -> tuple[str, str, str]:
    """Split the name of a town off an institution that is called after it, or only by it.

    It leads the words of kinds, or follows them; a town of the note may also stand before a word of
    the landscape, or anywhere in the name, and in that of another place than a street. Of a city of
    America, which has more places that are called so, the note must say that it is one.

    >>> split_town("Cut Bank Urgent Care", frozenset({"cut bank"}), frozenset({"urgent"}))
    ('', 'Cut Bank', ' Urgent Care')
    >>> split_town("Hospital, Cut Bank", frozenset({"cut bank"}), frozenset({"hospital"}))
    ('Hospital, ', 'Cut Bank', '')
    >>> split_town("Cut Bank Valley Memorial", frozenset({"cut bank"}), frozenset({"hospital"}))
    ('', 'Cut Bank', ' Valley Memorial')
    >>> split_town("Tusla Dublin North", frozenset({"dublin"}), frozenset({"hospital"}))
    ('Tusla ', 'Dublin', ' North')
    >>> split_town("Cut Bank Reablement", frozenset({"cut bank"}), frozenset({"hospital"}))
    ('', 'Cut Bank', ' Reablement')
    >>> split_town("Jaipur", frozenset({"jaipur"}), frozenset({"lake"}))
    ('', 'Jaipur', '')
    >>> split_town("Dist. Jaipur", frozenset({"jaipur"}), frozenset({"lake"}))
    ('Dist. ', 'Jaipur', '')
    >>> split_town("Co. Sligo", frozenset({"sligo"}), frozenset({"lake"}))
    ('Co. Sligo', '', '')
    """
    words = text.split(" ")
    ends = [canonical(word).strip(".,") in kept for word in words]
    for count in range(1, len(words)):
        town = " ".join(words[:count])
        named = words[count][:1].isupper() and not any(ends[:count])
        sure = named and _is_surely_town(town, abroad=True)
        noted = city_key(town) in towns
        shaped = noted and named and _INSTITUTION in kept and canonical(words[count]) in terrain()
        if (ends[count] and (sure or noted)) or shaped:
            return "", town, text[len(town) :]
    if _INSTITUTION not in kept:
        # A county that is called like a town becomes another county.
        stays = _STREET in kept or has_class(canonical(words[-1]))
        return (text, "", "") if stays else _find_noted_town(text, towns)
    for count in range(1, len(words)):
        last = " ".join(words[count:])
        town = last.rstrip(",")
        sure = city_key(town) in towns or _is_surely_town(town)
        divided = words[count - 1].endswith(",")
        # Behind the comma of a whole name stands where it is.
        behind = (sure and ends[count - 1]) or (divided and {*ends[:count]} == {False, True})
        if behind and not any(ends[count:]):
            return text[: -len(last)], town, last[len(town) :]
    whole = city_key(text) in towns or _is_surely_town(text)
    return ("", text, "") if whole else _find_noted_town(text, towns)


def _find_noted_town(text: str, towns: frozenset[str]) -> tuple[str, str, str]:
    """Split off the longest town of the note within a name, or that is one: ``Dist. Jaipur``."""
    words = text.split(" ")
    # A name of thousands of words is not read once for each count of its words.
    longest = max((len(town.split()) for town in towns), default=0)
    for count in range(min(longest, len(words)), 0, -1):
        for place in range(len(words) - count + 1):
            town = " ".join(words[place : place + count]).rstrip(",.")
            if len(town) >= _SHORTEST_NAME and town[:1].isupper() and city_key(town) in towns:
                before = "".join(f"{word} " for word in words[:place])
                return before, town, text[len(before) + len(town) :]
    return text, "", ""


def find_acronyms(name: str) -> frozenset[str]:
    """Return what may stand for the name of an institution, in small letters; small words may not.

    >>> sorted(find_acronyms("Moor and District Clinic")), sorted(find_acronyms("Moor Clinic"))
    (['madc', 'mdc'], ['mc'])
    """
    words = words_of(name)
    forms = {"".join(word[0] for word in words), "".join(w[0] for w in words if w not in SMALL)}
    return frozenset(form for form in forms if 1 < len(form) <= _LONGEST_ACRONYM)


def _is_surely_town(text: str, *, abroad: bool = False) -> bool:
    """Return whether a name is known as that of a city, and no name of a hospital is so too."""
    key = city_key(text)
    home = "" if len(key) < _SHORTEST_NAME or _names_institution(text) else find_home(key)
    return bool(home) and not (abroad and home.startswith("US"))


def _names_institution(text: str) -> bool:
    """Return whether a word is of those that institutions are called by, or of a saint."""
    return any(word in _SAINTLY or has_class(word) for word in canonical(text).split())


def _keep_kinds(pieces: list[Piece], kept: frozenset[str]) -> list[Piece]:
    """Keep the words of kinds at the end of a name: ``Tillery Thyroid Centre``, ``Dover Orchard``.

    The first word stands for the name of an institution that is only described: ``Sport & Spine``;
    but not the last one of ``Memorial Hospital``.
    """
    kinds: dict[int, Piece] = {}
    named = (n for n, piece in enumerate(pieces) if piece.role is not PieceRole.SEPARATOR)
    last = max(named, default=0)
    for place in reversed(range(len(pieces))):
        piece = pieces[place]
        if piece.role in _BESIDE_KINDS:
            continue
        if place == last and piece.role is PieceRole.TERRAIN and piece.value in kept:
            kinds[place] = Piece(PieceRole.KEPT, piece.text)
            continue
        if piece.role is not PieceRole.PROPER or not is_kind_word(piece.value):
            break
        kinds[place] = Piece(PieceRole.KEPT, piece.text)
    else:
        if (first := min(kinds, default=last)) != last:
            del kinds[first]
    return [kinds.get(place, piece) for place, piece in enumerate(pieces)]


def _is_common_noun(token: str) -> bool:
    """Return whether a word in small letters beside capitals says what kind of thing it is."""
    return token.islower() and token in words_in("lexicon.txt") | words_in("places.kept.txt")


def _is_common_given(value: str) -> bool:
    return is_given(value) and share_of(value) >= _FOUNDER_PERCENT


def _find_given_name(pieces: list[Piece], place: int) -> Piece:
    """Read the given name of a founder: one before a further proper word, or behind a title."""
    piece = pieces[place]
    if piece.role is not PieceRole.PROPER or not _is_common_given(piece.value):
        return piece
    before = canonical(pieces[place - 2].text) if place > 1 else ""
    after = pieces[place + 1 : place + 3]
    follows = len(after) > 1 and after[0].text == " " and after[1].role is PieceRole.PROPER
    titled = before in _TITLES
    return Piece(PieceRole.GIVEN, piece.text, piece.value) if follows or titled else piece


def _join_abbreviations(tokens: list[str], kept: frozenset[str]) -> list[str]:
    """Join what stays as a whole: the letters of ``R.R. 2``, the words of ``Walk-In``."""
    found: list[str] = []
    for token in tokens:
        found.append(token)
        first, dot, second = found[-3:] if len(found) > 2 else ("", "", "")  # noqa: PLR2004
        dotted = dot == "." and len(first) == len(second) == 1
        whole = first + second if dotted else first + dot + second
        if (dotted or dot == "-") and whole.casefold() in kept:
            found[-3:] = [first + dot + second]
    return found


def _promote_to_name(pieces: list[Piece], place: int, kept: frozenset[str]) -> Piece:
    """Read a word of a kind as a name where it is one: ``Park Ave``, ``Harbor Clinic``."""
    piece, after = pieces[place], pieces[place + 1 : place + 5]
    if piece.role is not PieceRole.KEPT or len(after) < 2 or after[0].text.strip(" ."):  # noqa: PLR2004
        return piece
    value = canonical(piece.text)
    leads = (
        _INSTITUTION in kept and not place and after[1].role in {PieceRole.KEPT, PieceRole.TERRAIN}
    )
    street = _STREET in kept and len(value) >= _SHORTEST_NAME and _is_street(after)
    named = street or (leads and value in terrain())
    return Piece(PieceRole.PROPER, piece.text, value) if named else piece


def _is_street(after: list[Piece]) -> bool:
    """Return whether a word for a street follows, without a number of that street."""
    gap, number = after[2:3], after[3:4]
    numbered = bool(number) and not gap[0].text.strip() and number[0].text.isdigit()
    return canonical(after[1].text) in STREET_KINDS and not numbered


def _pieces(token: str, kept: frozenset[str], before: list[Piece], *, loose: bool) -> list[Piece]:
    value = canonical(token)
    if not any(map(str.isalnum, token)):
        return [Piece(PieceRole.SEPARATOR, "".join(map(_separator, token)))]
    if _is_terrain(value, kept) and _follows_name(before):
        return [Piece(PieceRole.TERRAIN, token, value)]
    if _is_kept(value, kept, first=not before) or _is_link(token, before):
        return [Piece(PieceRole.KEPT, token)]
    if not token.isalpha() and any(map(str.isnumeric, token)):
        return _cut_number(token, value)
    if loose and token.isupper() and token.isascii() and 1 < len(token) <= _ACRONYM:
        return _cut_acronym(token, kept)
    return (
        [Piece(PieceRole.CODE, token, value)] if len(value) == 1 else _cut_word(token, kept, before)
    )


def _is_kept(value: str, kept: frozenset[str], *, first: bool) -> bool:
    """Return whether a word names a kind: one of ``kept``, or of an institution its plural."""
    if value in kept or "".join(c for c in value if c not in _WITHIN) in kept:
        return True
    if _INSTITUTION not in kept:
        return False
    if first:
        return value in _TITLES
    return value.removesuffix("s") in kept or value.endswith(_BRANCHES)


def _is_terrain(value: str, kept: frozenset[str]) -> bool:
    """Return whether a word of the landscape does not name the kind of place."""
    return value in terrain() and (value not in kept or _INSTITUTION in kept)


def _cut_word(token: str, kept: frozenset[str], before: list[Piece]) -> list[Piece]:
    ending = _compound_ending(canonical(token)) if _STREET in kept else ""
    if not ending:
        return _cut_name(token, before)
    body, tail = token[: -len(ending)], token[-len(ending) :]
    return [Piece(PieceRole.PROPER, body, canonical(body)), Piece(PieceRole.KEPT, tail)]


def _compound_ending(value: str) -> str:
    """Return the ending of a one-word street, as in ``Hauptstr``; empty without one."""
    long = (ending for ending in _COMPOUNDS if len(value) > len(ending) + 2)
    return next((ending for ending in long if value.endswith(ending)), "")


def _follows_name(before: list[Piece]) -> bool:
    return (
        len(before) > 1 and before[-2].role is PieceRole.PROPER and not before[-1].text.strip(" -")
    )


def _is_link(token: str, before: list[Piece]) -> bool:
    """Return whether a word joins two others of a name: ``Tigh na Mara``, ``Berg aan Zee``."""
    short = token.isalpha() and token.islower() and 1 < len(token) <= _LONGEST_LINK
    return short and len(before) > 1 and before[-2].text[:1].isupper() and before[-1].text == " "


def _cut_acronym(token: str, kept: frozenset[str]) -> list[Piece]:
    """Cut an acronym into the letters of a proper name and those of words that stay."""
    if _INSTITUTION not in kept:
        return [Piece(PieceRole.INITIALS, token)]
    head = "U" if token[0] == "U" and len(token) >= _UNIVERSITY else ""
    rest = token[len(head) :]
    tail = next((one for one in _TAILS if rest.endswith(one) and rest != one), "")
    own = rest[: len(rest) - len(tail)]
    return [
        Piece(PieceRole.KEPT, head),
        Piece(PieceRole.INITIALS, own),
        Piece(PieceRole.KEPT, tail),
    ]


def _separator(char: str) -> str:
    return char if char in "+|" else safe_separators(char)


def _cut_number(token: str, value: str) -> list[Piece]:
    if value[-2:] in _ORDINAL and value[:-2].isdigit():
        return [Piece(PieceRole.ORDINAL, token, value[:-2])]
    return [Piece(PieceRole.CODE, token, value)]


def _cut_name(token: str, before: list[Piece]) -> list[Piece]:
    body, tail = token, ""
    if len(token) > 3 and token[-1] in "sS" and token[-2] in "'\u2019":  # noqa: PLR2004
        body, tail = token[:-2], token[-2:]
    joined = len(before) > 1 and set(before[-1].text) <= set(". -")
    saintly = joined and canonical(before[-2].text) in _SAINTLY
    pieces = [Piece(PieceRole.SAINT if saintly else PieceRole.PROPER, body, canonical(body))]
    return [*pieces, Piece(PieceRole.KEPT, tail)] if tail else pieces
