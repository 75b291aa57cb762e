"""Read a note whose text has entities of HTML or XML as the text that they mean.

``O&apos;Brien`` is a name with an apostrophe, which no recognizer sees: they read the note without
entities, and what they find counts at its place in the note.
"""

from dataclasses import replace

import numpy as np

from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.phi.hl7.message_grammar import read_hl7
from deidstream.models.records import Detected, DetectionStep
from deidstream.models.text.html_entities import find_entities
from deidstream.schemas.note import RawNote


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


def write_without_entities(note: RawNote, plain: PlainText) -> RawNote:
    """Return a note with its plain text, and its form at the same places of it."""
    if note.form is None:
        return replace(note, text=plain.text)
    parts = [*note.form.parts]
    for place, part in enumerate(parts):
        start, end = plain.image(part.start, part.end)
        parts[place] = replace(part, start=start, end=end)
    return replace(note, text=plain.text, form=replace(note.form, parts=tuple(parts)))


def place_in_note(detected: Detected, note: RawNote, plain: PlainText) -> Detected:
    """Put what was found in the plain text of a note at its places in the note."""
    steps = (DetectionStep(one.decision, tuple(plain.to_note(one.spans))) for one in detected.steps)
    return replace(
        detected,
        note=note,
        spans=tuple(plain.to_note(detected.spans)),
        messages=Hl7Guard.read(note.text),
        counted=tuple(plain.to_note(detected.counted)),
        dropped=tuple(plain.to_note(detected.dropped)),
        doubts=tuple(plain.to_note(detected.doubts)),
        cleared=tuple(plain.to_note(detected.cleared)),
        steps=tuple(steps),
    )
