"""A Word document comes out with the permitted text in its runs, and with nothing unread."""

from io import BytesIO
from zipfile import ZipFile

import pytest
from docx import Document

from deidstream.models.messages.attachments.attachment_limits import LIMITS
from deidstream.models.messages.word.write_docx import write_docx
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import Reason, Rejected
from support.attachments import make_bomb
from support.word_documents import (
    NAMES,
    pack_word,
    paragraph,
    permit_for,
    permit_words,
    read_word,
    run,
    unpack_all,
)

BOLD = "<w:b/>"


def rewrite(data: bytes, words: dict[str, str]) -> tuple[str, bytes]:
    """The permitted text, and the document that is made with it."""
    text = read_word(data)
    permit = permit_words(text, words)
    return permit.text, write_docx(data, text, permit)


def part(data: bytes, name: str = "word/document.xml") -> str:
    with ZipFile(BytesIO(data)) as archive:
        return archive.read(name).decode()


SYMBOL = '<w:r><w:sym w:font="Symbol" w:char="F062"/></w:r>'
BREAK, TAB = "<w:r><w:br/></w:r>", "<w:r><w:tab/></w:r>"
HYPHEN = "<w:r><w:noBreakHyphen/></w:r>"
LINK = '<w:hyperlink r:id="link1" w:tooltip="Vanterpool" w:anchor="Vanterpool">{}</w:hyperlink>'
FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Vanterpool"/></w:ffData>'
    "</w:fldChar></w:r><w:r><w:instrText> MERGEFIELD Vanterpool </w:instrText></w:r>"
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r>{}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
INSERTED = '<w:ins w:id="1" w:author="Vanterpool" w:date="2031-05-06T07:08:09Z">{}</w:ins>'


@pytest.mark.parametrize(
    ("inner", "words"),
    [
        (run("Seen: Vanterpool."), {"Vanterpool": "Okoro"}),
        (run("Seen: Van") + run("ter", BOLD) + run("pool."), {"Vanterpool": "Okoro"}),
        (run("Seen: ") + INSERTED.format(run("Vanter")) + run("pool."), {"Vanterpool": "Okoro"}),
        (run("Seen: ") + LINK.format(run("Vanter")) + run("pool."), {"Vanterpool": "Okoro"}),
        (run("Seen: ") + FIELD.format(run("Vanter")) + run("pool."), {"Vanterpool": "Okoro"}),
        (run("Ada") + TAB + run("Vanterpool"), {"Ada\tVanterpool": "Ben\tOkoro"}),
        (run("Ada") + TAB + run("Vanterpool!"), {"Ada\tVanterpool": "Ben Okoro"}),
        (run("Ada") + BREAK + run("Vanterpool!"), {"Ada\nVanterpool": "Ben Okoro"}),
        (run("Ada Vanterpool!"), {"Ada Vanterpool": "Ben\nOkoro\t1"}),
        (run("555") + HYPHEN + run("0142!"), {"555\u20110142": "555-0199"}),
        (run("555") + HYPHEN + run("0142!"), {"555\u20110142": "555\u20110199"}),
        (SYMBOL + run("Vanterpool!"), {"\u03b2Vanterpool": "Okoro"}),
        (SYMBOL + run("Vanterpool!"), {"Vanterpool": "Okoro"}),
        (run("a &lt;Vanterpool&gt; &amp; b"), {"Vanterpool": "O<k>&oro"}),
        (run("Ada Vanterpool and Ada Vanterpool"), {"Ada": "Ben", "Vanterpool": "Okoro"}),
        (run("Ada") + f"</w:p><w:p>{run('Vanterpool')}", {"Ada\nVanterpool": "Ben\nOkoro"}),
        (run("Ada") + f"</w:p><w:p>{run('Vanterpool rest')}", {"Ada\nVanterpool": "Ben Okoro"}),
        (run("x Ada ") + f"</w:p><w:p/><w:p>{run('Vanterpool y')}", {"Ada\nVanterpool": "Ben"}),
        (run("Seen: Vanterpool."), {"Vanterpool": ""}),
    ],
)
def test_the_document_reads_as_the_permitted_text(inner: str, words: dict[str, str]) -> None:
    text, made = rewrite(pack_word(paragraph(inner) + paragraph(run("End"))), words)
    assert read_word(made) == text
    assert b"Vanterpool" not in unpack_all(made)


