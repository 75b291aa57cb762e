"""Put the text of a file that is sent within a message in its place, or why it cannot be read.

Source: HL7 v2.5.1, section 2.A.24, ``ED``: source, type, subtype, encoding and data.
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from deidstream.models.messages.attachments.attachment_limits import AttachmentLimits
from deidstream.models.messages.attachments.read_attachment import DOCX as _DOCX
from deidstream.models.messages.attachments.read_attachment import read_attachment
from deidstream.models.messages.cda.parse_document import find_document, is_document
from deidstream.models.phi.hl7.message_grammar import Signs, empty, escape, unescape
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.errors import InvalidNote

_TYPE, _SUBTYPE, _ENCODING, _DATA = 1, 2, 3, 4
_PLAIN_TEXT = frozenset({"", "A"})
"""Encodings of data that is text as it stands."""
_SHORTEST_LINE = 60
"""Fewest characters of base64 in a row that count as a line of a file; lines have 64 or 76."""
_SHORTEST_TEXT = 16
_SHORT_TEXT = re.compile(
    rf"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{{{_SHORTEST_TEXT - 2},}}={{0,2}}(?![A-Za-z0-9+/=])"
)
"""The last line of a file that was cut into several results, or a short text."""
_BASE64 = re.compile("[A-Za-z0-9+/]+={0,2}")
_DEEPEST = 3
"""Files in each other that are read."""
_LIMITS = AttachmentLimits(characters=200_000, seconds=5.0)
"""A sender waits for its answer, and the text must fit into its note."""
_CONTENT: Mapping[str, str] = MappingProxyType(
    {
        "": "",
        "OCTET-STREAM": "",
        "PLAIN": "text/plain",
        "TEXT": "text/plain",
        "TXT": "text/plain",
        "HTML": "text/html",
        "XML": "text/xml",
        "RTF": "application/rtf",
        "PDF": "application/pdf",
        "DOCX": _DOCX,
        _DOCX.rpartition("/")[2].upper(): _DOCX,
        "X-HL7-CDA-LEVEL-ONE": "text/xml",
        "X-RTF": "application/rtf",
    }
)
"""Content types by ED-3, or by ED-2 where that is empty; any other file is left out."""


def show_file(components: Sequence[str], signs: Signs) -> str:
    """Return a file as plain text in the place of its data, or why it is left out.

    Args:
        components: Of one ``ED``, as they are written.
        signs: The separators of its message.
    """
    if len(components) <= _DATA:
        return signs.component.join(_show_misplaced(written, signs) for written in components)
    source, *more = (empty(one, signs) for one in (components[0], *components[_DATA + 1 :]))
    return signs.component.join((source, "TEXT", "PLAIN", "A", _read(components, signs), *more))


def find_document_in(components: Sequence[str], signs: Signs) -> str | None:
    """Return the clinical document (CDA) that a file is; ``None`` for another one.

    Args:
        components: Of one ``ED``, as they are written.
        signs: The separators of its message.
    """
    if len(components) <= _DATA:
        return None
    try:
        data = _decode(components, signs)
        written = unescape(components[_DATA], signs)
        if written.encode() == data:
            # What it states of its characters was true before it became part of the message.
            return written if is_document(written) else None
        return find_document(data)
    except (UnscannableAttachment, InvalidNote):
        return None


def _show_misplaced(written: str, signs: Signs) -> str:
    """Return a component of a file whose data is not where it belongs."""
    shown = show_encoded(written, signs)
    if shown != written:
        return shown
    coded = len(written) % 4 == 0 and _BASE64.fullmatch(written) and _has_all_kinds(written)
    return _say(AttachmentFault.MALFORMED) if coded or " " in written else empty(written, signs)


def show_encoded(written: str, signs: Signs, inside: int = 0) -> str:
    """Return a value with the text of the files that stand in it as base64, of no stated type.

    Some senders put them into ``TX`` or ``ST``, where no recognizer would see what they say.

    Args:
        written: The value.
        signs: The separators of its message.
        inside: How many files the value is in.
    """
    if len(written) < _SHORTEST_TEXT:
        return written
    read = _encoded(signs.escape).sub(lambda found: _show_found(found[0], signs, inside), written)
    return _SHORT_TEXT.sub(lambda found: _show_text(found[0], signs), read)


@lru_cache(maxsize=16)
def _encoded(sign: str) -> re.Pattern[str]:
    """Match base64, in one line or with line ends as a message has them."""
    end = f"{re.escape(sign)}\\.[Bb][Rr]{re.escape(sign)}"
    line = f"[A-Za-z0-9+/]{{{_SHORTEST_LINE},}}"
    return re.compile(f"{line}(?:{end}{line})*(?:{end}[A-Za-z0-9+/]+)?={{0,2}}")


def _show_found(written: str, signs: Signs, inside: int) -> str:
    if not _has_all_kinds(written):
        return written
    if inside == _DEEPEST:
        return _say(AttachmentFault.TOO_DEEP)
    shown = _read(("", "", "", "BASE64", written), signs, inside)
    if shown != _say(AttachmentFault.UNKNOWN_TYPE):
        return shown
    # What has no beginning of a document may be text.
    whole = "".join(unescape(written, signs).split())
    text = _show_text(whole, signs)
    return shown if text == whole else text


def _show_text(written: str, signs: Signs) -> str:
    """Return the text that base64 holds; what holds none is a word, or a number of record."""
    if len(written) % 4 or written.islower() or written.isupper():
        return written
    try:
        text = b64decode(written, validate=True).decode()
    except ValueError:
        return written
    if not all(sign.isprintable() or sign.isspace() for sign in text):
        return written
    return _write_lines(text, signs)


def _has_all_kinds(written: str) -> bool:
    # A sequence of genes or a drawn line has no mixture of capitals, small letters and digits.
    return all(re.search(kind, written) for kind in ("[a-z]", "[A-Z]", "[0-9]"))


def _say(fault: AttachmentFault) -> str:
    # With its underscores a reason is taken for a name for signing in.
    return f"[file not read: {fault.replace('_', ' ')}]"


def _read(components: Sequence[str], signs: Signs, inside: int = 0) -> str:
    try:
        text = read_attachment(_decode(components, signs), _content_type(components), _LIMITS)
    except UnscannableAttachment as unscannable:
        text = _say(unscannable.fault)
    # A file may hold another one.
    return show_encoded(_write_lines(text, signs), signs, inside + 1)


def _write_lines(text: str, signs: Signs) -> str:
    return signs.line_break.join(escape(line, signs) for line in text.splitlines())


def _content_type(components: Sequence[str]) -> str:
    stated = (components[_SUBTYPE] or components[_TYPE]).strip().upper()
    # Some senders write both parts of a type in one: ``application/pdf``.
    named = stated.rpartition("/")[2]
    if named not in _CONTENT:
        raise UnscannableAttachment(AttachmentFault.UNKNOWN_TYPE)
    return _CONTENT[named]


def _decode(components: Sequence[str], signs: Signs) -> bytes:
    data, encoding = components[_DATA], components[_ENCODING].strip().upper()
    if encoding in _PLAIN_TEXT and _encoded(signs.escape).fullmatch(data) and _has_all_kinds(data):
        encoding = "BASE64"
    try:
        if encoding == "BASE64":
            # Some senders break the lines of the data.
            whole = unescape(data, signs)
            return b64decode("".join(whole.split()), validate=True)
        if encoding == "HEX":
            return bytes.fromhex(data)
    except (binascii.Error, ValueError):
        raise UnscannableAttachment(AttachmentFault.MALFORMED) from None
    return unescape(data, signs).encode()
