import time

import pytest

from deidstream.study.scoring.i2b2.tags import InvalidI2b2, Tag
from deidstream.study.scoring.i2b2.xml_files import read_i2b2

TEXT = "Seen by Quillfeather on\n2031-04-05."
DOCTOR = '<NAME id="P0" start="8" end="20" text="Quillfeather" TYPE="DOCTOR" comment="" />'


def file(text: str = TEXT, tags: str = DOCTOR) -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n<TEXT><![CDATA[{text}]]></TEXT>\n'
        f"<TAGS>\n{tags}\n</TAGS>\n</deIdi2b2>\n"
    ).encode()


def refusal(xml: bytes) -> str:
    with pytest.raises(InvalidI2b2) as caught:
        read_i2b2(xml)
    said = str(caught.value)
    assert "Quillfeather" not in said
    assert caught.value.__cause__ is None
    return said


def test_text_and_tags_are_read() -> None:
    tags = f'{DOCTOR}<DATE id="P1" start="24" end="34" TYPE="date"/>'
    note = read_i2b2(file(tags=tags))
    assert note.text == TEXT
    assert note.tags == (Tag(8, 20, "NAME", "DOCTOR"), Tag(24, 34, "DATE", "date"))
    assert "Quillfeather" not in repr(note)


def test_offsets_are_code_points() -> None:
    note = read_i2b2(file("é𝒜 Bo", '<NAME id="P0" start="3" end="5" text="Bo" TYPE="DOCTOR"/>'))
    assert note.text[3:5] == "Bo"


@pytest.mark.parametrize("line_break", ["\n", "&#10;", " "])
def test_a_line_break_in_an_attribute_may_be_a_blank(line_break: str) -> None:
    tag = f'<DATE id="P0" start="21" end="28" text="on{line_break}2031" TYPE="DATE"/>'
    assert read_i2b2(file(tags=tag)).tags == (Tag(21, 28, "DATE", "DATE"),)


def test_carriage_returns_of_the_file_are_no_characters_of_the_text() -> None:
    assert read_i2b2(file("a\r\nb", "")).text == "a\nb"


def test_cdata_sections_and_references_add_up() -> None:
    assert read_i2b2(file("a]]]]><![CDATA[>b]]>&#13;&lt;<![CDATA[c", "")).text == "a]]>b\r<c"


def test_other_elements_are_passed_over() -> None:
    tags = f'<SMOKER id="DOC0"><SMOKER id="S0" start="0" end="4"/></SMOKER>{DOCTOR}'
    assert read_i2b2(file(tags=tags)).tags == (Tag(8, 20, "NAME", "DOCTOR"),)


@pytest.mark.parametrize(
    ("attributes", "what"),
    [
        ('start="9" end="21" text="Quillfeather"', "another text"),
        ('start="8" end="20" text="Quillfeathex"', "another text"),
        ('start="8" end="20" text=""', "another text"),
        ('start="8" end="36"', "beyond the 35"),
        ('start="8" end="8"', "empty"),
        ('start="8"', "not a number"),
        ('start="08" end="20"', "not a number"),
        ('start="-8" end="20"', "not a number"),
        ('start="8" end="٢٠"', "not a number"),
        ('start="8" end="' + "2" * 9000 + '"', "not a number"),
    ],
)
def test_a_tag_that_does_not_fit_is_refused_by_its_id(attributes: str, what: str) -> None:
    said = refusal(file(tags=f'<NAME id="P7" {attributes} TYPE="DOCTOR"/>'))
    assert said.startswith("tag P7 ")
    assert what in said


def test_a_tag_without_a_type_or_a_plain_id_is_refused_by_its_number() -> None:
    tag = '<NAME id="Quillfeather &#10;" start="8" end="20"/>'
    assert refusal(file(tags=DOCTOR + tag)) == "tag number 2 has no TYPE"


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE d [<!ENTITY a "Quillfeather"><!ENTITY b "&a;&a;&a;&a;">]>',
        '<!DOCTYPE d SYSTEM "file:///etc/passwd">',
        "<!DOCTYPE d>",
    ],
)
def test_a_document_type_is_refused(declaration: str) -> None:
    xml = declaration + "<deIdi2b2><TEXT>&b;</TEXT><TAGS/></deIdi2b2>"
    assert "document type" in refusal(xml.encode())


@pytest.mark.parametrize(
    "xml",
    [
        b"",
        b"Quillfeather",
        file()[:-3],
        file("a\x0cb"),
        file("a&b").replace(b"<![CDATA[", b"").replace(b"]]>", b""),
        b"<d><TEXT>&unknown;</TEXT><TAGS/></d>",
    ],
)
def test_what_is_not_well_formed_is_refused_by_its_place(xml: bytes) -> None:
    assert "not well-formed XML: line" in refusal(xml)


def test_another_encoding_is_refused_by_its_place() -> None:
    assert refusal(file().replace(b"Quill", b"\xff")) == "is not XML in UTF-8: byte 74"
    assert refusal(file().decode().encode("utf-16")) == "is not XML in UTF-8: byte 0"
    assert refusal(file().decode().encode("utf-16-le")) == "is not XML in UTF-8: byte 1"


def test_the_declared_encoding_does_not_count() -> None:
    xml = file("é", "").replace(b'"UTF-8"', b'"ISO-8859-1"')
    assert read_i2b2(xml).text == "é"


@pytest.mark.parametrize(
    "inside",
    ["<TEXT/>", "<TAGS/>", "", "<TEXT/><TAGS/><TAGS/>", "<TEXT/><TEXT/><TAGS/>"],
)
def test_one_text_and_one_tags_are_asked_for(inside: str) -> None:
    assert "not one TEXT" in refusal(f"<deIdi2b2>{inside}</deIdi2b2>".encode())


@pytest.mark.parametrize("markup", ["<b>x</b>", "<!-- x -->", "<?x y?>"])
def test_markup_within_the_text_is_refused(markup: str) -> None:
    xml = f"<deIdi2b2><TEXT>a {markup} Quillfeather</TEXT><TAGS/></deIdi2b2>"
    assert refusal(xml.encode()) == "has markup within TEXT"


def test_many_tags_over_a_long_text_do_not_copy_it_each_time() -> None:
    text = "x" * 1_000_000
    tags = '<NAME id="P" start="0" end="1000000" TYPE="DOCTOR"/>' * 5_000
    started = time.process_time()
    assert len(read_i2b2(file(text, tags)).tags) == 5_000
    wrong = tags.replace("TYPE", 'text="x" TYPE')
    assert "another text" in refusal(file(text, wrong))
    assert time.process_time() - started < 5
