"""Ids, times, types and what corrects or takes back what."""

import pytest

from deidstream.models.messages.hl7.make_notes import MessageSource, make_notes
from deidstream.models.messages.hl7.message import read_message
from deidstream.schemas.note import NoteStatus, RawNote
from deidstream.schemas.wire import decode, encode_note
from support.hl7_samples import PATIENT, admission, document, message, results

HERE = MessageSource("general")
NEW, CORRECTED, CANCELLED = None, NoteStatus.CORRECTED, NoteStatus.CANCELLED


def notes(text: str, source: MessageSource = HERE) -> list[tuple[str, NoteStatus | None]]:
    made = make_notes(read_message(text), source)
    assert all(decode(encode_note(note)) == note for note in made)
    return [(note.note_id, note.status) for note in made]


def only(text: str, source: MessageSource = HERE) -> RawNote:
    (note,) = make_notes(read_message(text), source)
    return note


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (document("T02"), [("DOC7^EHR", NEW)]),
        (document("T06", parent="DOC1^EHR"), [("DOC7^EHR", NEW)]),
        (document("T04"), [("DOC7^EHR", CORRECTED)]),
        (document("T08"), [("DOC7^EHR", CORRECTED)]),
        (document("T10"), [("DOC7^EHR", CORRECTED)]),
        (document("T10", parent="DOC7^EHR"), [("DOC7^EHR", CORRECTED)]),
        (
            document("T10", parent="DOC1^EHR"),
            [("DOC1^EHR", CANCELLED), ("DOC7^EHR", CORRECTED)],
        ),
        (document("T09", text="", parent="DOC1^EHR"), [("DOC1^EHR", CANCELLED), ("M1^HGH", NEW)]),
        (document("T11", text=""), [("DOC7^EHR", CANCELLED)]),
        (document("T03", text="", availability="CA"), [("DOC7^EHR", CANCELLED)]),
        (document("T03", text=""), [("M1^HGH", NEW)]),
        (document("T02", number="DOC7"), [("DOC7^HGH", NEW)]),
        (document("T02", number=""), [("M1^HGH", NEW)]),
        (document("T11", text="", number="^^DOC7"), [("DOC7^HGH", CANCELLED)]),
        (results(), [("F77^LAB", NEW)]),
        (results(order_status="C"), [("F77^LAB", CORRECTED)]),
        (results({"a": "C", "b": "F"}), [("F77^LAB", CORRECTED)]),
        (results({"a": "F", "b": "W"}), [("F77^LAB", CORRECTED)]),
        (results({"a": "D", "b": "W"}), [("F77^LAB", CANCELLED)]),
        (results({"a": "d", "b": "w"}), [("F77^LAB", CANCELLED)]),
        (results(order_status="X"), [("F77^LAB", CANCELLED)]),
        (results(order_status="P"), [("F77^LAB", NEW)]),
        (admission(), [("M1^HGH", NEW)]),
        (admission(f4="").replace("||DEID", "||DEID"), [("M1", NEW)]),
    ],
)
def test_what_a_message_makes_of_which_note(
    text: str, expected: list[tuple[str, NoteStatus | None]]
) -> None:
    assert notes(text) == expected


@pytest.mark.parametrize(
    ("number", "authority", "expected"),
    [
        ("4410^^^GH^MR", "", "4410^^^GH"),
        ("4410^^^GH&1.2.3&ISO^MR", "", "4410^^^GH"),
        ("4410^^^GH^MR", "GH", "4410"),
        ("4410", "", "4410^^^HGH"),
        ("4410", "HGH", "4410"),
        ("77^^^NHS^NI~4410^^^GH^MR", "", "4410^^^GH"),
        ("77^^^NHS^NI~88^^^X^PI", "", "77^^^NHS"),
        ("~4410^^^GH", "", "4410^^^GH"),
        ('""^^^GH^MR~4410^^^GH', "", "4410^^^GH"),
    ],
)
def test_a_patient_is_a_number_of_an_authority(number: str, authority: str, expected: str) -> None:
    text = admission().replace("7741902^^^HGH^MR", number)
    assert only(text, MessageSource("general", authority)).patient_id == expected


def test_time_type_and_tenant() -> None:
    note = only(document())
    assert note.tenant == "general"
    assert note.note_type == "discharge summary"
    assert note.authored_at == "2024-03-11T08:00:00"
    ordered = only(results())
    assert ordered.note_type == "Basic metabolic panel"
    assert ordered.authored_at == "2024-03-11T08:00:00"


def test_a_type_that_is_no_plain_words_is_left_out() -> None:
    assert only(message("ADT^A08", [PATIENT])).note_type is None
    assert only(document().replace("TXA|1|DS|", "TXA|1|N77^Note of 3 May|")).note_type is None


def test_a_note_that_is_taken_back_says_nothing_else() -> None:
    note = only(document("T11", text=""))
    assert note == RawNote("DOC7^EHR", "7741902^^^HGH", "", "general", status=CANCELLED)
