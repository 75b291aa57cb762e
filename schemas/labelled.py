"""A note together with its labelled spans: what is scored against and trained on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import cast

import orjson

from deidstream.schemas.errors import InvalidNote, Reason
from deidstream.schemas.label import OF_I2B2, PhiLabel, own_name
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


def decode_labelled(line: bytes, labels: Mapping[str, PhiLabel] = OF_I2B2) -> LabelledNote:
    """Read a line of labelled notes: ``{note_id, patient_id, text, spans: [{start, end, type}]}``.

    The label of a span may be under ``type``, as in i2b2, or under ``label``. One of a site's own
    is one of ``labels``, or ``like`` says which of the 28 it is like. Spans may come in any order.

    Raises:
        InvalidNote: It is not such a record; the reason says why and quotes nothing.
    """
    try:
        fields = orjson.loads(line)
        spans = sorted(_spans(fields["spans"], labels))
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
    spans = [
        {"start": s.start, "end": s.end, "type": s.name} | ({"like": s.label} if s.own else {})
        for s in labelled.spans
    ]
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


def read_label(span: Mapping[str, object], labels: Mapping[str, PhiLabel]) -> tuple[PhiLabel, str]:
    """Read the label of a span in a record: the one of the 28, and the site's own name for it.

    Raises:
        KeyError: It has none.
        ValueError: It is none of ``labels``, and nothing says what it is like.
    """
    name = str(span.get("label") or span["type"]).replace("-", "_")
    return labels.get(name) or PhiLabel(str(span.get("like", name))), own_name(name)


def _spans(
    records: Sequence[Mapping[str, object]], labels: Mapping[str, PhiLabel]
) -> Iterator[Span]:
    for span in records:
        (label, own), start, end = read_label(span, labels), span["start"], span["end"]
        if not isinstance(start, int) or not isinstance(end, int):
            raise TypeError
        yield Span(start, end, label, own=own)
