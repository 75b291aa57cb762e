"""Read a misspelt name as the name it was meant to be, from the token alone.

A name that no list has, and that one slip of the pen parts from a name of the lists, is that name.
Of two that no list has the same consonants tell that they are one.
"""

from collections.abc import Iterator, Mapping

from deidstream.models.phi.names.initials import ALPHABET

SHORTEST, LONGEST = 5, 20
"""Letters of a name that may be misspelt; in one of ``_SWAPPED`` two may be swapped."""
_SWAPPED = 4
_ROOMY = 7
"""Letters from which any slip is believed; in a shorter name only swapped or doubled letters."""
_VOWELS = frozenset("aeiouyhw")
_FEWEST, _FEWEST_OF_LONG = 3, 2
"""Consonants after the initial by which names are told; of a name of ``_ROOMY`` letters, fewer."""


def nearest(name: str, shares: Mapping[str, float], least: float) -> str:
    """Return the listed name one slip away, the most common first; empty if there is none.

    The first letter is believed, and so is the last one that tells Roberto from Roberta.

    Args:
        name: Plain letters.
        shares: How common each listed name is.
        least: How common a name must be to be meant.
    """
    if not _SWAPPED <= len(name) <= LONGEST:
        return ""
    found = {near: shares.get(near, 0.0) for near in _near(name)}
    meant = [(-share, near) for near, share in found.items() if share >= least and near != name]
    return min(meant)[1] if meant else ""


def _near(name: str) -> Iterator[str]:
    last = len(name) - 1
    for i in range(1, last):
        yield name[:i] + name[i + 1] + name[i] + name[i + 2 :]
    if len(name) == _SWAPPED:
        return
    for i in range(1, last + 1):
        yield name[:i] + name[i] + name[i:]
        if name[i] == name[i - 1]:
            yield name[:i] + name[i + 1 :]
    if len(name) >= _ROOMY:
        yield from _farther(name)


def _farther(name: str) -> Iterator[str]:
    for i in range(1, len(name) - 1):
        yield name[:i] + name[i + 1 :]
        for letter in ALPHABET:
            yield name[:i] + letter + name[i + 1 :]
    for i in range(1, len(name)):
        for letter in ALPHABET:
            yield name[:i] + letter + name[i:]


def consonants(name: str) -> str:
    """Return the initial and the other consonants in alphabetical order, each once.

    Swapped and doubled letters and wrong vowels leave them as they are. Empty where they are too
    few to tell names apart.

    >>> consonants("achterberg"), consonants("achtrebrg"), consonants("shachar"), consonants("aoki")
    ('abcgrt', 'abcgrt', 'scr', '')
    """
    rest = sorted(set(name[1:]) - _VOWELS)
    fewest = _FEWEST_OF_LONG if len(name) >= _ROOMY else _FEWEST
    return name[0] + "".join(rest) if len(rest) >= fewest else ""
