"""A note together with its labelled spans: what is scored against and trained on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast

import orjson

from deidstream.schemas.errors import InvalidNote, Reason
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span


@dataclass(frozen=True, slots=True)
class LabelledNote:
    """A note and the spans that somebody labelled; disjoint, sorted, within the text."""

    note: RawNote
    spans: tuple[Span, ...] = field(repr=False)

    def __post_init__(self) -> None:
        """Refuse spans that overlap, are out of order or reach beyond the text."""
        ends_late = any(span.end > len(self.note.text) for span in self.spans)
        if ends_late or any(one.end > next_one.start for one, next_one in pairwise(self.spans)):
            msg = "labelled spans overlap, are out of order or reach beyond the text"
            raise ValueError(msg)


def decode_labelled(line: bytes) -> LabelledNote:
    """Read a line of labelled notes: ``{note_id, patient_id, text, spans: [{start, end, type}]}``.

    The label of a span may be under ``type``, as in i2b2, or under ``label``. Spans may come in any
    order.

    Raises:
        InvalidNote: It is not such a record; the reason says why and quotes nothing.
    """
    try:
        fields = orjson.loads(line)
        spans = sorted(_spans(fields["spans"]))
        return LabelledNote(_note(fields), tuple(spans))
    except orjson.JSONDecodeError:
        raise InvalidNote(Reason.BAD_JSON) from None
    except KeyError:
        raise InvalidNote(Reason.MISSING_FIELD) from None
    except (AttributeError, TypeError, ValueError):
        raise InvalidNote(Reason.WRONG_TYPE) from None


def encode_labelled(labelled: LabelledNote) -> bytes:
    """Write one line that ``decode_labelled`` reads back, without its line break."""
    note = labelled.note
    spans = [{"start": s.start, "end": s.end, "type": s.label} for s in labelled.spans]
    fields = {
        "note_id": note.note_id,
        "patient_id": note.patient_id,
        "note_type": note.note_type,
        "text": note.text,
        "spans": spans,
    }
    return orjson.dumps(fields)


def _note(fields: Mapping[str, object]) -> RawNote:
    note_type = fields.get("note_type")
    return RawNote(
        note_id=str(fields["note_id"]),
        patient_id=str(fields.get("patient_id", "")),
        text=cast("str", fields["text"]),
        note_type=None if note_type is None else str(note_type),
    )


def _spans(records: Sequence[Mapping[str, object]]) -> Iterator[Span]:
    for span in records:
        name, start, end = str(span.get("label") or span["type"]), span["start"], span["end"]
        if not isinstance(start, int) or not isinstance(end, int):
            raise TypeError
        yield Span(start, end, PhiLabel(name.replace("-", "_")))
