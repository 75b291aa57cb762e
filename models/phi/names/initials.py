"""Map initials by one keyed derangement of the alphabet for each scope.

A name's surrogate starts with the letter to which the name's initial maps, so initials alone agree
with the full names although it is unknown to whom they belong.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from deidstream.models.keyring import Draw, Keyring
from deidstream.models.mention import Draws

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
_LETTERS = frozenset(ALPHABET)

_SHARES = {
    "m": 98, "j": 83, "s": 78, "c": 75, "b": 69, "r": 68, "d": 60, "l": 52, "a": 49, "h": 49,
    "w": 45, "g": 43, "p": 40, "t": 39, "k": 36, "e": 32, "f": 26, "n": 18, "v": 14, "o": 9,
    "i": 6, "y": 4, "z": 3, "q": 1, "u": 1,
}  # fmt: skip
_APART = 13
"""The most frequent letters, which never map to the same."""
"""In a thousand, how many given names and surnames begin so; hardly any begins with ``x``."""
FILLED = "".join(sorted(_SHARES))
"""Letters with which surrogates of names begin."""

_PLACE_SHARES = {
    "s": 102, "c": 98, "m": 93, "b": 79, "p": 75, "w": 72, "h": 68, "l": 66, "r": 57, "g": 51,
    "f": 48, "a": 44, "d": 41, "t": 40, "j": 33, "n": 32, "e": 32, "k": 26, "o": 24, "v": 17,
    "i": 13,
}  # fmt: skip
"""The same of words of places; those of the landscape have some words for each."""

# Letters of Latin script that NFKD leaves whole.
STEMS = str.maketrans("øłđðþæœßıħŧ", "oldttaosiht")


def derange(draw: Draw, items: Sequence[str]) -> dict[str, str]:
    """Map each of two or more ``items`` to another one: a random cycle (Sattolo 1986)."""
    cycle = list(items)
    for last in range(len(cycle) - 1, 0, -1):
        other = draw.below(last)
        cycle[last], cycle[other] = cycle[other], cycle[last]
    return dict(zip(items, cycle, strict=True))


def map_by_shares(draw: Draw, shares: Mapping[str, int]) -> dict[str, str]:
    """Map each letter to another one, drawn by share, so that surrogates begin as originals do.

    The ``_APART`` most frequent letters draw from those that are left, and map to different ones:
    sampling without replacement by weight (Plackett 1975). The others share theirs with them.
    """
    ranked = sorted(shares, key=lambda c: (-shares[c], c))
    left, table = dict(shares), dict[str, str]()
    for place, source in enumerate((*ranked, *(c for c in ALPHABET if c not in shares))):
        among = left if place < _APART else shares
        table[source] = pick_by_share(draw, among, but=source)
        left.pop(table[source], None)
    return table


def derange_by_share(draw: Draw, shares: Mapping[str, int]) -> dict[str, str]:
    """Map each of two or more items to another one, none to the same, drawn by share.

    Those with the greatest shares draw first, so that frequent items map to frequent ones.
    """
    left, table = dict(shares), dict[str, str]()
    for source in sorted(shares, key=lambda one: (-shares[one], one)):
        if left.keys() == {source}:  # The last one, left with itself, exchanges with the first.
            first = next(iter(table))
            table[source], table[first] = table[first], source
        else:
            table[source] = pick_by_share(draw, left, but=source)
            del left[table[source]]
    return table


def pick_by_share(draw: Draw, shares: Mapping[str, int], *, but: str = "") -> str:
    """Draw a key of ``shares`` other than ``but``, each as often as its share says."""
    number = draw.below(sum(shares.values()) - shares.get(but, 0))
    for one, share in shares.items():
        if one != but:
            number -= share
            if number < 0:
                return one
    raise AssertionError


def draw_letter_table(draws: Draws) -> str:
    """Draw 36 characters: the surrogates of ``a`` to ``z``, then those of ``0`` to ``9``.

    No letter or digit maps to itself. Letters map to frequent initials more often, so that
    surrogates begin as names do; the most frequent ones never share theirs.
    """
    if draws.common:
        return _draw_letters(draws.shared("letters"))
    return _draw_keyed_letters(draws.keyring, draws.scope)


@lru_cache(maxsize=256)
def _draw_keyed_letters(keyring: Keyring, scope: str) -> str:
    """Draw the table of a scope once: each of its names needs it, and each of their probes."""
    return _draw_letters(Draws(keyring, scope).shared("letters"))


def _draw_letters(draw: Draw) -> str:
    table = map_by_shares(draw, _SHARES)
    digits = derange(draw, DIGITS)
    return "".join(table[c] for c in ALPHABET) + "".join(digits[c] for c in DIGITS)


def draw_place_letters(draws: Draws) -> str:
    """Draw 26 characters: the initials of the surrogates of words of places, by their own initial.

    No letter maps to itself, so that the surrogate of an acronym shows none of its letters and yet
    agrees with that of the whole name.
    """
    if draws.common:
        return _draw_place_letters(draws)
    return _draw_keyed_place_letters(draws.keyring, draws.scope)


@lru_cache(maxsize=256)
def _draw_keyed_place_letters(keyring: Keyring, scope: str) -> str:
    """Draw the table of a scope once, as that of names."""
    return _draw_place_letters(Draws(keyring, scope))


def _draw_place_letters(draws: Draws) -> str:
    table = map_by_shares(draws.shared("letters.places"), _PLACE_SHARES)
    return "".join(table[c] for c in ALPHABET)


def initial(name: str) -> str:
    """Return the base letter of the first character; other scripts are folded onto ``a`` to ``z``.

    >>> initial("Éva"), initial("Øvergård"), initial("Łukasz")
    ('e', 'o', 'l')
    """
    folded = unicodedata.normalize("NFKD", name[:1]).casefold().translate(STEMS)
    return folded[0] if folded[:1] in _LETTERS else ALPHABET[sum(map(ord, folded)) % 26]


def map_char(char: str, table: str) -> str:
    """Return the surrogate of a letter or a digit by ``table``, in lower case."""
    if unicodedata.category(char)[0] == "N":
        return table[26 + int(unicodedata.numeric(char, 0)) % 10]
    return table[ALPHABET.index(initial(char))]
