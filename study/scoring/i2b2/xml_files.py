"""Name, read and write files of i2b2/UTHealth 2014: ``<deIdi2b2><TEXT/><TAGS/></deIdi2b2>``.

A file is named ``NNN-NN.xml``, after patient and record. The XML that is read may come from
anywhere. A document type declaration is refused, and with it every entity, so that nothing expands
and nothing is fetched.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers.expat import ExpatError, ParserCreate

import re2

from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.scoring.i2b2.tags import (
    ELEMENTS,
    PHI,
    I2b2Note,
    InvalidI2b2,
    Tag,
    element_of,
    type_of,
)

_FILE = re.compile(r"([0-9]+)-([0-9]+)(.*)\.xml", re.DOTALL)
_NOTE = re.compile(r"[0-9]{1,9}-[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class FileName:
    """The parts of a file name."""

    note_id: str
    patient_id: str
    system: str = ""
    """The part after the record number, which the scripts take for the name of a system."""


def read_name(name: str) -> FileName:
    """Take a file name apart; one of another form names note and patient by all before the dot."""
    match = _FILE.fullmatch(name)
    if match is None:
        stem = name.rpartition(".")[0] or name
        return FileName(stem, stem)
    patient, record, system = match.groups()
    return FileName(f"{patient}-{record}", patient, system)


def name_notes(notes: Sequence[RawNote]) -> tuple[str, ...]:
    """Name the file of each note, in the order of the notes.

    Where every note id has the form ``NNN-NN`` it is the name. Otherwise all notes are numbered:
    patients from 001 and the notes of each from 01, by first appearance; notes without a patient
    are each a patient of their own. The same notes in the same order have the same names.

    Raises:
        InvalidI2b2: Two notes have the same id.
    """
    ids = Counter(note.note_id for note in notes)
    if len(ids) < len(notes):
        msg = "note ids occur more than once: their files cannot be distinguished"
        raise InvalidI2b2(msg)
    if all(_NOTE.fullmatch(note_id) for note_id in ids):
        return tuple(f"{note.note_id}.xml" for note in notes)
    return tuple(_number_notes(notes))


def _number_notes(notes: Sequence[RawNote]) -> Iterator[str]:
    numbers: dict[tuple[str, str], int] = {}
    records = Counter[int]()
    for note in notes:
        patient = (note.patient_id, "" if note.patient_id else note.note_id)
        number = numbers.setdefault(patient, len(numbers) + 1)
        records[number] += 1
        yield f"{number:03}-{records[number]:02}.xml"


_COUNTED = frozenset((*ELEMENTS, PHI))
_WHOLE = re2.compile("0|[1-9][0-9]{0,8}")
_PLAIN_ID = re2.compile("[A-Za-z0-9_.-]{1,24}")
# A parser makes blanks of the line breaks of an attribute that were not written as references.
_BLANKS = str.maketrans("\t\n\r", "   ")
_TAG_DEPTH = 2


def read_i2b2(xml: bytes) -> I2b2Note:
    """Read the text and the tags of one file.

    The file must be UTF-8, whatever it declares: so the evaluation scripts read it. Elements among
    the tags that are not PHI (those of the risk factors) are passed over, as the scripts do. A line
    break is one code point, also where the file has CR LF.

    Raises:
        InvalidI2b2: It is not well-formed, declares a document type, has not one ``TEXT`` and one
            ``TAGS``, or a tag's offsets, text and type do not agree with the text. The message
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
    """The elements that the parser has read so far."""

    path: list[str] = field(default_factory=list[str])
    sections: list[str] = field(default_factory=list[str])
    text: list[str] = field(default_factory=list[str], repr=False)
    tags: list[tuple[str, Mapping[str, str]]] = field(
        default_factory=list[tuple[str, Mapping[str, str]]], repr=False
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
    # The parser reads UTF-16 by its mark or its zeros, whatever encoding it was given.
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
        _check_attributes(attributes, text, start, end)
    except InvalidI2b2 as invalid:
        msg = f"tag {_name_tag(attributes, place)} {invalid}"
        raise InvalidI2b2(msg) from None
    return Tag(start, end, element, attributes["TYPE"])


def _offsets(attributes: Mapping[str, str], length: int) -> tuple[int, int]:
    said = attributes.get("start", ""), attributes.get("end", "")
    if not all(_WHOLE.fullmatch(offset) for offset in said):
        msg = "has a start or end that is not a number of characters"
        raise InvalidI2b2(msg)
    start, end = map(int, said)
    if not start < end <= length:
        msg = f"lies at [{start}, {end}): empty, or beyond the {length} characters of the text"
        raise InvalidI2b2(msg)
    return start, end


def _check_attributes(attributes: Mapping[str, str], text: str, start: int, end: int) -> None:
    if "TYPE" not in attributes:
        msg = "has no TYPE"
        raise InvalidI2b2(msg)
    said = attributes.get("text")
    # The first that differs ends the reading, so that no more is copied than the file says.
    if said is not None and _replace_blanks(said) != _replace_blanks(text[start:end]):
        msg = f"has another text than the note at [{start}, {end})"
        raise InvalidI2b2(msg)


def _replace_blanks(text: str) -> str:
    return text.translate(_BLANKS)


def _name_tag(attributes: Mapping[str, str], place: int) -> str:
    said = attributes.get("id", "")
    return said if _PLAIN_ID.fullmatch(said) else f"number {place + 1}"


_HEAD = '<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n<TEXT>'
_SURROGATES = range(0xD800, 0xE000)
_ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)


def write_i2b2(text: str, spans: Iterable[Span], *, own_labels: bool = False) -> bytes:
    """Write a text and its spans; ``read_i2b2`` finds the same characters and places.

    Spans may overlap; equal places of one label are written once. Scores and sources are lost.

    Args:
        text: The text of the note.
        spans: Its spans.
        own_labels: Whether the type of a label of the site's own is its name, which only a reader
            with ``[labels]`` knows, or the one of the 28 that it is like.

    Raises:
        InvalidI2b2: The text holds a character that XML 1.0 (section 2.2) cannot hold, such as a
            form feed or a lone surrogate, or a span ends after it.
    """
    _refuse_unwritable(text)
    places = sorted({(s.start, s.end, s.label, s.name if own_labels else s.label) for s in spans})
    _refuse_beyond(len(text), [end for _, end, _, _ in places])
    tags = "".join(
        f'<{element_of(label)} id="P{number}" start="{start}" end="{end}" '
        f'text="{text[start:end].translate(_ESCAPES)}" TYPE="{type_of(name)}" comment="" />\n'
        for number, (start, end, label, name) in enumerate(places)
    )
    return f"{_HEAD}{_cdata(text)}</TEXT>\n<TAGS>\n{tags}</TAGS>\n</deIdi2b2>\n".encode()


def _cdata(text: str) -> str:
    # A parser would make a line feed of a carriage return that is not a reference.
    inside = text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    return f"<![CDATA[{inside}]]>"


def _refuse_unwritable(text: str) -> None:
    wrong = [character for character in set(text) if not _writable(ord(character))]
    if wrong:
        first = min(map(text.index, wrong))
        msg = f"the character at {first} is one that XML cannot hold"
        raise InvalidI2b2(msg)


def _writable(code: int) -> bool:
    if code < ord(" "):
        return chr(code) in "\t\n\r"
    return code not in _SURROGATES and code not in {0xFFFE, 0xFFFF}


def _refuse_beyond(length: int, ends: Collection[int]) -> None:
    if max(ends, default=0) > length:
        msg = f"a span ends beyond the {length} characters of the text"
        raise InvalidI2b2(msg)
