"""Corrected notes are notes; a note that is taken back needs no model and has no text."""

import asyncio
from dataclasses import replace

from deidstream.models.records import Detected
from deidstream.schemas.errors import Reason
from deidstream.schemas.note import NoteStatus, RawNote
from deidstream.schemas.outcome import Anonymized, Coordinates, Failed, Outcome, Retracted
from deidstream.schemas.wire import encode_anonymized, encode_note
from deidstream.stream.delivery.outcome_records import OutcomeEncoder
from support.delivery import TOPICS
from support.notes import note, stamp
from support.pipeline import pipeline, service

NEW = note()
CORRECTED = replace(NEW, text="Mr. John Zyxwv was not seen.", status=NoteStatus.CORRECTED)
CANCELLED = replace(NEW, text="", status=NoteStatus.CANCELLED)


class NoDetector:
    """Fails when it is asked."""

    def detect(self, notes: list[RawNote]) -> list[Detected]:
        raise AssertionError(len(notes))


def outcome(raw: RawNote) -> Outcome:
    (made,) = asyncio.run(service().run([encode_note(raw)]))
    return made


def test_a_correction_has_the_ids_of_its_note_and_says_that_it_is_one() -> None:
    first, second = outcome(NEW), outcome(CORRECTED)
    assert isinstance(first, Anonymized)
    assert isinstance(second, Anonymized)
    assert first.note.note_id == second.note.note_id
    assert first.note.patient_id == second.note.patient_id
    assert first.note.output_id != second.note.output_id
    assert b'"status":"corrected"' in encode_anonymized(second.note)
    assert b"status" not in encode_anonymized(first.note)


def test_a_cancelled_note_goes_through_no_model_and_names_the_note_it_takes_back() -> None:
    first = outcome(NEW)
    blind = replace(pipeline(), detector=NoDetector())  # type: ignore[arg-type]
    (taken_back,) = asyncio.run(service(blind).run([encode_note(CANCELLED)]))
    assert isinstance(first, Anonymized)
    assert isinstance(taken_back, Retracted)
    assert taken_back.note_id == first.note.note_id
    assert taken_back.patient_id == first.note.patient_id
    assert taken_back.output_id != first.note.output_id
    assert taken_back == outcome(CANCELLED)


def test_both_topics_say_that_a_note_is_taken_back_under_its_patients_key() -> None:
    taken_back = outcome(CANCELLED)
    assert isinstance(taken_back, Retracted)
    made = OutcomeEncoder(TOPICS, stamp()).encode(Coordinates("raw", 0, 0), taken_back)
    assert [record.topic for record in made.records] == [TOPICS.anonymized, TOPICS.risk]
    assert {record.key for record in made.records} == {taken_back.patient_id.encode()}
    assert all(b'"status":"cancelled"' in record.value for record in made.records)
    assert all(b'"text"' not in record.value for record in made.records)


def test_a_note_of_an_unknown_status_is_refused() -> None:
    value = encode_note(NEW).replace(b"{", b'{"status":"final",', 1)
    (made,) = asyncio.run(service().run([value]))
    assert isinstance(made, Failed)
    assert made.reason is Reason.WRONG_TYPE
