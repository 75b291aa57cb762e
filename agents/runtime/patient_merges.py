"""Merge patients in the store, and give later notes of each number the surviving patient."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from deidstream.models.patients.merged_patients import (
    change_links,
    find_survivors,
    withdraw_links,
)
from deidstream.models.patients.patient_log import Asking, Log, read_log
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.note import LinkType, PatientLink, RawNote
from deidstream.schemas.outcome import LinkedPatients
from deidstream.schemas.wire import encode_note

T = TypeVar("T")

_MERGING = re.compile(rb'"(?:replaces|replaced-by|apart)"')
"""A type of a link as JSON writes it; within a text its quotation marks are escaped."""


def may_merge(value: bytes) -> bool:
    """Return whether a message may merge patients, so that messages behind it have to wait."""
    return _MERGING.search(value) is not None


class AskAll(Protocol):
    """Puts all questions of one to the store, and waits while the store is unavailable."""

    async def __call__(self, asking: Asking[T]) -> T:
        """Return what was asked for.

        Raises:
            Rejected: What the store has cannot be read.
        """
        ...


@dataclass(frozen=True, slots=True)
class PatientMerges:
    """The merged patients of one policy; nothing of them is remembered between two questions.

    What a worker remembered would be wrong after the next merge, which another worker may read.
    """

    pipeline: Pipeline
    ask_all: AskAll

    async def follow(self, notes: Sequence[RawNote]) -> list[RawNote]:
        """Return notes as of the surviving patients.

        Raises:
            Rejected: What the store has of a patient cannot be read.
        """
        patients = {
            (note.tenant, note.patient_id): self.pipeline.key_of_patient(note) for note in notes
        }
        found = await self.ask_all(find_survivors(patients.values()))
        survivors = dict(zip(patients, found, strict=True))
        return [_as_of(note, survivors[note.tenant, note.patient_id]) for note in notes]

    async def has_stated(self, note: RawNote) -> bool:
        """Return whether the document of a patient ever stated a link.

        Raises:
            Rejected: What the store has of the patient cannot be read.
        """
        return bool(
            (await self.ask_all(read_log(self.pipeline.key_of_patient(note), Log.STATED))).texts
        )

    async def link(self, note: RawNote) -> tuple[LinkedPatients, ...]:
        """Keep what a message says of patients; return the records that say so.

        Raises:
            Rejected: What the store has of a patient cannot be read.
        """
        patient, links = self.pipeline.key_of_patient(note), [*note.links]
        if note.states_links:
            message = patient.ring.digest("message", encode_note(note)).hex()
            withdrawn = await self.ask_all(withdraw_links(note, patient, message))
            links = [PatientLink(LinkType.APART, one.patient_id) for one in withdrawn] + links
        await self.ask_all(change_links(patient, links))
        return self.pipeline.record_builder.build_links(note, links)


def _as_of(note: RawNote, patient_id: str) -> RawNote:
    if patient_id == note.patient_id:
        return note
    return replace(note, patient_id=patient_id, merged_id=note.patient_id)