def test_a_new_text_has_the_style_of_the_first_run_and_others_keep_theirs() -> None:
    body = paragraph(run("Dr "), run("Van", BOLD), run("terpool", "<w:i/>"), run(" left", "<w:u/>"))
    _, made = rewrite(pack_word(body), {"Vanterpool": "Okoro"})
    runs = Document(BytesIO(made)).paragraphs[0].runs
    assert [one.text for one in runs] == ["Dr ", "Okoro", " left"]
    assert [bool(one.bold) for one in runs] == [False, True, False]


def test_an_end_of_a_cell_stays_where_a_stretch_crosses_it() -> None:
    cells = "".join(f"<w:tc>{paragraph(run(text))}</w:tc>" for text in ("Ada", "Vanterpool x"))
    table = f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{cells}</w:tr></w:tbl>"
    _, made = rewrite(pack_word(table + paragraph()), {"Ada\tVanterpool": "Ben Okoro"})
    assert read_word(made) == "Ben Okoro\t x"
    text, made = rewrite(pack_word(table + paragraph()), {"Ada\tVanterpool": "Ben\tOkoro"})
    assert read_word(made) == text == "Ben\tOkoro x"


SECRET = "Vanterpool"
DRAWING = (
    '<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="914400" '
    'cy="457200"/><wp:docPr id="7" name="Vanterpool.png" descr="Signature of Vanterpool" '
    'title="Vanterpool"/><a:graphic><a:graphicData uri="{uri}">{inner}</a:graphicData></a:graphic>'
    "</wp:inline></w:drawing></w:r>"
)
PICTURE = DRAWING.format(
    uri="http://schemas.openxmlformats.org/drawingml/2006/picture",
    inner='<pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="Vanterpool" descr="Vanterpool"/>'
    '<pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="image1" r:link="link1"/>'
    "<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr/></pic:pic>",
)
CHART = DRAWING.format(
    uri="http://schemas.openxmlformats.org/drawingml/2006/chart",
    inner='<c:chart r:id="chart1"/>',
)
BOX = (
    '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:inline distT="0" distB="0" '
    'distL="0" distR="0"><wp:extent cx="914400" cy="457200"/><wp:docPr id="8" name="Box of '
    'Vanterpool"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/'
    'wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:custGeom><a:pathLst/>'
    "</a:custGeom></wps:spPr><wps:txbx><w:txbxContent>"
    f"{paragraph(run('Box of Vanterpool'))}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp>"
    "</a:graphicData></a:graphic></wp:inline></w:drawing></mc:Choice><mc:Fallback><w:pict>"
    f"<v:shape><v:textbox><w:txbxContent>{paragraph(run('Box of Vanterpool'))}</w:txbxContent>"
    "</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)
WATERMARK = (
    '<w:r><w:pict><v:shape id="Vanterpool" alt="Vanterpool" style="position:absolute;width:9pt;'
    'font-family:Vanterpool" o:title="Vanterpool"><v:textpath string="COPY FOR VANTERPOOL '
    'Vanterpool"/><v:imagedata r:id="image1" o:title="Vanterpool"/></v:shape></w:pict></w:r>'
)
OBJECT = (
    '<w:r><w:object w:dxaOrig="9" w:dyaOrig="9"><v:shape><v:imagedata r:id="image1"/></v:shape>'
    '<o:OLEObject Type="Embed" ProgID="Vanterpool" r:id="ole1"/></w:object></w:r>'
)
CONTROL = (
    '<w:sdt><w:sdtPr><w:alias w:val="Vanterpool"/><w:tag w:val="Vanterpool"/><w:dataBinding '
    'w:xpath="/Vanterpool"/><w:dropDownList><w:listItem w:displayText="Vanterpool" w:value="1"/>'
    f"</w:dropDownList></w:sdtPr><w:sdtContent>{run('chosen')}</w:sdtContent></w:sdt>"
)
BODY = "".join(
    (
        paragraph(
            '<w:pPr><w:pStyle w:val="OfVanterpool"/><w:numPr><w:ilvl w:val="0"/><w:numId '
            'w:val="1"/></w:numPr><w:rPr><w:del w:id="9" w:author="Vanterpool" w:date="2031-05-06'
            'T07:08:09Z"/></w:rPr><w:pPrChange w:id="3" w:author="Vanterpool" w:date="2031-05-06'
            'T07:08:09Z"><w:pPr><w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs></w:pPr>'
            "</w:pPrChange></w:pPr>",
            '<w:bookmarkStart w:id="4" w:name="Vanterpool"/>',
            run("Seen: Vanterpool", '<w:rFonts w:ascii="Hand of Vanterpool"/><w:vanish/>'),
            '<w:bookmarkEnd w:id="4"/><!-- Vanterpool --><?mso Vanterpool?>',
            '<w:del w:id="5" w:author="Vanterpool" w:date="2031-05-06T07:08:09Z"><w:r><w:delText>'
            "Vanterpool</w:delText></w:r></w:del>",
            INSERTED.format(run(" was")),
            FIELD.format(run(" kept")),
            LINK.format(run(" and linked")),
            '<w:fldSimple w:instr=" AUTHOR Vanterpool ">' + run(" x") + "</w:fldSimple>",
            '<w:smartTag w:uri="urn:Vanterpool" w:element="Vanterpool"><w:smartTagPr><w:attr '
            f'w:name="n" w:val="Vanterpool"/></w:smartTagPr>{run(" y")}</w:smartTag>',
            '<w:customXml w:element="Vanterpool">' + run(" z") + "</w:customXml>",
            CONTROL,
            '<w:commentRangeStart w:id="0"/><w:commentRangeEnd w:id="0"/><w:r><w:commentReference '
            'w:id="0"/></w:r><w:r><w:footnoteReference w:id="1"/></w:r>',
        ),
        paragraph(PICTURE, CHART, BOX, WATERMARK, OBJECT),
        '<w:altChunk r:id="chunk1"/>',
        (
            "<w:tbl><w:tblPr><w:tblCaption w:val='Vanterpool'/>"
            "<w:tblDescription w:val='Vanterpool'/>"
            f"</w:tblPr><w:tblGrid/><w:tr w:rsidR='00Vanterpool' w14:paraId='Vanterpool'><w:tc>"
            f"{paragraph(run('Cell'))}</w:tc></w:tr></w:tbl>"
        ),
        '<w:p w:rsidR="00AB12CD" w14:paraId="1A2B3C4D"/>',
        (
            '<w:sectPr><w:headerReference w:type="default" r:id="header1"/><w:headerReference '
            'w:type="first" r:id="header3"/><w:footerReference w:type="default" r:id="footer1"/>'
            '<w:pgSz w:w="11906" w:h="16838"/><w:printerSettings r:id="printer1"/><w:titlePg/>'
            "</w:sectPr>"
        ),
    )
)
PAGE = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE  \\* MERGEFORMAT '
    '</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r>'
    '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
NOTE = '<w:{0}s {1}><w:{0} w:id="{2}" {3}>{4}</w:{0}></w:{0}s>'
STYLES = (
    f'<w:styles {NAMES}><w:latentStyles><w:lsdException w:name="Vanterpool"/></w:latentStyles>'
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/>'
    '<w:rsid w:val="00AB12CD"/></w:style><w:style w:type="paragraph" w:customStyle="1" '
    'w:styleId="OfVanterpool"><w:name w:val="Letter of Vanterpool"/><w:aliases '
    'w:val="Vanterpool"/><w:basedOn w:val="Normal"/><w:rPr><w:b/></w:rPr></w:style></w:styles>'
)
PARTS = {
    "header1.xml": ("header", f"<w:hdr {NAMES}>{paragraph(run('Header Vanterpool'))}</w:hdr>"),
    "header2.xml": ("header", f"<w:hdr {NAMES}>{paragraph(run('Unread Vanterpool'))}</w:hdr>"),
    "header3.xml": ("header", f"<w:hdr {NAMES}>{paragraph(run('Header '), run(SECRET))}</w:hdr>"),
    "footer1.xml": ("footer", f"<w:ftr {NAMES}>{paragraph(run('Page '), PAGE)}</w:ftr>"),
    "footnotes.xml": (
        "footnotes",
        NOTE.format("footnote", NAMES, 1, "", paragraph(run("Foot of Vanterpool"))),
    ),
    "comments.xml": (
        "comments",
        NOTE.format(
            "comment", NAMES, 0, f'w:author="{SECRET}" w:initials="{SECRET}"',
            paragraph(run("Comment of Vanterpool")),
        ),
    ),
    "styles.xml": ("styles", STYLES),
    "numbering.xml": (
        "numbering",
        (f'<w:numbering {NAMES}><w:abstractNum w:abstractNumId="0"><w:name w:val="Vanterpool 1"/>'
        '<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="Dr Vanterpool %1.)"/>'
        '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        "</w:numbering>"),
    ),
    "settings.xml": (
        "settings",
        (f'<w:settings {NAMES}><w:mailMerge><w:query w:val="Vanterpool"/></w:mailMerge><w:rsids>'
        '<w:rsid w:val="00AB12CD"/></w:rsids><w:docVars><w:docVar w:name="Vanterpool" '
        'w:val="Vanterpool"/></w:docVars><w:footnotePr><w:footnote w:id="-1"/></w:footnotePr>'
        '<w:defaultTabStop w:val="708"/></w:settings>'),
    ),
    "theme1.xml": (
        "theme",
        (f'<a:theme {NAMES} name="Vanterpool"><a:themeElements><a:clrScheme name="Vanterpool">'
        '<a:accent1><a:srgbClr val="ABCDEF"/></a:accent1></a:clrScheme><a:fontScheme '
        'name="Vanterpool"><a:majorFont><a:latin typeface="Georgia"/></a:majorFont><a:minorFont>'
        '<a:latin typeface="Vanterpool"/></a:minorFont></a:fontScheme></a:themeElements>'
        "</a:theme>"),
    ),
    "fontTable.xml": ("fontTable", f'<w:fonts {NAMES}><w:font w:name="Vanterpool"/></w:fonts>'),
    "people.xml": ("people", f"<w:people {NAMES}>Vanterpool</w:people>"),
    "glossary.xml": (
        "glossaryDocument",
        f"<w:glossaryDocument {NAMES}>{SECRET}</w:glossaryDocument>",
    ),
    "chart1.xml": ("chart", f"<c:chart {NAMES}>Vanterpool</c:chart>"),
    "image1.png": ("image", "Vanterpool"),
    "ole1.bin": ("oleObject", "Vanterpool"),
    "chunk1.bin": ("aFChunk", "Vanterpool"),
    "printer1.bin": ("printerSettings", "Vanterpool"),
    "vbaProject.bin": ("vbaProject", "Vanterpool"),
}  # fmt: skip
OTHERS = (
    "docProps/Vanterpool-core.xml",
    "customXml/Vanterpool.xml",
    "docProps/thumbnail-Vanterpool.png",
)


@pytest.fixture(scope="module")
def planted() -> tuple[str, bytes]:
    return rewrite(pack_word(BODY, PARTS, OTHERS), {SECRET: "Okoro"})


def test_nothing_that_was_not_read_leaves(planted: tuple[str, bytes]) -> None:
    written = unpack_all(planted[1]).lower()
    for identifier in (b"vanterpool", b"2031", b"00ab12cd", b"1a2b3c4d", b"example.org"):
        assert identifier not in written


def test_all_that_was_read_stands_where_it_stood(planted: tuple[str, bytes]) -> None:
    text, made = planted
    lost = "[not read: inserted document, chart, embedded object]\n"
    assert read_word(made) == text.replace(lost, "") != text
    assert "Box of Okoro" in text


def test_layout_styles_numbering_and_page_numbers_stay(planted: tuple[str, bytes]) -> None:
    _, made = planted
    document = Document(BytesIO(made))
    first = document.paragraphs[0]
    assert first.style is not None
    assert (first.style.name, bool(first.style.font.bold)) == ("Style 2", True)
    assert first.style.base_style is not None
    assert first.style.base_style.name == "Normal"
    assert '<w:lvlText w:val="  %1.)"/>' in part(made, "word/numbering.xml")
    assert '<w:footnotePr><w:footnote w:id="-1"/></w:footnotePr>' in part(made, "word/settings.xml")
    assert '<w:defaultTabStop w:val="708"/>' in part(made, "word/settings.xml")
    assert '<a:srgbClr val="ABCDEF"/>' in part(made, "word/theme.xml")
    assert 'typeface="Georgia"' in part(made, "word/theme.xml")
    body = part(made)
    assert '<w:pgSz w:w="11906" w:h="16838"/>' in body
    assert "<w:vanish/>" in body
    assert '<w:commentReference w:id="0"/>' in body
    assert 'w:author="Author"' in body
    assert " PAGE </w:instrText>" in part(made, "word/footer6.xml")


def test_pictures_are_blank_and_of_the_same_size(planted: tuple[str, bytes]) -> None:
    _, made = planted
    body = part(made)
    assert body.count('<wp:extent cx="914400" cy="457200"/>') == 3
    assert body.count('r:embed="rId_blank"') == 2
    assert body.count('<v:imagedata r:id="rId_blank"/>') == 2
    with ZipFile(BytesIO(made)) as archive:
        pictures = [name for name in archive.namelist() if name.endswith(".png")]
    assert pictures == ["word/blank.png"]


def test_the_same_document_makes_the_same_bytes(planted: tuple[str, bytes]) -> None:
    again = rewrite(pack_word(BODY, PARTS, OTHERS), {SECRET: "Okoro"})
    assert again == planted


def test_a_policy_that_exchanges_sentences_writes_no_document() -> None:
    data = pack_word(paragraph(run("Seen: Vanterpool.")))
    with pytest.raises(Rejected) as refused:
        write_docx(data, read_word(data), permit_for("Another sentence.", []))
    assert refused.value.reason is Reason.REWRITTEN_RESOURCE


@pytest.mark.parametrize("data", [pack_word(paragraph(run("Other"))), b"PK\x03\x04", b""])
def test_a_document_of_another_text_is_refused(data: bytes) -> None:
    with pytest.raises(UnscannableAttachment) as refused:
        write_docx(data, "Seen", permit_for("Seen", []))
    assert refused.value.fault is AttachmentFault.NOT_WRITTEN
    assert refused.value.__cause__ is None


def test_what_is_refused_when_it_is_read_is_refused_here() -> None:
    with pytest.raises(UnscannableAttachment) as refused:
        write_docx(make_bomb(LIMITS.expanded_bytes + 1), "Seen", permit_for("Seen", []))
    assert refused.value.fault is AttachmentFault.EXPANDS


def test_external_entities_are_not_read() -> None:
    declared = '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/hostname"><!ENTITY b "Vanterpool">]>'
    styles = ("styles", declared + STYLES.replace('w:val="Vanterpool"/>', 'w:val="x"/>&a;&b;'))
    data = pack_word(paragraph(run("Seen")), {"styles.xml": styles})
    made = write_docx(data, "Seen", permit_for("Seen", []))
    assert read_word(made) == "Seen"
    assert b"Vanterpool" not in unpack_all(made)
    assert b"ENTITY" not in unpack_all(made)
