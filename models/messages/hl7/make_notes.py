"""Make the notes of a message for ``notes.raw``: text, ids, times and known identifiers."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import orjson

from deidstream.models.messages.forms.time_stamps import write_iso
from deidstream.models.messages.hl7.encapsulated_data import find_document_in
from deidstream.models.messages.hl7.known_values import gather_known
from deidstream.models.messages.hl7.message import WrittenMessage, WrittenSegment
from deidstream.models.messages.hl7.message_faults import MessageFault, MessageRefused
from deidstream.models.messages.hl7.passed_fields import keep_passed
from deidstream.models.text.word_files import split_list
from deidstream.schemas.documents.note_form import FormKind, NoteForm
from deidstream.schemas.note import LinkType, NoteStatus, PatientLink, RawNote
from deidstream.schemas.source_version import read_moment


def _number_events(letter: str, first: int, last: int) -> frozenset[str]:
    return frozenset(f"{letter}{number:02}" for number in range(first, last + 1))


EVENTS: Mapping[str, Collection[str]] = MappingProxyType(
    {
        "MDM": _number_events("T", 1, 11),
        "ORU": frozenset({"R01", *_number_events("R", 30, 32)}),
        "OUL": _number_events("R", 21, 24),
        # A19 is a query.
        "ADT": _number_events("A", 1, 62) - {"A19"},
        "ORM": frozenset({"O01"}),
        "OMG": frozenset({"O19"}),
        "OML": frozenset(split_list("O21 O33 O35 O39 O59")),
        "OMI": frozenset({"O23"}),
        "REF": _number_events("I", 12, 15),
        "SIU": _number_events("S", 12, 27),
    }
)
"""The events that are taken, by MSH-9.1: documents, results, patient administration, orders,
referrals and schedules (table 0003 of v2.8)."""
_RESULTS = frozenset({"ORU", "OUL"})
_WITHOUT_NOTE = frozenset(split_list("A20 A23 A29"))
"""Events of a bed, and of deleted records of administration: there is nothing to read."""
_MERGING = frozenset(split_list("A18 A30 A34 A36 A39 A40 A47"))
"""Events after which the number of MRG-1 is that of the patient of the PID before it."""
_LINKING: Mapping[str, LinkType] = MappingProxyType(
    {"A24": LinkType.SEEALSO, "A37": LinkType.APART}
)
"""Events that say what the patients of two PID are to each other."""
_SEVERAL = frozenset({"A17", *_MERGING, *_LINKING, *_number_events("A", 41, 51)})
"""Events whose messages may be about several patients, each with the segments behind its PID."""
_CORRECTING = frozenset({"T04", "T08", "T10"})
"""Events whose content stands in place of what was sent under the same number."""
_REPLACING = frozenset({"T09", "T10"})
"""Events of a new document in place of the one that TXA-13 names."""
_CANCEL = "T11"
_UNAVAILABLE = frozenset({"CA", "OB"})
"""TXA-19 of a document that was deleted or is obsolete (table 0273)."""
_CORRECTED, _DELETED, _CANCELLED_ORDER = "C", frozenset({"D", "W"}), "X"
"""OBX-11 and OBR-25 (tables 0085 and 0123)."""
_TYPES = MappingProxyType(
    {
        "AR": "autopsy report",
        "CD": "cardiodiagnostics",
        "CN": "consultation",
        "DI": "diagnostic imaging",
        "DS": "discharge summary",
        "ED": "emergency department report",
        "HP": "history and physical examination",
        "OP": "operative report",
        "PC": "psychiatric consultation",
        "PH": "psychiatric history and physical examination",
        "PN": "procedure note",
        "PR": "progress note",
        "SP": "surgical pathology",
        "TS": "transfer summary",
    }
)
"""TXA-2 (table 0270)."""
_CHANGED_AT = (("TXA", 8), ("OBR", 22), ("EVN", 2), ("MSH", 7))
"""Last edit of a document, last change of results, else when the event or message was made."""
_FILE = "ED"
_PLAIN = re.compile(r"[A-Za-z][A-Za-z ,/-]{2,60}")


@dataclass(frozen=True, slots=True)
class MessageSource:
    """The tenant of messages, and the authority of its patient numbers."""

    tenant: str
    authority: str = ""
    """Assigning authority whose patient numbers are patient ids as they are."""


@dataclass(frozen=True, slots=True)
class _Ids:
    note: str = field(repr=False)
    patient: str = field(repr=False)


def make_notes(message: WrittenMessage, source: MessageSource) -> Sequence[RawNote]:
    """Return the records of a message in their order, mostly one.

    A new document in place of another takes the other one back.

    Raises:
        MessageRefused: It cannot be taken; the fault says why.
    """
    kind, event = message.value(message.header, 9), message.value(message.header, 9, 2)
    if kind not in EVENTS:
        raise MessageRefused(MessageFault.UNSUPPORTED_TYPE)
    if event not in EVENTS[kind]:
        raise MessageRefused(MessageFault.UNSUPPORTED_EVENT)
    if kind == "ADT":
        return [*_notes_of_administration(message, event, source)]
    patient = _patient_id(message, source)
    if kind == "MDM":
        return _notes_of_document(message, event, patient, source)
    if kind in _RESULTS:
        return [_note_of_results(message, patient, source)]
    return [_note(message, _Ids(_own_id(message), patient), source)]


def _notes_of_administration(
    message: WrittenMessage, event: str, source: MessageSource
) -> Iterator[RawNote]:
    """Yield a note for each patient, mostly one, with the numbers that became the patient's."""
    if event in _WITHOUT_NOTE:
        return
    parts = [*_split_patients(message)] if event in _SEVERAL else [message]
    patients = [_patient_id(part, source) for part in parts]
    if len(set(patients)) == 1:
        yield _note_with_links(message, patients[0], _merged(message, event, source), source)
        return
    for number, (part, patient) in enumerate(zip(parts, patients, strict=True)):
        links = _merged(part, event, source)
        if event in _LINKING and number == 0:
            links = tuple(PatientLink(_LINKING[event], other) for other in patients[1:])
        yield _note_with_links(part, patient, links, source, number)


