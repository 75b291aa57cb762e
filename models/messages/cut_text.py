"""Cut the de-identified text of a note at the borders of its form."""

from collections.abc import Sequence

from deidstream.schemas.documents.note_form import FormPart
from deidstream.schemas.errors import InvalidSpan, Stage
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.span import Replacement


def cut_at_borders(parts: Sequence[FormPart], permit: EmitPermit) -> tuple[str, ...]:
    """Return the de-identified text of each part.

    Args:
        parts: Those of the note, in order, disjoint.
        permit: The text that may leave, and what in it is replaced.

    Raises:
        InvalidSpan: A replaced span crosses a border.
    """
    places = find_in_output(parts, permit.replacements)
    return tuple(permit.text[start:end] for start, end in places)


def find_in_output(
    parts: Sequence[FormPart], replacements: Sequence[Replacement]
) -> tuple[tuple[int, int], ...]:
    """Return where the parts of a note are in its output.

    Raises:
        InvalidSpan: A replaced span crosses a border.
    """
    moved = _MovedPlaces(replacements)
    return tuple((moved.find(part.start), moved.find(part.end)) for part in parts)


class _MovedPlaces:
    """Finds where places of the note are in the output; they are asked for in ascending order."""

    __slots__ = ("_moved", "_next", "_replacements")

    def __init__(self, replacements: Sequence[Replacement]) -> None:
        self._replacements = replacements
        self._next = self._moved = 0

    def find(self, place: int) -> int:
        while self._next < len(self._replacements):
            one = self._replacements[self._next]
            if one.span.start >= place:
                break
            if one.span.end > place:
                raise InvalidSpan(Stage.ENCODE)
            self._moved = one.out_end - one.span.end
            self._next += 1
        return place + self._moved
