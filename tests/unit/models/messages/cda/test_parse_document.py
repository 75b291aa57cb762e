"""What is no document, or would harm whoever reads it, is refused with its reason."""

import pytest

from deidstream.models.messages.cda.parse_document import DEEPEST, is_document
from deidstream.models.messages.read_message import read_message
from deidstream.schemas.errors import InvalidNote, NoteField, Reason
from support.cda_samples import HEAD, document_of

TITLE = "<title>Seen today</title>"
BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 9))
DECLARED = {
    "external entity": '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
    "bomb": f'<!DOCTYPE x [<!ENTITY a0 "ha">{BOMB}]>',
    "external type": '<!DOCTYPE ClinicalDocument SYSTEM "http://nowhere.invalid/cda.dtd">',
    "parameter": '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://nowhere.invalid/p"> %p;]>',
}


def refused(message: bytes) -> tuple[Reason, NoteField | None]:
    with pytest.raises(InvalidNote) as caught:
        read_message(message)
    return caught.value.reason, caught.value.field


@pytest.mark.parametrize("declared", DECLARED.values(), ids=DECLARED.keys())
@pytest.mark.parametrize("before", ["", "\ufeff", '<?xml version="1.0"?><!-- a --><?b c?> '])
def test_a_document_type_is_refused(declared: str, before: str) -> None:
    text = before + declared + document_of("<title>&a8;&e;</title>")
    assert is_document(text)
    assert refused(text.encode()) == (Reason.BAD_DOCUMENT, NoteField.DOCUMENT)


@pytest.mark.parametrize(
    "broken",
    [
        document_of("<title>Seen"),
        document_of("<title>&nbsp;</title>"),
        document_of(TITLE) + "<more/>",
        document_of("<title>\x01</title>"),
        document_of("<a>" * (DEEPEST + 1) + "</a>" * (DEEPEST + 1)),
        document_of("<a>" * 5_000),
        document_of(f'<title a="1" a="2">{TITLE}</title>'),
    ],
)
def test_what_is_not_well_formed_or_too_deep_is_refused(broken: str) -> None:
    assert refused(broken.encode()) == (Reason.BAD_DOCUMENT, NoteField.DOCUMENT)


@pytest.mark.parametrize(
    "other",
    [
        "<html><body>Seen</body></html>",
        "<ClinicalDocument><title>Seen</title></ClinicalDocument>",
        '<ContinuityOfCareRecord xmlns="urn:astm-org:CCR"/>',
        '<ClinicalDocument xmlns="urn:other"/>',
    ],
)
def test_other_xml_is_refused(other: str) -> None:
    assert refused(other.encode()) == (Reason.UNSUPPORTED_DOCUMENT, NoteField.DOCUMENT)


@pytest.mark.parametrize(
    ("stated", "written"), [("UTF-8", "latin-1"), ("x-klingon", "utf-8"), ("UTF-16", "utf-8")]
)
def test_a_wrong_character_set_is_refused(stated: str, written: str) -> None:
    text = f'<?xml version="1.0" encoding="{stated}"?>' + document_of("<title>Zoë</title>")
    reason, _ = refused(text.encode(written))
    assert reason in {Reason.BAD_DOCUMENT, Reason.UNSUPPORTED_DOCUMENT}


@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_the_stated_character_set_counts(charset: str) -> None:
    stated = charset.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{stated}"?>' + document_of("<title>Zoë seen</title>")
    assert "Zoë seen" in read_message(text.encode(charset)).text


def test_a_document_over_the_limit_is_refused() -> None:
    large = document_of(f"<title>{'a' * 1_000_000}</title>").encode()
    assert refused(large) == (Reason.TOO_LARGE, None)


def test_elements_without_end_are_refused_in_little_time() -> None:
    with pytest.raises(InvalidNote):
        read_message(HEAD.encode() + b"<a/>" * 13_000_000, limit_bytes=60_000_000)


def test_a_text_that_is_a_document_is_read_as_one() -> None:
    import json  # noqa: PLC0415

    note = read_message(
        json.dumps({"note_id": "1", "patient_id": "2", "text": document_of(TITLE)}).encode()
    )
    assert note.form is not None
    assert (note.note_id, note.patient_id) == ("1", "2")
    assert note.text == "Title: Seen today\n"


@pytest.mark.parametrize(
    "text", ["BP < 90, see ClinicalDocument", "<p>note of ClinicalDocument</p>", "plain"]
)
def test_other_texts_are_notes(text: str) -> None:
    assert not is_document(text)


def test_a_record_has_one_content() -> None:
    message = b'{"note_id": "1", "patient_id": "2", "text": "x", "document": "<a/>"}'
    assert refused(message) == (Reason.WRONG_TYPE, NoteField.TEXT)


def test_a_document_that_is_no_string_is_refused() -> None:
    assert refused(b'{"document": {"a": 1}}') == (Reason.WRONG_TYPE, NoteField.DOCUMENT)
