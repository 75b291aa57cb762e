"""Read and write a family's name in the plural: ``the Smiths``, ``the Joneses``."""

from collections.abc import Mapping

_LEAST_PERCENT = 0.004
"""How common a name must be to be read from its plural."""
_TIMES = 50
"""A surname so many times as common as its plural is what that was meant to be."""
_HISSING = ("s", "x", "z", "ch", "sh")
_SHORTEST = 3


def singular(name: str, shares: Mapping[str, float]) -> str:
    """Return the name whose plural ``name`` is; empty if it is a name itself, or none.

    Args:
        name: Plain letters.
        shares: How common each surname is, in percent.

    >>> shares = {"smith": 1.0, "jones": 0.6, "adams": 0.2, "adam": 0.3}
    >>> singular("smiths", shares), singular("joneses", shares), singular("adams", shares)
    ('smith', 'jones', '')
    """
    if not name.endswith("s"):
        return ""
    stems = (name[:-1], name[:-2] if name.endswith("es") else "")
    meant = (stem for stem in stems if len(stem) >= _SHORTEST and plural(stem) == name)
    least = max(_LEAST_PERCENT, _TIMES * shares.get(name, 0.0))
    return next((stem for stem in meant if shares.get(stem, 0.0) >= least), "")


def plural(name: str) -> str:
    """Write the plural of a name.

    >>> plural("Smith"), plural("Jones")
    ('Smiths', 'Joneses')
    """
    return name + ("es" if name.casefold().endswith(_HISSING) else "s")
