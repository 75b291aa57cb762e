"""Read a text with entities, or with marks of a machine's language, as the text that they mean."""

from collections.abc import Sequence

import numpy as np

from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.text.html_entities import find_entities
from deidstream.models.text.machine_marks import Mark


def read_entities(text: str, marks: Sequence[Mark]) -> PlainText | None:
    """Return a text with its entities as characters, and what its marks mean in their places.

    ``None`` if it has none, or all of them are read as they stand.
    """
    meant = {mark.start: (mark.end, mark.meant) for mark in marks if mark.meant is not None}
    for entity in find_entities(text):
        meant.setdefault(entity.start, (entity.end, entity.meant))
    if not meant:
        return None
    pieces: list[str] = []
    sources: list[tuple[int, int]] = []
    read = 0
    for start, (end, written) in sorted(meant.items()):
        if start < read:
            continue
        pieces += (text[read:start], written)
        sources += ((at, at + 1) for at in range(read, start))
        sources += [(start, end)] * len(written)
        read = end
    pieces.append(text[read:])
    sources += ((at, at + 1) for at in range(read, len(text)))
    return PlainText("".join(pieces), np.array(sources, np.int64).reshape(-1, 2))
