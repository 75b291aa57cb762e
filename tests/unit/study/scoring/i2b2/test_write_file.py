import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.scoring.i2b2.tags import InvalidI2b2, Tag, element_of, name_of, type_of
from deidstream.study.scoring.i2b2.xml_files import read_i2b2, write_i2b2

ELEMENT_OF = {
    "NAME": "PATIENT DOCTOR USERNAME",
    "PROFESSION": "PROFESSION",
    "LOCATION": "HOSPITAL ORGANIZATION STREET CITY STATE COUNTRY ZIP LOCATION-OTHER",
    "AGE": "AGE",
    "DATE": "DATE",
    "CONTACT": "PHONE FAX EMAIL URL IPADDR",
    "ID": "SSN MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM",
}


def test_the_file_has_the_form_of_the_corpus() -> None:
    spans = [Span(9, 14, PhiLabel.LOCATION_OTHER), Span(0, 5, PhiLabel.PATIENT)]
    assert write_i2b2("Quill at R&D<1", spans).decode() == (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n'
        "<TEXT><![CDATA[Quill at R&D<1]]></TEXT>\n<TAGS>\n"
        '<NAME id="P0" start="0" end="5" text="Quill" TYPE="PATIENT" comment="" />\n'
        '<LOCATION id="P1" start="9" end="14" text="R&amp;D&lt;1" TYPE="LOCATION-OTHER" '
        'comment="" />\n'
        "</TAGS>\n</deIdi2b2>\n"
    )


def test_every_label_has_its_element_and_type() -> None:
    written = {type_of(label): element_of(label) for label in PhiLabel}
    assert written == {
        name: element for element, names in ELEMENT_OF.items() for name in names.split()
    }
    assert all(name_of(type_of(label)) == label for label in PhiLabel)


def test_types_without_a_label_of_their_own() -> None:
    assert name_of("Room") == name_of("DEPARTMENT") == PhiLabel.HOSPITAL
    assert name_of("location_other") == PhiLabel.LOCATION_OTHER
    assert not name_of("other")
    with pytest.raises(InvalidI2b2):
        name_of("NAME")


@pytest.mark.parametrize(
    "text", ["]]>", "]]]>>", "]]\r>", "a\r\nb\rc", "<&>\"'", "\t x \n", "é𝒜\u2028\x85", ""]
)
def test_what_xml_must_escape_comes_back(text: str) -> None:
    spans = [Span(0, len(text), PhiLabel.DATE)] if text else []
    note = read_i2b2(write_i2b2(text, spans))
    assert note.text == text
    assert note.tags == ((Tag(0, len(text), "DATE", "DATE"),) if text else ())


def test_a_line_break_within_a_span_is_written_as_a_reference() -> None:
    assert b'text="a&#10;&#9;&#13;b"' in write_i2b2("a\n\t\rb", [Span(0, 5, PhiLabel.STREET)])


@pytest.mark.parametrize("wrong", ["\x0c", "\x00", "\x1b", "\ud800", "\uffff"])
def test_what_xml_cannot_hold_is_refused_by_its_place(wrong: str) -> None:
    with pytest.raises(InvalidI2b2, match="character at 7 is"):
        write_i2b2(f"Quilla\n{wrong}{wrong}", [])


def test_a_span_beyond_the_text_is_refused() -> None:
    with pytest.raises(InvalidI2b2, match="beyond the 5 characters"):
        write_i2b2("Quill", [Span(0, 6, PhiLabel.PATIENT)])


def test_equal_spans_are_written_once() -> None:
    twice = [Span(0, 5, PhiLabel.PATIENT, 0.5, "tagger"), Span(0, 5, PhiLabel.PATIENT)]
    assert len(read_i2b2(write_i2b2("Quill", twice)).tags) == 1
