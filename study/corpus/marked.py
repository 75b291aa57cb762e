"""Notes with their spans marked inline, as in ``seen by Dr. [[DOCTOR|Okafor]]``.

A file is a header of lines ``# key: value``, of which ``# note_type:`` is known, an empty line, and
the text. Marks do not nest; a mark's text holds neither ``[[``, ``]]`` nor ``|`` and may hold line
breaks.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

_OPEN, _BAR, _CLOSE = "[[", "|", "]]"
_LABELS: Mapping[str, PhiLabel] = {label.value: label for label in PhiLabel}


def read_marked_file(path: Path, folder: Path) -> LabelledNote:
    """Read a file of marked text; its path within ``folder`` is the note's id and the patient's.

    Raises:
        ValueError: Something is marked wrongly; the message names the file, line and column.
    """
    note_id = path.relative_to(folder).as_posix()
    try:
        return parse_marked_text(path.read_text("utf-8"), note_id)
    except ValueError as error:
        msg = f"{note_id}: {error}"
        raise ValueError(msg) from None


def read_folder(folder: Path) -> Iterator[LabelledNote]:
    """Read all ``*.txt`` files below a folder, by name.

    Raises:
        ValueError: As ``read_marked_file``.
        FileNotFoundError: There is no such folder.
    """
    if not folder.is_dir():
        msg = "the folder of marked notes is not there"
        raise FileNotFoundError(msg)
    for path in sorted(folder.rglob("*.txt")):
        yield read_marked_file(path, folder)


def parse_marked_text(marked: str, note_id: str) -> LabelledNote:
    """Read marked text with its header.

    Raises:
        ValueError: Something is marked wrongly; the message names line and column.
    """
    header, start = _header(marked)
    text, spans = _strip_marks(marked, start)
    note = RawNote(note_id, note_id, text, note_type=header.get("note_type") or None)
    return LabelledNote(note, spans)


def _header(marked: str) -> tuple[dict[str, str], int]:
    """Read the header; where the text begins."""
    fields: dict[str, str] = {}
    at = 0
    while marked.startswith("# ", at):
        end = marked.find("\n", at)
        line = marked[at : end if end >= 0 else len(marked)]
        key, colon, value = line[2:].partition(":")
        if not colon:
            _refuse(marked, at, "a line of the header has no colon")
        fields[key.strip()] = value.strip()
        at += len(line) + (end >= 0)
    if fields and marked.startswith("\n", at):
        at += 1
    return fields, at


def _strip_marks(marked: str, at: int) -> tuple[str, tuple[Span, ...]]:
    """Take the marks out; spans in code points of what is left."""
    pieces: list[str] = []
    spans: list[Span] = []
    length = 0
    while (start := marked.find(_OPEN, at)) >= 0:
        _refuse_close(marked, at, start)
        label, inner, end = _mark(marked, start)
        pieces += (marked[at:start], inner)
        length += start - at
        spans.append(Span(length, length + len(inner), label))
        length, at = length + len(inner), end
    _refuse_close(marked, at, len(marked))
    pieces.append(marked[at:])
    return "".join(pieces), tuple(spans)


def _mark(marked: str, start: int) -> tuple[PhiLabel, str, int]:
    """Read one mark: its label, its text, and where it ends."""
    close = marked.find(_CLOSE, start)
    if close < 0 or _OPEN in marked[start + 2 : close]:
        _refuse(marked, start, "a mark is not closed")
    # A text may end in a bracket of its own: the last two close the mark.
    while marked.startswith(_CLOSE, close + 1):
        close += 1
    name, bar, inner = marked[start + 2 : close].partition(_BAR)
    if name not in _LABELS:
        _refuse(marked, start, "a mark names no label")
    if not bar or not inner or _BAR in inner:
        _refuse(marked, start, "a mark is not [[LABEL|text]]")
    return _LABELS[name], inner, close + 2


def _refuse_close(marked: str, at: int, end: int) -> None:
    stray = marked.find(_CLOSE, at, end)
    if stray >= 0:
        _refuse(marked, stray, "marks are closed that were not opened")


def _refuse(marked: str, at: int, reason: str) -> None:
    line = marked.count("\n", 0, at) + 1
    column = at - marked.rfind("\n", 0, at)
    msg = f"line {line}, column {column}: {reason}"
    raise ValueError(msg)


def write_marked_text(labelled: LabelledNote) -> str:
    """Write a note as marked text that ``parse_marked_text`` reads back.

    Raises:
        ValueError: The text holds marks of its own.
    """
    text, pieces, at = labelled.note.text, list[str](), 0
    for span in labelled.spans:
        inner = text[span.start : span.end]
        pieces += (text[at : span.start], f"{_OPEN}{span.label}{_BAR}{inner}{_CLOSE}")
        at = span.end
    marked = f"# note_type: {labelled.note.note_type or ''}\n\n" + "".join([*pieces, text[at:]])
    if parse_marked_text(marked, labelled.note.note_id).spans != tuple(
        map(_drop_score, labelled.spans)
    ):
        msg = "the text holds marks of its own"
        raise ValueError(msg)
    return marked


def _drop_score(span: Span) -> Span:
    return Span(span.start, span.end, span.label)
