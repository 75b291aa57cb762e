"""Write a document again: its template, with the de-identified texts in the slots."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from uuid import UUID
from xml.sax.saxutils import quoteattr

from deidstream.models.messages.cda.document_template import (
    AttributeForm,
    AttributeSlot,
    AttributeValue,
    ContentSlot,
    IdForm,
    IdSlot,
    Kept,
    NamePart,
    NameSlot,
    OpenTag,
    Piece,
    Template,
    TimeSlot,
)
from deidstream.models.messages.cda.narrative_text import escape
from deidstream.models.messages.forms.kept_values import NUMBER
from deidstream.models.messages.forms.pseudonyms import Pseudonyms

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_NAMESPACES = (
    ("xmlns", "urn:hl7-org:v3"),
    ("xmlns:sdtc", "urn:hl7-org:sdtc"),
    ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
)
_ROOT = "ClinicalDocument"
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_PART_OF_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{2}))?")
_LINK = re.compile(r"[^\s\[\]<>\"{}|\\^`]+")


def render_document(
    template: Template, texts: Sequence[str], pseudonym: Pseudonyms, masked: Collection[str] = ()
) -> str:
    """Return the de-identified document in XML.

    Args:
        template: That of the document.
        texts: The de-identified text of each part of the note.
        pseudonym: Names ids.
        masked: Kept values that may not leave after all.
    """
    renderer = _Renderer(texts, pseudonym, frozenset(masked))
    return _HEAD + "".join(map(renderer.render, template))


@dataclass(frozen=True, slots=True)
class _Renderer:
    texts: Sequence[str] = field(repr=False)
    pseudonym: Pseudonyms
    masked: frozenset[str] = field(repr=False)

    def render(self, piece: Piece) -> str:
        match piece:
            case str():
                return piece
            case OpenTag():
                return self._open(piece)
            case ContentSlot(part):
                return escape(_NOT_XML.sub("", self.texts[part]))
            case NameSlot():
                return self._write_name(piece)

    def _open(self, tag: OpenTag) -> str:
        written: dict[str, str] = {}
        lacks = set(tag.needs)
        for name, value in tag.attributes:
            text = self._read(value)
            if text is not None:
                written[name] = text
                lacks.discard(name)
        if lacks:
            written.setdefault("nullFlavor", "MSK")
        return _write_tag(tag.name, written, closed=tag.closed)

    def _read(self, value: AttributeValue) -> str | None:
        """Return the value of an attribute; ``None`` if it may not leave or no longer fits."""
        match value:
            case str():
                return value
            case Kept(kept):
                return None if kept in self.masked else kept
            case IdSlot(original, form):
                return _write_id(self.pseudonym(original, of_patient=False), form)
            case TimeSlot(part, rest):
                return _write_time(self.texts[part].strip(), rest)
            case AttributeSlot(part, form, scheme):
                return _fit(" ".join(_NOT_XML.sub("", self.texts[part]).split()), form, scheme)

    def _write_name(self, slot: NameSlot) -> str:
        """Cut a name into its parts; what is no name any more stands in place of the family."""
        written = " ".join(_NOT_XML.sub("", self.texts[slot.part]).split())
        family, comma, given = written.partition(", ")
        families = [part for part in slot.parts if part.name == "family" and part.words]
        givens = [part for part in slot.parts if part.name == "given" and part.words]
        if not families:
            family, given = "", written
        elif bool(givens) != bool(comma):
            family, given = written, ""
        words = {id(part): text for part, text in _share_out(family, families)}
        words |= {id(part): text for part, text in _share_out(given, givens)}
        shown = [self._write_part(part, words.get(id(part), "")) for part in slot.parts]
        if givens and not given:
            # C-CDA wants a given name beside each family name, or to hear why there is none.
            place = slot.parts.index(givens[0])
            shown[place] = _write_tag("given", {"nullFlavor": "MSK"}, closed=True)
        inner = "".join(shown)
        return f"{self._open(slot.tag)}{inner}</{slot.tag.name}>"

    def _write_part(self, part: NamePart, words: str) -> str:
        attributes = {name: self._read(value) or "" for name, value in part.attributes}
        text = part.fixed or words
        if not text and part.words:
            return ""
        if not text:
            return _write_tag(part.name, attributes, closed=True)
        opened = _write_tag(part.name, attributes, closed=False)
        return f"{opened}{escape(text)}</{part.name}>"


def _share_out(text: str, parts: Sequence[NamePart]) -> list[tuple[NamePart, str]]:
    """Cut a text by the words that each part had; the first has all if there are others."""
    words = text.split()
    agree = len(words) == sum(part.words for part in parts)
    shares: list[tuple[NamePart, str]] = []
    for part in parts:
        taken = part.words if agree else len(words)
        shares.append((part, " ".join(words[:taken])))
        words = words[taken:]
    return shares


def _write_tag(name: str, attributes: dict[str, str], *, closed: bool) -> str:
    if name == _ROOT:
        attributes = dict(_NAMESPACES) | attributes
    inner = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
    return f"<{name}{inner}{'/' if closed else ''}>"


def _write_id(name: str, form: IdForm) -> str:
    match form:
        case IdForm.NAME:
            return name
        case IdForm.UUID:
            return str(UUID(name))
        case IdForm.URN:
            return UUID(name).urn
        case IdForm.OID:
            return f"2.25.{int(name, 16)}"


def _write_time(text: str, rest: str) -> str | None:
    """Return a point of time as the standard writes it; without a day it has no hour."""
    day = _DAY.fullmatch(text)
    if day is not None:
        return "".join(day.groups()) + rest
    part = _PART_OF_DATE.fullmatch(text)
    return "".join(filter(None, part.groups())) if part else None


def _fit(text: str, form: AttributeForm, scheme: str) -> str | None:
    if not text:
        return None
    match form:
        case AttributeForm.TEXT:
            return text
        case AttributeForm.TOKEN:
            return text if " " not in text else None
        case AttributeForm.NUMBER:
            return text if NUMBER.fullmatch(text) else None
        case AttributeForm.LINK:
            joined = (
                text.replace(" ", "") if scheme.startswith("mailto") else text.replace(" ", "-")
            )
            return scheme + joined if _LINK.fullmatch(joined) else None
