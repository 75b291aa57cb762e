"""Folders of i2b2 2014 files; every mistake is said at once, by file and never with text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from deidstream.models.scoring.i2b2.file_names import FileName, read_name
from deidstream.models.scoring.i2b2.read_file import read_i2b2
from deidstream.models.scoring.i2b2.tags import I2b2Note, InvalidI2b2
from deidstream.schemas.errors import MissingArtefact

MOST_BYTES = 64 << 20
"""Of one file."""
_MOST_SAID = 50
_Given = TypeVar("_Given")
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class I2b2File:
    """One file that was read."""

    name: FileName
    file: str
    """Its name with the ending, without the folder."""
    note: I2b2Note = field(repr=False)


def read_folder(folder: Path) -> Mapping[str, I2b2File]:
    """Read every ``*.xml`` of a folder, by note id, in the order of the file names.

    Raises:
        MissingArtefact: The folder or a file cannot be read.
        InvalidI2b2: Files are not of the format, or two are of the same note; or there is none.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".xml")
    except OSError as error:
        msg = f"{folder}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    files = each(_read, paths, [path.name for path in paths])
    by_note = {file.name.note_id: file for file in files}
    if not files or len(by_note) < len(files):
        msg = f"{folder}: holds {'two files of one note' if files else 'no .xml file'}"
        raise InvalidI2b2(msg)
    return by_note


def each(
    make: Callable[[_Given], _Made], things: Iterable[_Given], names: Iterable[str]
) -> Sequence[_Made]:
    """Make something of each thing.

    Raises:
        InvalidI2b2: Some could not be made; one line for each, under its name.
    """
    made: list[_Made] = []
    wrong: list[str] = []
    for thing, name in zip(things, names, strict=True):
        try:
            made.append(make(thing))
        except InvalidI2b2 as invalid:
            wrong.append(f"{name}: {invalid}")
    if wrong:
        more = [f"and {len(wrong) - _MOST_SAID} more"] if len(wrong) > _MOST_SAID else []
        raise InvalidI2b2("\n".join(wrong[:_MOST_SAID] + more))
    return made


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder that is new or empty.

    Raises:
        MissingArtefact: It holds something, or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            msg = f"{folder}: is not empty, and what is there would be scored along"
            raise MissingArtefact(msg)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as error:
        msg = f"{folder}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _read(path: Path) -> I2b2File:
    try:
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            msg = f"is no file of at most {MOST_BYTES >> 20} MiB"
            raise InvalidI2b2(msg)
        xml = path.read_bytes()
    except OSError as error:
        msg = f"{path}: cannot be read: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    return I2b2File(read_name(path.name), path.name, read_i2b2(xml))