def _note_with_links(
    message: WrittenMessage,
    patient: str,
    links: tuple[PatientLink, ...],
    source: MessageSource,
    number: int = 0,
) -> RawNote:
    own = _own_id(message, f".{number + 1}" if number else "")
    return replace(_note(message, _Ids(own, patient), source), links=links)


def _merged(message: WrittenMessage, event: str, source: MessageSource) -> tuple[PatientLink, ...]:
    """Return the numbers that were merged into that of the patient."""
    if event not in _MERGING:
        return ()
    found = (
        _number_in(segment.field(1), message, source)
        or _number_in(segment.field(4), message, source)
        for segment in message.named("MRG")
    )
    return tuple(PatientLink(LinkType.REPLACES, number) for number in found if number)


def _split_patients(message: WrittenMessage) -> Iterator[WrittenMessage]:
    """Yield a message for each PID: what stands before the first one, and what follows it."""
    starts = [place for place, one in enumerate(message.segments) if one.name == "PID"]
    if not starts:
        yield message
    head = message.segments[: starts[0]] if starts else ()
    for start, end in zip(starts, [*starts[1:], len(message.segments)], strict=True):
        yield replace(message, segments=(*head, *message.segments[start:end]))


def _notes_of_document(
    message: WrittenMessage, event: str, patient: str, source: MessageSource
) -> Sequence[RawNote]:
    document = message.first("TXA")
    number, parent = _document_id(message, 12), _document_id(message, 13)
    if event == _CANCEL or message.value(document, 19) in _UNAVAILABLE:
        if not number:
            raise MessageRefused(MessageFault.NO_DOCUMENT)
        return [_cancel(message, _Ids(number, patient), source)]
    has_content = any(True for _ in message.named("OBX"))
    # A message about a document, without its content, must not replace the document's text.
    ids = _Ids(number if has_content and number else _own_id(message), patient)
    status = NoteStatus.CORRECTED if event in _CORRECTING else None
    replaced = event in _REPLACING and parent not in {"", number}
    before = [_cancel(message, _Ids(parent, patient), source)] if replaced else []
    note, held = _note(message, ids, source, status), _find_held(message)
    if held is None:
        return [*before, note]
    # The message is the envelope of the document, which states all that it says itself.
    form = NoteForm((), (), orjson.dumps(held), FormKind.DOCUMENT)
    return [*before, replace(note, text="", form=form)]


def _find_held(message: WrittenMessage) -> str | None:
    """Return the clinical document (CDA) that is all the content of a message, if it is one."""
    contents = [one for one in message.named("OBX") if one.field(5).strip()]
    remarks = any(message.value(one, 3) for one in message.named("NTE"))
    if remarks or len(contents) != 1 or message.value(contents[0], 2).upper() != _FILE:
        return None
    if message.value(contents[0], 11).upper() in _DELETED:
        return None
    files = [*message.repetitions(contents[0].field(5))]
    return find_document_in(files[0], message.signs) if len(files) == 1 else None


