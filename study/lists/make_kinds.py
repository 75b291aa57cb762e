"""Make the file of words that say of what kind a shop, an office or an institution is."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

_COMMENT = """\
# Words of the names of kinds of shops, offices, amenities, crafts, clubs, schools and places of
# care; `models/phi/places/kind_words.py` says when such a word stays.
# From the presets of OpenStreetMap's editor iD, as @openstreetmap/id-tagging-schema 6.19.2 has them
# (Copyright (c) iD Contributors, ISC License); made by benchmarks/build_lists.py.
"""
_KEYS = frozenset(
    {
        "amenity", "club", "craft", "education", "emergency", "healthcare", "military", "office",
        "shop", "social_facility",
    }
)  # fmt: skip
"""Keys of what has an institution's name; a tree, a road and a playground have none."""
_SHORTEST = 4
_WIDTH = 110


def make_kinds(source: Path) -> str:
    """Return the text of the file, always the same for the same source.

    Args:
        source: ``dist/translations/en.json`` of the package.
    """
    found = sorted(set(_read_words(source)))
    return _COMMENT + fill(" ".join(found), _WIDTH) + "\n"


def _read_words(source: Path) -> Iterator[str]:
    presets = json.loads(source.read_text("utf-8"))["en"]["presets"]["presets"]
    for tag, texts in presets.items():
        if tag.partition("/")[0] in _KEYS:
            words = re.findall("[a-z]+", texts.get("name", "").casefold())
            yield from (word for word in words if len(word) >= _SHORTEST)
