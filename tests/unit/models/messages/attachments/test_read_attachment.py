"""Attachments become text, or an error that says why they cannot."""

import logging
import zlib
from base64 import b64encode
from dataclasses import replace

import pytest

from deidstream.models.messages.attachments.attachment_limits import LIMITS
from deidstream.models.messages.attachments.read_attachment import DOCX, read_attachment
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import Reason, Stage
from support.attachments import HTML, RTF, make_bomb, make_docx, make_pdf

CDA = b"""<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><component><section>
<title>Plan</title><text><paragraph>Rest <content>at home</content></paragraph></text></section>
</component></ClinicalDocument>"""
RTF_COLUMNS = "Oduya\nDenies\npain \\\\column"
PERSON = b"""<ClinicalDocument><patient><name><given>Ann</given> <given>Bo</given><family>
Sh<b>aw</b> </family></name><addr><streetAddressLine>12 Kiln Rd</streetAddressLine><city>Carrowby
</city></addr></patient></ClinicalDocument>"""
XHTML = b"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">
<html><body><p>Mr.&nbsp;Ren&eacute; <b>Shaw</b> &lt; 80&nbsp;years</p></body></html>"""
ENTITIES = b"""<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>x &c; y</a>"""


@pytest.mark.parametrize(
    ("data", "content_type", "text"),
    [
        (b"Seen today.", "text/plain", "Seen today."),
        ("Frau Müller".encode(), "text/plain; charset=UTF-8", "Frau Müller"),
        ("Frau Müller".encode("latin-1"), "text/plain; charset=ISO-8859-1", "Frau Müller"),
        ("Frau Müller".encode("latin-1"), "text/plain", "Frau Müller"),
        ("Frau Müller".encode("utf-16"), "text/plain; charset=utf-8", "Frau Müller"),
        (HTML, "text/html", "Visit\nSeen by Dr. Vogel & team\nBP\t120/80"),
        (b"<meta charset=windows-1252><p>M\xfcller", "text/html", "Müller"),
        (b"plain words", "text/html", "plain words"),
        (RTF, "application/rtf", "Mrs. Renée Vogel was seen.\nPlan: rest"),
        (rb"{\rtf1 smile \u-10179?\u-8704? HYPERLINK}", "text/rtf", "smile \U0001f600 HYPERLINK"),
        (rb"{\rtf1 Oduya\column Denies\softline pain \\\\column}", "text/rtf", RTF_COLUMNS),
        (CDA, "text/xml", "Plan\nRest at home"),
        (ENTITIES, "application/xml", "x \ufffd y"),
        (XHTML, "application/xml", "Mr. Ren\u00e9 Shaw < 80 years"),
        (PERSON, "text/xml", "Ann Bo Shaw 12 Kiln Rd Carrowby"),
        (make_pdf("Seen by Dr. Vogel", "second"), "application/pdf", "Seen by Dr. Vogel\nsecond"),
        (make_pdf(r"Dose \000 5 mg", "two"), "application/pdf", "Dose \ufffd 5 mg\ntwo"),
        (make_pdf("open", password=""), "application/pdf", "open"),
        (make_docx("One", "Two", header="H", cell="C"), DOCX, "H\nOne\nTwo\nC"),
        (make_docx("One"), "application/octet-stream", "One"),
        (make_pdf("unstated"), "", "unstated"),
        (make_pdf("misstated"), "text/plain", "misstated"),
        (RTF, "text/plain", "Mrs. Renée Vogel was seen.\nPlan: rest"),
        (b"\xef\xbb\xbf <HTML><b>Vo</b>gel", "text/plain; charset=utf-8", "Vogel"),
    ],
)
def test_text_is_read(data: bytes, content_type: str, text: str) -> None:
    assert read_attachment(data, content_type) == text


def holding(data: bytes, content_type: str) -> bytes:
    """A CDA document that holds a file (nonXMLBody)."""
    coded = b64encode(data)
    return (
        b'<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Letter</title><text mediaType="%b" '
        b'representation="B64">%b\n%b</text></ClinicalDocument>'
        % (content_type.encode(), coded[:8], coded[8:])
    )


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (holding(make_pdf("Seen", "Dr. Vogel"), "application/pdf"), "Letter\nSeen\nDr. Vogel"),
        (holding(holding(RTF, "text/rtf"), "text/xml"),
         "Letter\nLetter\nMrs. Ren\u00e9e Vogel was seen.\nPlan: rest"),
        (holding(b"a\x0cb", "text/plain"), "Letter\na b"),
        (holding(b"GIF89a", "image/gif"), "Letter"),
    ],
)  # fmt: skip
def test_a_file_within_a_document_is_read(data: bytes, text: str) -> None:
    assert read_attachment(data, "application/xml") == text


@pytest.mark.parametrize(
    ("data", "content_type", "fault"),
    [
        (make_pdf("secret", password="owl"), "application/pdf", AttachmentFault.ENCRYPTED),
        (make_pdf("", ""), "application/pdf", AttachmentFault.IMAGE_ONLY),
        (b"%PDF-1.4 cut", "application/pdf", AttachmentFault.MALFORMED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....", DOCX, AttachmentFault.ENCRYPTED),
        (b"PK\x03\x04 cut", DOCX, AttachmentFault.MALFORMED),
        (make_bomb(40_000_000), DOCX, AttachmentFault.EXPANDS),
        (b"words", "application/rtf", AttachmentFault.MALFORMED),
        (rb"{\rtf1 " + b"{" * 300, "application/rtf", AttachmentFault.TOO_DEEP),
        (rb"{\rtf1{\fonttbl" + rb"\f1" * 99_999, "text/rtf", AttachmentFault.EXPANDS),
        (b"<p>x" * 1_000_001, "text/html", AttachmentFault.TOO_LARGE),
        (b"<a>" + b"<b/>" * 1_000_001, "text/xml", AttachmentFault.TOO_LARGE),
        (make_bomb(1_000_001, b"<w:p/>"), DOCX, AttachmentFault.EXPANDS),
        (b"<div>" * 250, "text/html", AttachmentFault.TOO_DEEP),
        (b"GIF89a", "image/gif", AttachmentFault.UNKNOWN_TYPE),
        (b"GIF89a", "", AttachmentFault.UNKNOWN_TYPE),
        (b" \n", "text/plain", AttachmentFault.EMPTY),
        (b"a\0b", "text/plain", AttachmentFault.MALFORMED),
        (b"\xff\xfe\x00", "text/plain", AttachmentFault.BAD_CHARSET),
        (b"abc", "text/plain; charset=rot13", AttachmentFault.BAD_CHARSET),
        (b"\xff", "text/plain; charset=utf-8", AttachmentFault.BAD_CHARSET),
        (b"<a><b></a>", "text/xml", AttachmentFault.MALFORMED),
        (holding(b"cut", "application/pdf"), "text/xml", AttachmentFault.MALFORMED),
        (holding(b"x", "video/mp4"), "text/xml", AttachmentFault.UNKNOWN_TYPE),
    ],
)
def test_what_cannot_be_read_says_why(
    data: bytes, content_type: str, fault: AttachmentFault
) -> None:
    with pytest.raises(UnscannableAttachment) as raised:
        read_attachment(data, content_type)
    assert raised.value.fault is fault
    assert (raised.value.reason, raised.value.stage) == (
        Reason.UNSCANNABLE_ATTACHMENT,
        Stage.DECODE,
    )
    assert raised.value.__context__ is None


def test_limits_hold() -> None:
    for limits, data, content_type, fault in (
        (replace(LIMITS, input_bytes=4), b"words", "text/plain", AttachmentFault.TOO_LARGE),
        (replace(LIMITS, characters=4), b"words", "text/plain", AttachmentFault.TOO_LARGE),
        (replace(LIMITS, pages=1), make_pdf("a", "b"), "", AttachmentFault.TOO_MANY_PAGES),
        (replace(LIMITS, expanded_bytes=9), make_pdf("abc"), "", AttachmentFault.EXPANDS),
        (replace(LIMITS, characters=2), make_pdf("abc"), "", AttachmentFault.TOO_LARGE),
        (replace(LIMITS, seconds=0), make_pdf("abc"), "", AttachmentFault.TOO_SLOW),
        (replace(LIMITS, seconds=0), make_docx("abc"), DOCX, AttachmentFault.TOO_SLOW),
        (replace(LIMITS, seconds=0), HTML, "text/html", AttachmentFault.TOO_SLOW),
    ):
        with pytest.raises(UnscannableAttachment) as raised:
            read_attachment(data, content_type, limits)
        assert raised.value.fault is fault


def test_a_stream_that_unpacks_to_very_much_is_refused() -> None:
    packed = zlib.compress(b"0 " * 20_000_000)
    body = make_pdf("abc")
    stream = b"<</Filter/FlateDecode/Length %d>>stream\n" % len(packed) + packed + b"\nendstream"
    start = body.index(b"4 0 obj") + len(b"4 0 obj")
    bomb = body[:start] + stream + body[body.index(b"endobj", start) :]
    with pytest.raises(UnscannableAttachment):
        read_attachment(bomb, "application/pdf")


def test_nothing_of_a_torn_document_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    torn = make_pdf("Vogel").replace(b"xref", b"Vogel").replace(b"/Length", b"/Vogel ")
    with caplog.at_level(logging.DEBUG), pytest.raises(UnscannableAttachment):
        read_attachment(torn, "application/pdf")
    assert caplog.text == ""
