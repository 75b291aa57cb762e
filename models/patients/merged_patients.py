"""Follow merged patient numbers to the surviving one, and change what was merged.

Each number leads to at most one other, so that merged numbers are trees whose root survives (union
and find: Galler and Fisher, An improved equivalence algorithm, CACM 1964, without compression, so
that a merge can be undone).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import cast

import orjson

from deidstream.models.patients.patient_log import (
    Asking,
    Log,
    PatientKey,
    append_entry,
    ask_together,
    read_log,
)
from deidstream.schemas.note import LinkType, PatientLink, RawNote


def find_survivors(patients: Iterable[PatientKey]) -> Asking[list[str]]:
    """Return the surviving number of each patient, mostly its own.

    Raises:
        ValueError: An entry of the store was altered.
    """
    paths = yield from ask_together(_find_path(patient) for patient in patients)
    return [path[-1] for path in paths]


def _find_path(patient: PatientKey) -> Asking[list[str]]:
    """Return the numbers from a patient's own to the surviving one."""
    path = [patient.number]
    while True:
        entries = yield from read_log(patient.with_number(path[-1]), Log.LEADS_TO)
        target = entries.texts[-1] if entries.texts else ""
        if not target:
            return path
        if target in path:
            # Two workers merged each into the other at once: all agree on one of the circle.
            circle = path[path.index(target) :]
            return [*path, min(circle, key=patient.ring.owner)]
        path.append(target)


def change_links(patient: PatientKey, links: Sequence[PatientLink]) -> Asking[None]:
    """Merge and part numbers, in the order of the links; what is so already stays.

    Raises:
        ValueError: An entry of the store was altered.
    """
    for link in links:
        other = patient.with_number(link.patient_id)
        if other.number == patient.number:
            continue
        match link.type:
            case LinkType.REPLACES:
                yield from _merge(other, into=patient)
            case LinkType.REPLACED_BY:
                yield from _merge(patient, into=other)
            case LinkType.APART:
                yield from _part(patient, other)
            case LinkType.SEEALSO:
                pass  # Both stay in use.


def _merge(retired: PatientKey, *, into: PatientKey) -> Asking[None]:
    path = yield from _find_path(into)
    if retired.number in path:
        # What was merged into the other before: the last word on who survives counts.
        yield from _lead(into, "")
    yield from _lead(retired, into.number)


def _part(patient: PatientKey, other: PatientKey) -> Asking[None]:
    own, others = yield from ask_together([_find_path(patient), _find_path(other)])
    if own[-1] != others[-1]:
        return
    # The one that was merged into the other leaves; of two that survive in a third, the first.
    yield from _lead(other if patient.number in others else patient, "")


def _lead(patient: PatientKey, target: str) -> Asking[None]:
    entries = yield from read_log(patient, Log.LEADS_TO)
    current = entries.texts[-1] if entries.texts else ""
    if current != target:
        yield from append_entry(patient, Log.LEADS_TO, entries, target)


def withdraw_links(note: RawNote, patient: PatientKey, message: str) -> Asking[list[PatientLink]]:
    """Return the links that a patient's document stated before and no longer states.

    What it states now is kept. A message that is read again gets the same answer.

    Args:
        note: The document, which states all links of its patient.
        patient: The patient.
        message: The digest of the message.

    Raises:
        ValueError: An entry of the store was altered.
    """
    entries = yield from read_log(patient, Log.STATED)
    stated = [[link.type.value, link.patient_id] for link in note.links]
    earlier = [_read_statement(text) for text in entries.texts]
    if earlier and earlier[-1].message == message:
        # This message was kept before: what it withdraws is what the one before it stated.
        earlier.pop()
    elif stated or (earlier and earlier[-1].links):
        text = orjson.dumps([message, stated]).decode()
        yield from append_entry(patient, Log.STATED, entries, text)
    before = earlier[-1].links if earlier else ()
    return [link for link in before if link not in note.links]


@dataclass(frozen=True, slots=True)
class _Statement:
    """What a document stated of other numbers."""

    message: str
    links: tuple[PatientLink, ...] = field(repr=False)


def _read_statement(text: str) -> _Statement:
    message, stated = cast("tuple[str, list[tuple[LinkType, str]]]", orjson.loads(text))
    return _Statement(message, tuple(PatientLink(LinkType(kind), other) for kind, other in stated))
