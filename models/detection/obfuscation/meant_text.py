"""Read a note as its text is meant: entities as characters, a scan as it was before it was scanned.

``O&apos;Brien`` is a name with an apostrophe, ``^FDDeepa`` a name behind a command of a printer and
``l2/O3/2O24`` a date, which no recognizer sees: they read the note as it is meant, and what they
find counts at its place in the note.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from deidstream.models.detection.obfuscation.entity_text import read_entities
from deidstream.models.detection.obfuscation.keys_of_people import drop_people
from deidstream.models.detection.obfuscation.plain_text import PlainText
from deidstream.models.detection.obfuscation.scanned_text import read_scan
from deidstream.models.detection.stretches import Stretches
from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.phi.hl7.message_grammar import read_hl7
from deidstream.models.records import Detected, DetectionStep
from deidstream.models.text.machine_marks import Mark, find_marks
from deidstream.schemas.note import RawNote


def marks_of(text: str) -> list[Mark]:
    """Return the marks of a machine's language in a note, but for keys that are names of people.

    Those of HL7 messages are not these.
    """
    return [] if read_hl7(text) else drop_people(find_marks(text))


def read_as_meant(text: str, marks: Sequence[Mark] | None = None) -> PlainText | None:
    """Return a text as it is meant; ``None`` if that is how it is written.

    In HL7 messages the first sign of an entity is a separator, and nothing was scanned.

    Args:
        text: The note.
        marks: What ``marks_of`` finds in it, if that is known.
    """
    if read_hl7(text):
        return None
    entities = read_entities(text, marks_of(text) if marks is None else marks)
    scan = read_scan(text if entities is None else entities.text)
    if scan is None:
        return entities
    if entities is None:
        return scan
    # Both mappings ascend, so that the first and the last source of each are its edges.
    starts, ends = scan.sources[:, 0], scan.sources[:, 1] - 1
    sources = entities.sources[starts]
    sources[:, 1] = entities.sources[ends][:, 1]
    return PlainText(scan.text, sources)


def cover_marks(marks: Iterable[Mark], plain: PlainText | None) -> Stretches:
    """Return where marks stand in the text that is read: no word of the note stands there."""
    places = ((mark.start, mark.end) for mark in marks)
    return Stretches.covered_by(place if plain is None else plain.image(*place) for place in places)


def write_as_meant(note: RawNote, plain: PlainText) -> RawNote:
    """Return a note with the text that it means, and its form at the same places of it."""
    if note.form is None:
        return replace(note, text=plain.text)
    parts = [*note.form.parts]
    for place, part in enumerate(parts):
        start, end = plain.image(part.start, part.end)
        parts[place] = replace(part, start=start, end=end)
    return replace(note, text=plain.text, form=replace(note.form, parts=tuple(parts)))


def place_in_note(detected: Detected, note: RawNote, plain: PlainText) -> Detected:
    """Put what was found in the meant text of a note at its places in the note."""
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
