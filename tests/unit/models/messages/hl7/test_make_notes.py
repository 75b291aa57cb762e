"""Ids, times, types and what corrects or takes back what."""

from base64 import b64encode
from dataclasses import replace

import pytest

from deidstream.models.messages.hl7.make_notes import MessageSource, make_notes
from deidstream.models.messages.hl7.message import read_message
from deidstream.models.messages.read_message import read_message as read_record
from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.note import NoteStatus, RawNote
from deidstream.schemas.wire import decode, encode_note
from support.cda_samples import document_of
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


def test_a_note_that_is_taken_back_says_when_and_nothing_else() -> None:
    note = only(document("T11", text=""))
    expected = RawNote("DOC7^EHR", "7741902^^^HGH", "", "general", status=CANCELLED)
    assert note == replace(expected, source_time=note.source_time)
    assert note.source_time is not None


def test_the_last_edit_of_a_document_and_the_last_change_of_results_tell_versions() -> None:
    plain = document("T08")
    assert only(plain).source_time == only(document("T02")).source_time
    edited = plain.replace("TXA|1|DS|", "TXA|1|DS||||||20240312090000~20240314070000-0500|", 1)
    assert only(edited).source_time == "2024-03-14T07:00:00-05:00"
    orders = [
        "OBR|1|||80053^Metabolic panel" + 18 * "|" + "20240313101500",
        "OBR|2|||80061^Lipid panel" + 18 * "|" + "20240315",
        "OBX|1|TX|||Stable.||||||F",
    ]
    assert only(message("ORU^R01", [PATIENT, *orders])).source_time == "2024-03-15"


CDA = document_of("<title>Zoë seen on 11 March</title>")


def enclosed(text: str, encoding: str) -> str:
    """A message whose document is a file."""
    written = text.replace("&", "\\T\\")
    if encoding == "Base64":
        written = b64encode(text.encode()).decode()
    made = document("T02", text=f"EHR^text^xml^{encoding}^{written}")
    return made.replace("OBX|1|TX", "OBX|1|ED")


@pytest.mark.parametrize("encoding", ["Base64", "A"])
def test_a_message_with_a_clinical_document_is_that_document(encoding: str) -> None:
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    note = only(enclosed(head + CDA, encoding))
    read = read_record(encode_note(note))
    assert (read.note_id, read.patient_id) == (note.note_id, note.patient_id)
    assert read.note_id == "DOC7^EHR"
    assert read.form is not None
    assert read.text == "Title: Zoë seen on 11 March\n"
    assert set(note.known.names) <= set(read.known.names)


@pytest.mark.parametrize(
    "other",
    ["<html>a</html>", '<ClinicalDocument xmlns="urn:x"/>', "<ClinicalDocument>", "Seen <ok>"],
)
def test_what_is_no_clinical_document_stays_in_its_message(other: str) -> None:
    note = only(enclosed(other, "Base64"))
    if "ClinicalDocument" in other:
        with pytest.raises(InvalidNote):
            read_record(encode_note(note))
    else:
        assert note.form is None
        assert note.text.startswith("MSH|")


def test_a_document_beside_other_results_is_text_in_its_place() -> None:
    made = enclosed(CDA, "Base64").rstrip("\r")
    note = only(f"{made}\rOBX|2|TX|NOTE^Free text||Call Dr. Quellmar.||||||F\r")
    assert note.form is None
    assert "Zoë seen on 11 March" in note.text


MRG = "MRG|4410^^^HGH^MR~999-00-1111^^^SSA^SS|||||| Zyxwvan^Lindiwe"
OTHER = PATIENT.replace("7741902", "5512").replace("PID|1", "PID|2")


def linked(kind: str, *segments: str) -> list[tuple[str, str, list[tuple[str, str]]]]:
    text = message(kind, ["EVN||20240311081500", *segments])
    made = make_notes(read_message(text), HERE)
    assert all(decode(encode_note(note)) == note for note in made)
    links = [[(one.type.value, one.patient_id) for one in note.links] for note in made]
    return [(note.note_id, note.patient_id, of) for note, of in zip(made, links, strict=True)]


@pytest.mark.parametrize("event", ["A18", "A30", "A34", "A36", "A39", "A40", "A47"])
def test_a_merge_says_which_number_became_that_of_the_patient(event: str) -> None:
    replaces = [("replaces", "4410^^^HGH")]
    assert linked(f"ADT^{event}", PATIENT, MRG) == [("M1^HGH", "7741902^^^HGH", replaces)]
    older = "MRG||||4410"
    assert linked(f"ADT^{event}", PATIENT, older) == [("M1^HGH", "7741902^^^HGH", replaces)]
    assert linked(f"ADT^{event}", PATIENT) == [("M1^HGH", "7741902^^^HGH", [])]


@pytest.mark.parametrize("event", ["A41", "A42", "A43", "A44", "A45", "A49", "A50", "A51"])
def test_an_account_or_a_visit_that_moves_merges_no_patients(event: str) -> None:
    assert linked(f"ADT^{event}", PATIENT, MRG) == [("M1^HGH", "7741902^^^HGH", [])]


def test_merges_of_several_patients_are_a_note_each() -> None:
    second = MRG.replace("4410", "4411")
    assert linked("ADT^A40^ADT_A39", PATIENT, MRG, OTHER, second) == [
        ("M1^HGH", "7741902^^^HGH", [("replaces", "4410^^^HGH")]),
        ("M1.2^HGH", "5512^^^HGH", [("replaces", "4411^^^HGH")]),
    ]
    assert linked("ADT^A40^ADT_A39", PATIENT, MRG, PATIENT, second) == [
        ("M1^HGH", "7741902^^^HGH", [("replaces", "4410^^^HGH"), ("replaces", "4411^^^HGH")]),
    ]


@pytest.mark.parametrize(("event", "link"), [("A24", "seealso"), ("A37", "apart")])
def test_two_patients_are_linked_or_parted(event: str, link: str) -> None:
    assert linked(f"ADT^{event}", PATIENT, "PV1|1|I", OTHER) == [
        ("M1^HGH", "7741902^^^HGH", [(link, "5512^^^HGH")]),
        ("M1.2^HGH", "5512^^^HGH", []),
    ]


def test_each_note_of_a_message_about_several_patients_has_the_segments_of_one() -> None:
    text = message("ADT^A17", ["EVN||20240311", PATIENT, "PV1|1|I", OTHER, "PV1|2|O"])
    first, second = make_notes(read_message(text), HERE)
    assert [line[:5] for line in first.text.split("\r")] == ["MSH|^", "EVN||", "PID|1", "PV1|1", ""]
    assert [line[:5] for line in second.text.split("\r")] == [
        "MSH|^",
        "EVN||",
        "PID|2",
        "PV1|2",
        "",
    ]
    assert "5512" not in repr(first.known.identifiers)


@pytest.mark.parametrize("event", [f"A{number:02}" for number in range(1, 63) if number != 19])
def test_every_event_of_administration_is_taken(event: str) -> None:
    notes = make_notes(read_message(message(f"ADT^{event}", ["EVN||20240311", PATIENT])), HERE)
    assert len(notes) == (event not in {"A20", "A23", "A29"})


def test_a_bed_without_a_patient_is_taken_and_is_no_note() -> None:
    assert not make_notes(read_message(message("ADT^A20", ["EVN||20240311", "NPU|4W^1|C"])), HERE)
