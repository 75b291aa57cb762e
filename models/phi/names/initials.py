"""Map initials by one keyed derangement of the alphabet for each scope.

A name's surrogate starts with the letter to which the name's initial maps, so initials alone agree
with the full names although it is unknown to whom they belong.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from deidstream.models.keyring import Draw, Keyring
from deidstream.models.mention import Draws

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"

FILLED = "abcdegjlmnrst"
"""Letters with names of nearly every people to draw from."""

PLACED = "bcfghlmprst"
"""Letters with composed names of places, and words of the landscape, to draw from."""

# Letters of Latin script that NFKD leaves whole.
STEMS = str.maketrans("øłđðþæœßıħŧ", "oldttaosiht")


def derange(draw: Draw, items: Sequence[str]) -> dict[str, str]:
    """Map each of two or more ``items`` to another one: a random cycle (Sattolo 1986)."""
    cycle = list(items)
    for last in range(len(cycle) - 1, 0, -1):
        other = draw.below(last)
        cycle[last], cycle[other] = cycle[other], cycle[last]
    return dict(zip(items, cycle, strict=True))


def draw_letter_table(draws: Draws) -> str:
    """Draw 36 characters: the surrogates of ``a`` to ``z``, then those of ``0`` to ``9``.

    No letter or digit maps to itself. Letters outside ``FILLED`` map to letters inside, and so
    share them with others.
    """
    if draws.common:
        return _draw_letters(draws.shared("letters"))
    return _draw_keyed_letters(draws.keyring, draws.scope)


@lru_cache(maxsize=256)
def _draw_keyed_letters(keyring: Keyring, scope: str) -> str:
    """Draw the table of a scope once: each of its names needs it, and each of their probes."""
    return _draw_letters(Draws(keyring, scope).shared("letters"))


def _draw_letters(draw: Draw) -> str:
    cycle = derange(draw, FILLED)
    table = [cycle[c] if c in cycle else draw.pick(FILLED) for c in ALPHABET]
    digits = derange(draw, DIGITS)
    return "".join(table) + "".join(digits[c] for c in DIGITS)


def draw_place_letters(draws: Draws) -> str:
    """Draw 26 characters: the initials of the surrogates of words of places, by their own initial.

    No letter maps to itself, so that the surrogate of an acronym shows none of its letters and yet
    agrees with that of the whole name.
    """
    draw = draws.shared("letters.places")
    cycle = derange(draw, PLACED)
    return "".join(cycle[c] if c in cycle else draw.pick(PLACED) for c in ALPHABET)


def initial(name: str) -> str:
    """Return the base letter of the first character; other scripts are folded onto ``a`` to ``z``.

    >>> initial("Éva"), initial("Øvergård"), initial("Łukasz")
    ('e', 'o', 'l')
    """
    folded = unicodedata.normalize("NFKD", name[:1]).casefold().translate(STEMS)
    return folded[0] if folded[:1] in set(ALPHABET) else ALPHABET[sum(map(ord, folded)) % 26]


def map_char(char: str, table: str) -> str:
    """Return the surrogate of a letter or a digit by ``table``, in lower case."""
    if unicodedata.category(char)[0] == "N":
        return table[26 + int(unicodedata.numeric(char, 0)) % 10]
    return table[ALPHABET.index(initial(char))]
