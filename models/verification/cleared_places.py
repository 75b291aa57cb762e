"""Find the places of an output that a reviewer cleared, whose text is no leak."""

from deidstream.models.records import Substituted


def find_cleared_places(substituted: Substituted) -> list[tuple[int, int]]:
    """Return ``[start, end)`` in the output of each cleared place of the note.

    A place counts only where the output holds the same text there; after a rewriting of sentences
    it does not, and the verifier looks at all of them again.
    """
    detected = substituted.planned.detected
    note = detected.note.text
    places: list[tuple[int, int]] = []
    for span in detected.cleared:
        grown = sum(
            len(one.text) - (one.span.end - one.span.start)
            for one in substituted.replacements
            if one.span.end <= span.start
        )
        start, end = span.start + grown, span.end + grown
        if substituted.text[start:end] == note[span.start : span.end]:
            places.append((start, end))
    return places
