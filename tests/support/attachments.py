"""Small attachments of each type, made as senders make them."""

from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

from docx import Document
from pypdf import PdfReader, PdfWriter

RTF = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Helvetica;}}{\info{\author Nobody}}"
    rb"\pard Mrs. Ren\'e9e Vogel was seen.\par Plan: {\b rest}\par}"
)
HTML = (
    b"<html><head><title>Letter</title><script>var a = 1;</script></head><body><h1>Visit</h1>"
    b"<p>Seen by <b>Dr.</b> Vogel &amp; team</p><table><tr><td>BP</td><td>120/80</td></tr></table>"
    b"</body></html>"
)


def make_pdf(*pages: str, password: str | None = None) -> bytes:
    """A PDF with one line on each page; an empty one has no text."""
    count = len(pages)
    kids = " ".join(f"{3 + number} 0 R" for number in range(count))
    font = 3 + 2 * count
    objects = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count {count}>>"]
    objects += [
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {3 + count + number} 0 R"
        f"/Resources<</Font<</F1 {font} 0 R>>>>>>"
        for number in range(count)
    ]
    for text in pages:
        drawn = f"BT /F1 12 Tf 72 700 Td ({text}) Tj ET" if text else ""
        objects.append(f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream")
    objects.append("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    return _protect(_number(objects), password)


def _number(objects: list[str]) -> bytes:
    written, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj" % number + body.encode() + b"endobj\n"
    start = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % place for place in places)
    written += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)
    return bytes(written)


def _protect(pdf: bytes, password: str | None) -> bytes:
    if password is None:
        return pdf
    writer, out = PdfWriter(clone_from=PdfReader(BytesIO(pdf))), BytesIO()
    writer.encrypt(password, algorithm="AES-256")
    writer.write(out)
    return out.getvalue()


def make_docx(*paragraphs: str, header: str = "", cell: str = "") -> bytes:
    """A DOCX with these paragraphs, and a table with one cell."""
    document, out = Document(), BytesIO()
    if header:
        document.sections[0].header.paragraphs[0].text = header
    for text in paragraphs:
        document.add_paragraph(text)
    if cell:
        document.add_table(1, 1).cell(0, 0).text = cell
    document.save(out)
    return out.getvalue()


def make_bomb(size: int, sign: bytes = b" ") -> bytes:
    """A DOCX whose body is ``size`` signs, packed to a thousandth."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", sign * size)
    return out.getvalue()
