"""How initials map: one keyed derangement of the alphabet for each scope.

A name's surrogate starts with the letter to which its own initial maps, so bare initials agree with
the full names without anybody knowing whose initials they are.
"""

import unicodedata
from collections.abc import Sequence

from deidstream.models.keyring import Draw
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


def letter_table(draws: Draws) -> str:
    """36 characters: what stands for each of ``a`` to ``z``, then for each of ``0`` to ``9``.

    Nothing stands for itself. Letters outside ``FILLED`` share the letters inside with others.
    """
    draw = draws.shared("letters")
    cycle = derange(draw, FILLED)
    table = [cycle[c] if c in cycle else draw.pick(FILLED) for c in ALPHABET]
    digits = derange(draw, DIGITS)
    return "".join(table) + "".join(digits[c] for c in DIGITS)


def place_letters(draws: Draws) -> str:
    """26 characters: the initial of what stands for a word of a place that begins with each letter.

    Nothing stands for itself, so that an acronym tells none of its letters, and yet agrees with the
    whole name.
    """
    draw = draws.shared("letters.places")
    cycle = derange(draw, PLACED)
    return "".join(cycle[c] if c in cycle else draw.pick(PLACED) for c in ALPHABET)


def initial(name: str) -> str:
    """Base letter of the first character, ``a`` to ``z``; any other script is folded onto it.

    >>> initial("Éva"), initial("Øvergård"), initial("Łukasz")
    ('e', 'o', 'l')
    """
    folded = unicodedata.normalize("NFKD", name[:1]).casefold().translate(STEMS)
    return folded[0] if folded[:1] in set(ALPHABET) else ALPHABET[sum(map(ord, folded)) % 26]


def mapped(char: str, table: str) -> str:
    """What ``table`` puts for a letter or a digit, in lower case."""
    if unicodedata.category(char)[0] == "N":
        return table[26 + int(unicodedata.numeric(char, 0)) % 10]
    return table[ALPHABET.index(initial(char))]
