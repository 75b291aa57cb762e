"""Whatever a Word document is made of, it comes out with the permitted text."""

from html import escape
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from deidstream.models.messages.attachments.docx_text import tidy_text
from deidstream.models.messages.word.story_text import locate_text
from deidstream.models.messages.word.write_docx import write_docx
from support.word_documents import (
    NAMES,
    pack_word,
    paragraph,
    permit_for,
    read_word,
    run,
    unpack_all,
)

LETTERS = "abcXYZ<&\u00e9\u00a0 \u2003\U0001f600"
FIELD = (
    '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>{0}</w:instrText></w:r>'
    '<w:r><w:fldChar w:fldCharType="separate"/></w:r>{1}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
AROUND = (
    "{}",
    "<w:hyperlink w:anchor='x'>{}</w:hyperlink>",
    "<w:ins w:id='1' w:author='x'>{}</w:ins>",
    "<w:smartTag w:element='x'>{}</w:smartTag>",
    "<w:sdt><w:sdtPr><w:tag w:val='x'/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>",
    "<w:del w:id='2' w:author='x'><w:r><w:delText>gone</w:delText></w:r></w:del>{}",
    FIELD.format(" PAGE ", "{}"),
    FIELD.format(" DATE ", "{}"),
)
SIGNS = (
    "<w:tab/>",
    "<w:br/>",
    "<w:cr/>",
    "<w:ptab/>",
    "<w:noBreakHyphen/>",
    "<w:softHyphen/>",
    '<w:sym w:font="Symbol" w:char="F062"/>',
    '<w:sym w:font="Of nobody" w:char="F041"/>',
    "<w:t>a<!-- c -->b</w:t>",
    "<w:t>\uf061</w:t>",
)
words = st.text(LETTERS, max_size=6)
runs = st.one_of(
    words.map(lambda text: run(escape(text))),
    st.tuples(words, st.sampled_from(SIGNS), words.map(escape)).map(
        lambda parts: f"<w:r><w:t>{escape(parts[0])}</w:t>{parts[1]}<w:t>{parts[2]}</w:t></w:r>"
    ),
)
inline = st.tuples(st.sampled_from(AROUND), runs).map(lambda made: made[0].format(made[1]))
tabs = st.sampled_from(["", "<w:pPr><w:tabs><w:tab w:val='left' w:pos='9'/></w:tabs></w:pPr>"])
paragraphs = st.tuples(tabs, st.lists(inline, max_size=4)).map(
    lambda made: paragraph(made[0], *made[1])
)
bodies = st.lists(paragraphs, min_size=1, max_size=4).map("".join)
boxes = bodies.map(
    lambda inner: paragraph(
        "<w:r><w:pict><v:rect><v:textbox><w:txbxContent>"
        f"{inner}</w:txbxContent></v:textbox></v:rect></w:pict></w:r>"
    )
)
cells = bodies.map(lambda inner: f"<w:tc>{inner}</w:tc>")
rows = st.lists(cells, min_size=1, max_size=3).map(lambda inner: f"<w:tr>{''.join(inner)}</w:tr>")
tables = st.lists(rows, min_size=1, max_size=2).map(
    lambda inner: f"<w:tbl><w:tblPr/><w:tblGrid/>{''.join(inner)}</w:tbl>"
)
mixed = st.lists(st.one_of(bodies, tables, boxes), min_size=1, max_size=3).map("".join)
new_texts = st.lists(st.text("mnoPQ<&\u2011", min_size=1, max_size=5), min_size=1, max_size=3)


@st.composite
def stretches(draw: st.DrawFn, text: str) -> list[tuple[int, int, str]]:
    """Disjoint stretches that begin and end with signs, and new texts."""
    signs = [place for place, sign in enumerate(text) if not sign.isspace()]
    ends = draw(st.lists(st.sampled_from(signs), max_size=8, unique=True).map(sorted))
    between = st.sampled_from([" ", "\n", "\t"])
    return [
        (start, end + 1, draw(between).join(draw(new_texts)))
        for start, end in list(pairwise(ends))[::2]
    ]


@settings(max_examples=50, deadline=None)
@given(bodies, st.data())
def test_a_document_reads_as_the_permitted_text(body: str, data: st.DataObject) -> None:
    document = pack_word(body)
    text = read_word(document)
    if not text:
        return
    permit = permit_for(text, data.draw(stretches(text)))
    assert read_word(write_docx(document, text, permit)) == permit.text


@settings(max_examples=20, deadline=None)
@given(mixed, bodies, bodies, st.data())
def test_ends_of_cells_boxes_and_parts_stay(
    body: str, first: str, last: str, data: st.DataObject
) -> None:
    edges = (
        '<w:sectPr><w:headerReference w:type="default" r:id="header1"/>'
        '<w:footerReference w:type="default" r:id="footer1"/></w:sectPr>'
    )
    parts = {
        "header1.xml": ("header", f"<w:hdr {NAMES}>{first}</w:hdr>"),
        "footer1.xml": ("footer", f"<w:ftr {NAMES}>{last}</w:ftr>"),
    }
    document = pack_word(body + edges, parts)
    text = read_word(document)
    if not text:
        return
    permit = permit_for(text, data.draw(stretches(text)))
    made = write_docx(document, text, permit)
    assert "".join(read_word(made).split()) == "".join(permit.text.split())
    assert b"gone" not in unpack_all(made)
    assert write_docx(made, read_word(made), permit_for(read_word(made), [])) == made


@given(st.text("ab \n\t\x1f\u00a0", max_size=30))
@example("\n\x1f")
@example("a\n\x1f\x1f\nb ")
def test_each_sign_of_a_text_is_where_it_is_said_to_be(pieces: str) -> None:
    places = locate_text(pieces)
    found = "".join(pieces[place] for place in places).replace("\x1f", "\t")
    assert found == tidy_text(pieces)
    assert list(places) == sorted(set(places))
