"""Read a text with entities of HTML or XML as the text that they mean."""

import numpy as np

from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.phi.hl7.message_grammar import read_hl7
from deidstream.models.text.html_entities import find_entities


def read_entities(text: str) -> PlainText | None:
    """Return a text with its entities as characters; ``None`` if it has none.

    In HL7 messages the first sign of an entity is a separator.
    """
    entities = [*find_entities(text)]
    if not entities or read_hl7(text):
        return None
    pieces: list[str] = []
    sources: list[tuple[int, int]] = []
    read = 0
    for entity in entities:
        pieces += (text[read : entity.start], entity.meant)
        sources += ((at, at + 1) for at in range(read, entity.start))
        sources += [(entity.start, entity.end)] * len(entity.meant)
        read = entity.end
    pieces.append(text[read:])
    sources += ((at, at + 1) for at in range(read, len(text)))
    return PlainText("".join(pieces), np.array(sources, np.int64))
