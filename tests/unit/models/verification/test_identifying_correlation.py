"""A correlation leaves as it came, unless it holds an identifier of its note."""

import asyncio
from dataclasses import replace

import orjson
import pytest

from deidstream.models.verification.identifying_correlation import correlate
from deidstream.schemas.errors import NoteField, Reason, Stage
from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.schemas.outcome import Anonymized, Coordinates, DeadLetter, Failed, Outcome
from deidstream.schemas.wire import encode_anonymized, encode_dead_letter, encode_note, encode_risk
from support.notes import stamp
from support.pipeline import pipeline, service

TEXT = "Mr. Quentin Vanterpool, MRN 7741902, was seen by Dr. Lake. Call 555-301-7788."
KNOWN = KnownIdentifiers(
    names=("Ottilie Brandt",), identifiers=("AC-9931",), dates=("1960-02-03",), staff=("Ann Poe",)
)
NOTE = RawNote("note-58213", "P-00417", TEXT, known=KNOWN)
UUID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"


def outcome_with(correlation: str | None) -> Outcome:
    note = replace(NOTE, correlation=correlation)
    (outcome,) = asyncio.run(service(pipeline()).run([encode_note(note)]))
    return outcome


@pytest.mark.parametrize("given", [UUID, "feed-3:000017", "x", "9", "2024-11.batch_7"])
def test_what_identifies_nobody_leaves_unchanged(given: str) -> None:
    outcome = outcome_with(given)
    assert isinstance(outcome, Anonymized)
    assert orjson.loads(encode_anonymized(outcome.note))["correlation"] == given
    assert orjson.loads(encode_risk(outcome))["correlation"] == given


@pytest.mark.parametrize(
    "given",
    [
        "note-58213",
        "NOTE58213",
        "x.58213",
        "P-00417",
        "enc:p00417:3",
        "7741902",
        "mrn-774-1902",
        "vanterpool",
        "letter-VANTERPOOL-2",
        "lake",
        "brandt-17",
        "poe_3",
        "OttilieBrandt",
        "AC9931",
        "19600203",
        "03.02.1960",
        "tel.5553017788",
        "00007741-9020-4f89-9a0c-0305e82c3301",
    ],
)
def test_an_identifier_of_the_note_is_refused(given: str) -> None:
    outcome = outcome_with(given)
    assert isinstance(outcome, Failed)
    assert (outcome.reason, outcome.stage) == (Reason.IDENTIFYING_CORRELATION, Stage.VERIFY)
    assert outcome.field is NoteField.CORRELATION
    letter = encode_dead_letter(DeadLetter(Coordinates("t", 0, 1), outcome, stamp()))
    assert "correlation" not in orjson.loads(letter)


DATED = RawNote(
    "note-1",
    "patient-1",
    "Ann Poe, born 02/19/1956, was admitted on March 4, 2024 and left on 3/9. Seen in May 2023.",
    authored_at="2024-03-11T08:00:00Z",
    known=KnownIdentifiers(dates=("7 June 1990",)),
)


@pytest.mark.parametrize(
    "given",
    [
        "19560219",
        "dob.02191956",
        "560219",
        "19-Feb-56",
        "VISIT-20240304-17",
        "2024-03-04T10:15:00",
        "2024-03-04T10:15:00.123Z",
        "20240304101500",
        "v.2024_3_4",
        "4march2024",
        "04.03.24",
        "2024-064",
        "2024-W10-1",
        "1709547300",
        "t:1709547300123",
        "2024-03-09",
        "20240311.feed",
        "19900607",
        "batch-070690",
        "20240304-1111-4222-8333-944445555666",
    ],
)
def test_a_date_of_the_note_is_refused_in_any_form(given: str) -> None:
    (outcome,) = asyncio.run(
        service(pipeline()).run([encode_note(replace(DATED, correlation=given))])
    )
    assert isinstance(outcome, Failed)
    assert outcome.reason is Reason.IDENTIFYING_CORRELATION


@pytest.mark.parametrize(
    "given",
    [
        "20240401",
        "VISIT-20240305-17",
        "2024-03-12T10:15:00",
        "1709720100",
        "2024-05",
        "feed-3:190257",
        "88560219415577",
        "a0560219-1111-4222-8333-944445555666",
    ],
)
def test_a_date_that_the_note_does_not_hold_leaves_unchanged(given: str) -> None:
    (outcome,) = asyncio.run(
        service(pipeline()).run([encode_note(replace(DATED, correlation=given))])
    )
    assert isinstance(outcome, Anonymized)
    assert outcome.note.correlation == given


def test_digits_that_a_random_id_holds_by_chance_are_no_identifier() -> None:
    note = replace(NOTE, patient_id="2504", correlation=UUID)
    (outcome,) = asyncio.run(service(pipeline()).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)


def test_without_a_correlation_no_record_names_one() -> None:
    outcome = outcome_with(None)
    assert isinstance(outcome, Anonymized)
    assert b"correlation" not in encode_anonymized(outcome.note) + encode_risk(outcome)


def test_another_correlation_is_another_output_of_the_same_note() -> None:
    one, other, none = (outcome_with(given) for given in ("a1", "b2", None))
    assert isinstance(one, Anonymized)
    assert isinstance(other, Anonymized)
    assert isinstance(none, Anonymized)
    assert len({each.note.output_id for each in (one, other, none)}) == 3
    assert len({each.note.note_id for each in (one, other, none)}) == 1
    assert one.note.text == other.note.text == none.note.text


def test_a_failed_note_states_its_correlation() -> None:
    failed = Failed(Reason.TOO_SLOW, Stage.DETECT)
    stated = correlate(replace(NOTE, correlation=UUID), failed)
    assert isinstance(stated, Failed)
    assert stated.correlation == UUID
    letter = encode_dead_letter(DeadLetter(Coordinates("t", 0, 1), stated, stamp()))
    assert orjson.loads(letter)["correlation"] == UUID


@pytest.mark.parametrize("given", ["visit-seen", "Quentin.3", "poe", "7741902", "p00417"])
def test_a_failed_note_keeps_back_a_correlation_that_holds_a_word_of_it(given: str) -> None:
    failed = Failed(Reason.TOO_SLOW, Stage.DETECT)
    assert correlate(replace(NOTE, correlation=given), failed) == failed


@pytest.mark.parametrize("given", ["19560219", "VISIT-20240304-17", "20240311", "07061990"])
def test_a_failed_note_keeps_back_a_correlation_that_holds_a_date_of_it(given: str) -> None:
    failed = Failed(Reason.TOO_SLOW, Stage.DETECT)
    assert correlate(replace(DATED, correlation=given), failed) == failed


def test_a_failed_note_states_a_correlation_with_another_date() -> None:
    failed = Failed(Reason.TOO_SLOW, Stage.DETECT)
    stated = correlate(replace(DATED, correlation="sent-20240312"), failed)
    assert isinstance(stated, Failed)
    assert stated.correlation == "sent-20240312"
