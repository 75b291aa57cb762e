"""Every character of a DOCX is read, and every part of it, or the text says which is not."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from docx import Document
from docx.document import Document as OpenDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml

from deidstream.models.messages.attachments.attachment_limits import LIMITS
from deidstream.models.messages.attachments.docx_text import read_docx

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"
NAMES = f'xmlns:w="{WORD}" xmlns:m="{MATH}"'


def with_body(*paragraphs: str) -> OpenDocument:
    document = Document()
    for inner in paragraphs:
        document.element.body.insert(
            len(document.element.body) - 1, parse_xml(f"<w:p {NAMES}>{inner}</w:p>")
        )
    return document


def read(document: OpenDocument) -> str:
    out = BytesIO()
    document.save(out)
    return read_docx(out.getvalue(), LIMITS)


def run(inner: str) -> str:
    return f"<w:r>{inner}</w:r>"


def symbol(code: str, font: str = "Symbol") -> str:
    return run(f'<w:sym w:font="{font}" w:char="{code}"/>')


def term(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


POWER = f"<m:sSup><m:e>{term('10')}</m:e><m:sup>{term('6')}</m:sup></m:sSup>"
FRACTION = f"<m:f><m:num>{term('3')}</m:num><m:den>{term('4')}</m:den></m:f>"
INNER = f"<w:txbxContent><w:p>{run('<w:t>Box</w:t>')}</w:p></w:txbxContent>"
BOX = run(f"<w:t>Seen</w:t><w:pict>{INNER}</w:pict><w:t>today</w:t>")
MICROGRAM = run("<w:t xml:space='preserve'>5 </w:t>") + symbol("F06D") + run("<w:t>g</w:t>")


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (run("<w:t>5</w:t><w:noBreakHyphen/><w:t>10 mg</w:t>"), "5\u201110 mg"),
        (MICROGRAM, "5 \u00b5g"),
        (symbol("6D"), "\u00b5"),
        (symbol("F0B3") + symbol("F0B1") + symbol("F0B0"), "\u2265\u00b1\u00b0"),
        (symbol("F0FE", "Wingdings") + symbol("F0A8", "Wingdings"), "\u2611\u25a1"),
        (symbol("F001", "Wingdings"), "\ufffd"),
        (symbol("F041", "Webdings"), "\ufffd"),
        (symbol("2265", "Arial"), "\u2265"),
        (symbol("F0B5", "Arial"), "\u00b5"),
        (symbol("none"), "\ufffd"),
        (run('<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uf061</w:t>'), "\u03b1"),
        (run("<w:t>\uf061</w:t>"), "\u03b1"),
        (run("<w:t>a</w:t><w:ptab/><w:t>b</w:t>"), "a\tb"),
        (POWER, "10^(6)"),
        (FRACTION, "(3)/(4)"),
        (BOX, "Seen\nBox\ntoday"),
    ],
)
def test_signs_formulas_and_boxes_are_characters(inner: str, text: str) -> None:
    assert read(with_body(inner)) == text


def relate(document: OpenDocument, name: str, relation: str, written: bytes) -> None:
    own = Part(PackURI(f"/word/{name}.xml"), "application/xml", written, document.part.package)
    document.part.relate_to(own, relation)


def notes(kind: str, text: str) -> bytes:
    inner = f"<w:{kind} w:id='1'><w:p>{run(f'<w:t>{text}</w:t>')}</w:p></w:{kind}>"
    return f"<w:{kind}s {NAMES}>{inner}</w:{kind}s>".encode()


def test_parts_are_read_in_their_order() -> None:
    document = with_body(run("<w:t>Body</w:t>"))
    section = document.sections[0]
    section.header.paragraphs[0].text = "Header"
    section.footer.paragraphs[0].text = "Footer"
    relate(document, "endnotes", RELATIONSHIP_TYPE.ENDNOTES, notes("endnote", "Endnote"))
    relate(document, "footnotes", RELATIONSHIP_TYPE.FOOTNOTES, notes("footnote", "Footnote"))
    document.add_comment(document.paragraphs[0].runs, text="Comment", author="Nobody")
    assert read(document).split("\n") == [
        "Header", "Body", "Footnote", "Endnote", "Comment", "Footer"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        ("x &a; y Mr. Vanterpool", "x \ufffd y Mr. Vanterpool"),
        ("x&b;y &lt; z", "x\ufffdy < z"),
        ("Vanter<!-- c -->pool<?p i?> left", "Vanterpool left"),
        ("a<w:tab/>b", "a\tb"),
    ],
)
def test_no_text_behind_what_is_not_expanded_is_lost(inner: str, text: str) -> None:
    written_text = f"<w:p>{run(f'<w:t>{inner}</w:t>')}</w:p>"
    packed = BytesIO()
    with_body().save(packed)
    declared = b'<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/hostname"><!ENTITY b "Smith">]>'
    changed = BytesIO()
    with ZipFile(packed) as given, ZipFile(changed, "w") as made:
        for part in given.infolist():
            written = given.read(part)
            if part.filename == "word/document.xml":
                head, mark, body = written.partition(b"?>")
                body = body.replace(b"<w:body>", b"<w:body>" + written_text.encode())
                written = head + mark + declared + body
            made.writestr(part.filename, written)
    assert read_docx(changed.getvalue(), LIMITS).splitlines()[0] == text


def test_what_is_not_read_is_said() -> None:
    document = with_body(run("<w:t>Body</w:t>"))
    relate(document, "chart1", RELATIONSHIP_TYPE.CHART, b"<c/>")
    relate(document, "ole1", RELATIONSHIP_TYPE.OLE_OBJECT, b"<o/>")
    assert read(document) == "Body\n[not read: chart, embedded object]"


def test_a_document_of_its_body_alone_says_nothing_else() -> None:
    assert read(with_body(run("<w:t>Body</w:t>"))) == "Body"


def test_a_row_of_a_table_is_a_line_and_what_follows_begins_without_a_tab() -> None:
    document = Document()
    document.add_paragraph("Medicines")
    table = document.add_table(rows=2, cols=2)
    for place, text in enumerate(("Drug", "Dose", "Aspirin", "100 mg")):
        table.cell(place // 2, place % 2).text = text
    document.add_paragraph("She was seen with her daughter.")
    assert read(document).split("\n") == [
        "Medicines",
        "Drug\tDose",
        "Aspirin\t100 mg",
        "She was seen with her daughter.",
    ]
