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


class InvalidLabelled(InvalidNote):
    """The message is not a labelled note."""

    def __init__(self, reason: Reason, why: str) -> None:
        """Name the reason, and the field at fault in words that quote nothing."""
        super().__init__(reason)
        self.why = why


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
        InvalidLabelled: It is not such a record; it says why and quotes nothing.
    """
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        raise InvalidLabelled(Reason.BAD_JSON, "it is no labelled note in JSON") from None
    if not isinstance(fields, dict):
        raise InvalidLabelled(Reason.WRONG_TYPE, "it is no object")
    for name in ("note_id", "text", "spans"):
        if name not in fields:
            raise InvalidLabelled(Reason.MISSING_FIELD, f"{name} is missing")
    for name, kind, words in (("text", str, "a string"), ("spans", list, "a list")):
        if not isinstance(fields[name], kind):
            raise InvalidLabelled(Reason.WRONG_TYPE, f"{name} must be {words}")
    spans = sorted(_spans(fields["spans"], labels))
    _check_places(spans, len(fields["text"]))
    try:
        return LabelledNote(_note(fields), tuple(spans))
    except (TypeError, ValueError):
        raise InvalidLabelled(Reason.WRONG_TYPE, "it is no note") from None


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


def _spans(records: Sequence[object], labels: Mapping[str, PhiLabel]) -> Iterator[Span]:
    for number, span in enumerate(records, 1):
        if not isinstance(span, dict):
            raise InvalidLabelled(Reason.WRONG_TYPE, f"spans, item {number}: it is no object")
        try:
            label, own = read_label(span, labels)
            start, end = span["start"], span["end"]
        except KeyError:
            why = "start, end or type is missing"
            raise InvalidLabelled(Reason.MISSING_FIELD, f"spans, item {number}: {why}") from None
        except ValueError:
            why = "its type is none of the 28 labels, and none of the policy's own"
            raise InvalidLabelled(Reason.WRONG_TYPE, f"spans, item {number}: {why}") from None
        try:
            yield Span(_whole(start), _whole(end), label, own=own)
        except (TypeError, ValueError):
            why = "start and end must be whole numbers, start from 0 and end behind it"
            raise InvalidLabelled(Reason.WRONG_TYPE, f"spans, item {number}: {why}") from None


def _whole(offset: object) -> int:
    if not isinstance(offset, int):
        raise TypeError
    return offset


def _check_places(spans: Sequence[Span], length: int) -> None:
    for one in spans:
        if one.end > length:
            why = f"spans: [{one.start}, {one.end}) reaches beyond the {length} characters of text"
            raise InvalidLabelled(Reason.WRONG_TYPE, why)
    for one, other in pairwise(spans):
        if one.end > other.start:
            why = (
                f"spans: [{one.start}, {one.end}) and [{other.start}, {other.end}) overlap, "
                "where each character has one label"
            )
            raise InvalidLabelled(Reason.WRONG_TYPE, why)
