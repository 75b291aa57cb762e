"""Whatever bytes come as an attachment, they become text or the one error."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from deidstream.models.messages.attachments.attachment_limits import AttachmentLimits, is_unicode
from deidstream.models.messages.attachments.read_attachment import DOCX, READERS, read_attachment
from deidstream.schemas.documents.attachment import UnscannableAttachment
from support.attachments import HTML, RTF, make_docx, make_pdf

LIMITS = AttachmentLimits(input_bytes=200_000, characters=100_000, seconds=1.0)
TYPES = [*READERS, "", "application/octet-stream", "text/plain; charset=utf-16", "image/png"]
MADE = (HTML, RTF, make_pdf("Seen by Dr. Vogel", "Plan: rest"), make_docx("One", cell="Two"))


def read(data: bytes, content_type: str) -> str | None:
    """The text, or ``None`` where there is none."""
    try:
        text = read_attachment(data, content_type, LIMITS)
    except UnscannableAttachment:
        return None
    assert text.strip() == text != ""
    assert "\0" not in text
    assert is_unicode(text)
    return text


@given(st.binary(max_size=400), st.sampled_from(TYPES))
@example(rb"{\rtf1\u1114112?}", "text/rtf")
@example(rb"{\rtf1{\pict\bin99999999999999999999}", "text/rtf")
def test_any_bytes(data: bytes, content_type: str) -> None:
    read(data, content_type)


@st.composite
def torn(draw: st.DrawFn) -> bytes:
    """A document with a piece left out, doubled or replaced."""
    whole = draw(st.sampled_from(MADE))
    start = draw(st.integers(0, len(whole)))
    end = min(len(whole), start + draw(st.integers(0, 40)))
    put = draw(st.sampled_from([b"", whole[start:end] * 2, b"\xff\x00", b"{", b"<div>", b"99999"]))
    return whole[:start] + put + whole[end:]


@settings(max_examples=150)
@given(torn(), st.sampled_from(TYPES))
def test_torn_documents(data: bytes, content_type: str) -> None:
    for stated in ("", content_type):
        read(data, stated)


@pytest.mark.parametrize(
    ("piece", "content_type"),
    [
        (rb"{\field{\*\fldinst{HYPERLINK ", "text/rtf"),
        (rb"{\fonttbl{\f1\f2\fcharset", "text/rtf"),
        (rb"\'e9\u233?", "text/rtf"),
        (b"<b><p>", "text/html"),
        (b"<td>&amp;", "text/html"),
        (b"<!--<![CDATA[", "text/xml"),
        (b"1 0 obj<</A/B>>endobj\n", "application/pdf"),
        (b"<<[((", "application/pdf"),
        (b"PK\x03\x04", DOCX),
    ],
)
def test_repetition_costs_little(piece: bytes, content_type: str) -> None:
    start = {"text/rtf": rb"{\rtf1 ", "application/pdf": b"%PDF-1.4\n"}.get(content_type, b"")
    begun = time.thread_time()
    read(start + piece * (150_000 // len(piece)), content_type)
    assert time.thread_time() - begun < 3
