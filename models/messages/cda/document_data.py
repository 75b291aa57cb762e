"""Read texts with references and files in CDA documents, and values whose type stands beside."""

import base64
import binascii
from collections.abc import Callable, Mapping
from types import MappingProxyType

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.attachments.read_attachment import read_attachment
from deidstream.models.messages.cda.attributes import keep_language, read_type
from deidstream.models.messages.cda.document_template import AttributeValue, ContentSlot
from deidstream.models.messages.cda.narrative_text import walk_narrative
from deidstream.models.messages.cda.parse_document import name_of
from deidstream.models.messages.cda.person_values import walk_address, walk_name, walk_telecom
from deidstream.models.messages.cda.simple_values import (
    walk_boolean,
    walk_code,
    walk_id,
    walk_quantity,
    walk_reference,
    walk_time,
)
from deidstream.models.messages.cda.walk_state import WalkState, has_word
from deidstream.models.text.word_files import split_list
from deidstream.schemas.documents.attachment import AttachmentFault, UnscannableAttachment
from deidstream.schemas.documents.note_form import CodedTerm

_PLAIN = "text/plain"
_NAMED = frozenset({_PLAIN, "application/dicom"})
"""Types of what is there and of what is linked to; others are not named."""
_TERMS = frozenset(split_list("softwareName manufacturerModelName derivationExpr"))


def walk_data(walk: WalkState, element: Element) -> None:
    """Read free text: a narrative in a section, a file, or a text with a reference.

    Raises:
        UnscannableAttachment: The text of a file cannot be read.
    """
    name, holder = name_of(element), name_of(element.getparent())
    if name == "text" and holder == "section":
        walk_narrative(walk, element)
        return
    media_type, representation = element.get("mediaType", ""), element.get("representation", "")
    image = media_type.startswith("image/") and holder != "nonXMLBody"
    attributes: list[tuple[str, AttributeValue]] = [*keep_language(element)]
    if image:
        # Nobody reads a picture; the rest of the document does not depend on it.
        walk.write_element(element, [("nullFlavor", "MSK")])
        return
    text = "".join(element.itertext())
    encoded = representation == "B64" or element.get("compression") is not None
    rich = media_type not in {"", _PLAIN} and holder in {"nonXMLBody", "observationMedia"}
    if encoded or (rich and has_word(text)):
        text = _read_file(element, text, encoded=encoded)
        media_type = _PLAIN
    attributes += [("mediaType", media_type)] * (media_type in _NAMED)

    def fill() -> None:
        for inner in element:
            if name_of(inner) == "reference":
                walk_reference(walk, inner)
        if has_word(text):
            walk.pieces.append(ContentSlot(_add_text(walk, element, text)))

    walk.write_element(element, attributes, fill)


def _add_text(walk: WalkState, element: Element, text: str) -> int:
    name = name_of(element).rpartition(":")[2]
    lines = [" ".join(line.split()) for line in text.strip().splitlines()]
    written = "\n".join(line for line in lines if line)
    term = CodedTerm.LOCAL if name in _TERMS else None
    return walk.add_part(written, name, None, term)


def _read_file(element: Element, text: str, *, encoded: bool) -> str:
    if element.get("compression") is not None:
        raise UnscannableAttachment(AttachmentFault.UNKNOWN_TYPE)
    if not encoded:
        return read_attachment(text.encode(), f"{element.get('mediaType')}; charset=utf-8")
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise UnscannableAttachment(AttachmentFault.MALFORMED) from None
    return read_attachment(data, element.get("mediaType", ""))


def walk_value(walk: WalkState, element: Element) -> None:
    """Read a value by the type that it states; one of another type is masked.

    Raises:
        UnscannableAttachment: The text of a file cannot be read.
    """
    data_type = read_type(element)
    reader = _VALUES.get(data_type)
    if not data_type:
        # The standard has fixed the type there.
        reader = {"regionOfInterest": walk_quantity, "observationMedia": walk_data}.get(
            name_of(element.getparent())
        )
    if reader is not None:
        reader(walk, element)
        return
    stated = [] if data_type else [("xsi:type", "ST")]
    walk.write_element(element, [*stated, ("nullFlavor", "MSK")])


_VALUES: Mapping[str, Callable[[WalkState, Element], None]] = MappingProxyType(
    {
        **dict.fromkeys(split_list("CD CE CO CR CS CV SC"), walk_code),
        **dict.fromkeys(
            split_list(
                "INT REAL PQ PQR MO IVL_INT IVL_REAL IVL_PQ IVL_MO RTO RTO_MO_PQ RTO_PQ_PQ "
                "RTO_QTY_QTY SXCM_INT SXCM_PQ IVXB_PQ IVXB_INT"
            ),
            walk_quantity,
        ),
        **dict.fromkeys(split_list("TS IVL_TS PIVL_TS EIVL_TS SXCM_TS SXPR_TS IVXB_TS"), walk_time),
        **dict.fromkeys(split_list("ED ST"), walk_data),
        **dict.fromkeys(split_list("BL BN"), walk_boolean),
        **dict.fromkeys(split_list("TEL URL"), walk_telecom),
        **dict.fromkeys(split_list("EN ON PN TN"), walk_name),
        "II": walk_id,
        "AD": walk_address,
    }
)
"""Readers of values, by their data types."""
