"""Recognise a CDA document, and parse it without harm."""

import re

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from deidstream.models.messages.attachments.attachment_limits import LIMITS
from deidstream.models.messages.attachments.charsets import decode_text, stated_in_markup
from deidstream.models.messages.attachments.markup_text import Element
from deidstream.schemas.documents.attachment import UnscannableAttachment
from deidstream.schemas.errors import InvalidNote, NoteField, Reason

V3, SDTC = "urn:hl7-org:v3", "urn:hl7-org:sdtc"
ROOT = f"{{{V3}}}ClinicalDocument"
DEEPEST = 100
"""Levels of elements; documents of C-CDA have some 30."""
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]{0,200}\?>")
_PROLOG = re.compile(r"(?:\s|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_OPENS = re.compile(r"<(?:[\w.-]{1,40}:)?ClinicalDocument[\s>/]")
_DOCTYPE = "<!"
_MARK = "\ufeff"
_NAMES = tuple("ClinicalDocument".encode(each) for each in ("ascii", "utf-16-le", "utf-16-be"))
BEGINNINGS = (b"<", b"\xef\xbb\xbf<", b"\xff\xfe<\0", b"\xfe\xff\0<")
"""How a document begins, with the byte order marks that it may have."""


def is_document(text: str) -> bool:
    """Return whether a text is a CDA document as a whole, or claims to be one.

    A document type stands before its first element if it has one.
    """
    if "ClinicalDocument" not in text or not text[:64].lstrip(f"{_MARK} \t\r\n").startswith("<"):
        return False
    start = _find_root(text)
    if text.startswith(_DOCTYPE, start):
        return _OPENS.search(text, start) is not None
    return _OPENS.match(text, start) is not None


def read_bytes(data: bytes) -> str:
    """Return the characters of an XML document, by what it states of them.

    Raises:
        InvalidNote: They are not of the character set that it states, or that is not read.
    """
    try:
        return decode_text(data, stated_in_markup(data) or "utf-8")
    except UnscannableAttachment:
        raise InvalidNote(Reason.BAD_DOCUMENT, NoteField.DOCUMENT) from None


def find_document(data: bytes) -> str | None:
    """Return the characters of a file that is a document; ``None`` for another file.

    Raises:
        InvalidNote: It is one, and not of the character set that it states.
    """
    named = any(name in data for name in _NAMES)
    if not named or not data[:64].lstrip().startswith(BEGINNINGS):
        return None
    text = read_bytes(data)
    return text if is_document(text) else None


def parse_document(text: str) -> Element:
    """Parse a document; nothing is loaded, and a document type is refused.

    Raises:
        InvalidNote: It is not well-formed, has a document type, has too many elements or levels,
            or is no CDA document.
    """
    bare = text.lstrip(f"{_MARK} \t\r\n")
    declared = _DECLARATION.match(bare)
    bare = bare[declared.end() :] if declared else bare
    # Entities could only be declared there, so none is ever expanded.
    if bare.startswith(_DOCTYPE, _find_root(bare)) or bare.count("<") > LIMITS.tags:
        raise InvalidNote(Reason.BAD_DOCUMENT, NoteField.DOCUMENT)
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        remove_comments=True,
        remove_pis=True,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    try:
        root = etree.fromstring(bare.encode(), parser)
    except (etree.XMLSyntaxError, UnicodeEncodeError):
        raise InvalidNote(Reason.BAD_DOCUMENT, NoteField.DOCUMENT) from None
    if root.tag != ROOT:
        raise InvalidNote(Reason.UNSUPPORTED_DOCUMENT, NoteField.DOCUMENT)
    _refuse_deep(root)
    return root


def _find_root(text: str) -> int:
    found = _PROLOG.match(text.removeprefix(_MARK))
    return (found.end() if found else 0) + text.startswith(_MARK)


def _refuse_deep(root: Element) -> None:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > DEEPEST:
            raise InvalidNote(Reason.BAD_DOCUMENT, NoteField.DOCUMENT)


def name_of(element: Element) -> str:
    """Return the name of an element: ``code``, ``sdtc:raceCode``; empty for another namespace."""
    return write_name(element.tag)


def write_name(tag: object) -> str:
    """Return a name of lxml as documents write it; empty for another namespace."""
    if not isinstance(tag, str):
        return ""
    namespace, _, local = tag.removeprefix("{").rpartition("}")
    if namespace == V3:
        return local
    return f"sdtc:{local}" if namespace == SDTC else ""
