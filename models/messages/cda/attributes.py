"""Which attributes of an element stay, and what becomes of their values."""

import re
from collections.abc import Iterator

from deidstream.models.messages.attachments.markup_text import Element
from deidstream.models.messages.cda.cda_lists import are_codes, is_template
from deidstream.models.messages.cda.document_template import AttributeValue, Kept
from deidstream.models.messages.cda.parse_document import SDTC
from deidstream.models.text.word_files import split_list

_XSI_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_OF_MODEL = frozenset(
    split_list(
        "classCode moodCode typeCode determinerCode contextControlCode contextConductionInd "
        "negationInd inversionInd nullFlavor unsorted use operator inclusive institutionSpecified "
        "independentInd partitionType qualifier"
    )
)
"""Attributes whose values are codes of the reference model."""
_TYPES = frozenset(
    split_list(
        "AD BIN BL BN CD CE CO CR CS CV ED EIVL_TS EN II INT IVL_INT IVL_MO IVL_PQ IVL_REAL "
        "IVL_TS MO ON PIVL_TS PN PQ PQR REAL RTO RTO_MO_PQ RTO_PQ_PQ RTO_QTY_QTY SC ST SXCM_INT "
        "SXCM_PQ SXCM_TS SXPR_TS TEL TN TS URL IVXB_TS IVXB_PQ IVXB_INT"
    )
)
"""Data types that are read."""
_VERSION = re.compile(r"[A-Za-z]{0,3}[0-9][0-9.:/_-]{0,49}")
LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?")


def kept_attributes(element: Element) -> Iterator[tuple[str, AttributeValue]]:
    """Yield the attributes of any element that the standard fills, and its data type."""
    # Names alone: lxml seeks each value from the first attribute on.
    for name in element.attrib:
        value = element.get(name, "") if name in _OF_MODEL else ""
        if value.split() and are_codes(value):
            yield name, " ".join(value.split())
    data_type = read_type(element)
    if data_type:
        yield "xsi:type", data_type


def read_type(element: Element) -> str:
    """Return the data type that an element states; empty if none, or one that is not read."""
    stated = element.get(_XSI_TYPE, "").strip().rpartition(":")[2]
    return stated if stated in _TYPES else ""


def keep_version(element: Element) -> Iterator[tuple[str, AttributeValue]]:
    """Yield the version of a code system, and the value set that a code is taken from."""
    version = element.get("codeSystemVersion", "")
    if _VERSION.fullmatch(version):
        yield "codeSystemVersion", Kept(version)
    for name in ("valueSet", "valueSetVersion"):
        value = element.get(f"{{{SDTC}}}{name}", "")
        public = is_template(element.get(f"{{{SDTC}}}valueSet", ""))
        if public and _VERSION.fullmatch(value):
            yield f"sdtc:{name}", Kept(value)


def keep_language(element: Element) -> Iterator[tuple[str, AttributeValue]]:
    """Yield the language of a text."""
    if LANGUAGE.fullmatch(element.get("language", "")):
        yield "language", element.get("language")