def _note_of_results(message: WrittenMessage, patient: str, source: MessageSource) -> RawNote:
    numbers = (("OBR", 3), ("ORC", 3), ("OBR", 2), ("ORC", 2))
    found = (_entity(message, message.first(name), number) for name, number in numbers)
    ids = _Ids(next(filter(None, found), None) or _own_id(message), patient)
    results = [message.value(one, 11).upper() for one in message.named("OBX")]
    orders = [message.value(one, 25).upper() for one in message.named("OBR")]
    withdrawn = bool(results) and _DELETED.issuperset(results)
    if withdrawn or (orders and set(orders) == {_CANCELLED_ORDER}):
        return _cancel(message, ids, source)
    corrected = _CORRECTED in (*results, *orders) or not _DELETED.isdisjoint(results)
    return _note(message, ids, source, NoteStatus.CORRECTED if corrected else None)


def _note(
    message: WrittenMessage,
    ids: _Ids,
    source: MessageSource,
    status: NoteStatus | None = None,
) -> RawNote:
    return RawNote(
        note_id=ids.note,
        patient_id=ids.patient,
        text=keep_passed(message).write(),
        tenant=source.tenant,
        note_type=_note_type(message),
        authored_at=_authored_at(message),
        known=gather_known(message),
        status=status,
        source_time=_source_time(message),
    )


def _cancel(message: WrittenMessage, ids: _Ids, source: MessageSource) -> RawNote:
    return RawNote(
        ids.note,
        ids.patient,
        "",
        source.tenant,
        status=NoteStatus.CANCELLED,
        source_time=_source_time(message),
    )


def _patient_id(message: WrittenMessage, source: MessageSource) -> str:
    """Return the number of PID-3 with its authority, as HL7 writes it: ``4410^^^GH``."""
    found = {_number_in(one.field(3), message, source) for one in message.named("PID")}
    if len(found) > 1:
        raise MessageRefused(MessageFault.SEVERAL_PATIENTS)
    number = found.pop() if found else ""
    if not number:
        raise MessageRefused(MessageFault.NO_PATIENT)
    return number


def _number_in(written: str, message: WrittenMessage, source: MessageSource) -> str:
    numbers = [one for one in message.repetitions(written) if one[0].strip(' "')]
    if not numbers:
        return ""
    chosen = next((one for one in numbers if one[4:5] == ["MR"]), numbers[0])
    assigned = chosen[3].split(message.signs.subcomponent)[0] if len(chosen) > 3 else ""  # noqa: PLR2004
    authority = assigned.strip() or message.value(message.header, 4)
    number = chosen[0].strip()
    return number if authority in {"", source.authority} else f"{number}^^^{authority}"


def _document_id(message: WrittenMessage, number: int) -> str:
    return _entity(message, message.first("TXA"), number)


def _entity(message: WrittenMessage, segment: WrittenSegment, number: int) -> str:
    """Return an entity's number with its assigner, else with the sending facility.

    Some senders write the number in the place of its universal id: ``^^88123991``.
    """
    identifier = message.value(segment, number) or message.value(segment, number, 3)
    return _assigned(identifier, message.value(segment, number, 2), message) if identifier else ""


def _own_id(message: WrittenMessage, behind: str = "") -> str:
    return _assigned(message.value(message.header, 10) + behind, "", message)


def _assigned(identifier: str, by: str, message: WrittenMessage) -> str:
    assigner = by or message.value(message.header, 4)
    return f"{identifier}^{assigner}" if assigner else identifier


def _note_type(message: WrittenMessage) -> str | None:
    document, order = message.first("TXA"), message.first("OBR")
    code = message.value(document, 2)
    given = (
        _TYPES.get(code, ""),
        message.value(document, 2, 2),
        code,
        message.value(order, 4, 2),
        message.value(order, 4),
    )
    return next((one for one in given if _PLAIN.fullmatch(one)), None)


def _authored_at(message: WrittenMessage) -> str | None:
    places = (("TXA", 4), ("TXA", 6), ("OBR", 22), ("OBR", 7), ("EVN", 2), ("MSH", 7))
    stamps = (write_iso(message.value(message.first(name), number)) for name, number in places)
    return next(filter(None, stamps), None)


def _source_time(message: WrittenMessage) -> str | None:
    """Return when the source changed the note: the latest time that the first place states."""
    for name, number in _CHANGED_AT:
        stamps = [
            stamp
            for segment in message.named(name)
            for repetition in message.repetitions(segment.field(number))
            if (stamp := write_iso(repetition[0].strip())) is not None
        ]
        if stamps:
            return max(stamps, key=lambda stamp: read_moment(stamp) or 0)
    return None
