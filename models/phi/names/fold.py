"""Fold a name to plain letters, so that its spellings with and without accents are one name."""

import unicodedata

from deidstream.models.phi.names.initials import STEMS

_APOSTROPHES = frozenset("'\u2019\u02bc`\u02bb\u2018")


def plain(name: str) -> str:
    """Return the plain letters ``a`` to ``z`` of a name; empty if it has any other.

    >>> plain("O'Brien"), plain("Mu\u00f1oz"), plain("\u00d8verg\u00e5rd"), plain("\u738b")
    ('obrien', 'munoz', 'overgard', '')
    """
    folded = unicodedata.normalize("NFKD", name).casefold().translate(STEMS)
    kept = "".join(c for c in folded if not unicodedata.combining(c) and c not in _APOSTROPHES)
    return kept if kept.isascii() and kept.isalpha() else ""
