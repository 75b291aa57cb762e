"""Read a file of i2b2/UTHealth 2014: ``<deIdi2b2><TEXT/><TAGS/></deIdi2b2>``.

The XML may be anybody's. A document type declaration is refused, and with it every entity, so that
nothing expands and nothing is fetched.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.parsers.expat import ExpatError, ParserCreate

import re2

from deidstream.models.scoring.i2b2.tags import ELEMENTS, PHI, I2b2Note, InvalidI2b2, Tag

_COUNTED = frozenset((*ELEMENTS, PHI))
_WHOLE = re2.compile("0|[1-9][0-9]{0,8}")
_PLAIN_ID = re2.compile("[A-Za-z0-9_.-]{1,24}")
# A parser makes blanks of the line breaks of an attribute that were not written as references.
_BLANKS = str.maketrans("\t\n\r", "   ")
_TAG_DEPTH = 2


def read_i2b2(xml: bytes) -> I2b2Note:
    """Read the text and the tags of one file.

    The file must be UTF-8, whatever it declares: so the evaluation scripts read it. Elements among
    the tags that are no PHI (those of the risk factors) are passed over, as the scripts do. A line
    break is one code point, also where the file has CR LF.

    Raises:
        InvalidI2b2: It is not well-formed, declares a document type, has not one ``TEXT`` and one
            ``TAGS``, or a tag's offsets, text and type do not agree with the text. What is said
            names the tag, never any text.
    """
    _refuse_encoding(xml)
    reader = _Reader()
    parser = ParserCreate("UTF-8")
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse_document_type
    parser.StartElementHandler = reader.open
    parser.EndElementHandler = reader.close
    parser.CharacterDataHandler = reader.read
    parser.CommentHandler = reader.interrupt
    parser.ProcessingInstructionHandler = reader.interrupt
    try:
        parser.Parse(xml, True)  # noqa: FBT003 - it takes no keyword
    except ExpatError as error:
        msg = f"is not well-formed XML: line {error.lineno}, column {error.offset}"
        raise InvalidI2b2(msg) from None
    return reader.note()


@dataclass(slots=True)
class _Reader:
    """What the parser has met so far."""

    path: list[str] = field(default_factory=list[str])
    sections: list[str] = field(default_factory=list[str])
    text: list[str] = field(default_factory=list[str])
    tags: list[tuple[str, Mapping[str, str]]] = field(
        default_factory=list[tuple[str, Mapping[str, str]]]
    )

    def open(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._in_text():
            self.interrupt()
        if len(self.path) == 1:
            self.sections.append(name)
        elif len(self.path) == _TAG_DEPTH and self.path[1] == "TAGS" and name in _COUNTED:
            self.tags.append((name, attributes))
        self.path.append(name)

    def close(self, _name: str) -> None:
        self.path.pop()

    def read(self, characters: str) -> None:
        if self._in_text():
            self.text.append(characters)

    def interrupt(self, *_said: str) -> None:
        # The scripts read the text only up to here.
        if self._in_text():
            msg = "has markup within TEXT"
            raise InvalidI2b2(msg)

    def note(self) -> I2b2Note:
        if self.sections.count("TEXT") != 1 or self.sections.count("TAGS") != 1:
            msg = "has not one TEXT and one TAGS"
            raise InvalidI2b2(msg)
        text = "".join(self.text)
        tags = (_tag(text, place, *said) for place, said in enumerate(self.tags))
        return I2b2Note(text, tuple(tags))

    def _in_text(self) -> bool:
        return len(self.path) == _TAG_DEPTH and self.path[1] == "TEXT"


def _refuse_encoding(xml: bytes) -> None:
    # The parser reads UTF-16 by its mark or its zeros, whatever it was told.
    try:
        xml.decode()
        wrong = xml.find(b"\0")
    except UnicodeDecodeError as error:
        wrong = error.start
    if wrong >= 0:
        msg = f"is not XML in UTF-8: byte {wrong}"
        raise InvalidI2b2(msg)


def _refuse_document_type(*_said: object) -> None:
    msg = "declares a document type, which is not read: take <!DOCTYPE ...> out"
    raise InvalidI2b2(msg)


def _tag(text: str, place: int, element: str, attributes: Mapping[str, str]) -> Tag:
    try:
        start, end = _offsets(attributes, len(text))
        _check_said(attributes, text, start, end)
    except InvalidI2b2 as invalid:
        msg = f"tag {_named(attributes, place)} {invalid}"
        raise InvalidI2b2(msg) from None
    return Tag(start, end, element, attributes["TYPE"])


def _offsets(attributes: Mapping[str, str], length: int) -> tuple[int, int]:
    said = attributes.get("start", ""), attributes.get("end", "")
    if not all(_WHOLE.fullmatch(offset) for offset in said):
        msg = "has a start or end that is no number of characters"
        raise InvalidI2b2(msg)
    start, end = map(int, said)
    if not start < end <= length:
        msg = f"lies at [{start}, {end}): empty, or beyond the {length} characters of the text"
        raise InvalidI2b2(msg)
    return start, end


def _check_said(attributes: Mapping[str, str], text: str, start: int, end: int) -> None:
    if "TYPE" not in attributes:
        msg = "has no TYPE"
        raise InvalidI2b2(msg)
    said = attributes.get("text")
    # The first that differs ends the reading, so that no more is copied than the file says.
    if said is not None and _blanked(said) != _blanked(text[start:end]):
        msg = f"says another text than stands at [{start}, {end})"
        raise InvalidI2b2(msg)


def _blanked(text: str) -> str:
    return text.translate(_BLANKS)


def _named(attributes: Mapping[str, str], place: int) -> str:
    said = attributes.get("id", "")
    return said if _PLAIN_ID.fullmatch(said) else f"number {place + 1}"
