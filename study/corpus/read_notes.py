"""Read the notes that models are made from: labelled lines, or folders of marked files."""

from collections.abc import Iterator
from pathlib import Path

from deidstream.agents.runtime.lines import read_lines
from deidstream.schemas.errors import InvalidNote, MissingArtefact, Refused
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.schemas.wire import decode
from deidstream.study.corpus.marked import read_folder


def read_labelled_notes(path: Path) -> list[LabelledNote]:
    """Read labelled notes, one a line.

    Raises:
        MissingArtefact: The file cannot be read.
        Refused: A line is not a labelled note; the message says which and why.
    """
    return list(_decode_lines(path))


def _decode_lines(path: Path) -> Iterator[LabelledNote]:
    for number, line in read_lines(path):
        try:
            yield decode_labelled(line)
        except InvalidNote as invalid:
            msg = f"{path}: line {number + 1}: {invalid}"
            raise Refused(msg) from None


def read_texts(path: Path) -> list[str]:
    """Read the texts of notes, labelled or not, one a line; or those of a folder of marked notes.

    Raises:
        MissingArtefact: Something cannot be read.
        Refused: A line or a file is not a note; the message says which and why.
    """
    if path.is_dir():
        return [labelled.note.text for labelled in read_marked_notes(path)]
    texts: list[str] = []
    for number, line in read_lines(path):
        try:
            texts.append(decode(line).text)
        except InvalidNote as invalid:
            msg = f"{path}: line {number + 1}: {invalid}"
            raise Refused(msg) from None
    return texts


def read_marked_notes(folder: Path) -> list[LabelledNote]:
    """Read a folder of marked notes.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: Something is marked wrongly; the message names the note, line and column.
    """
    try:
        return list(read_folder(folder))
    except OSError as error:
        msg = f"{error.filename or folder}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    except ValueError as wrong:
        msg = f"{folder}: {wrong}"
        raise Refused(msg) from None
