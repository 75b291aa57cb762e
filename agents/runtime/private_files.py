"""Files and folders that their owner alone may read."""

import os
import stat
from pathlib import Path

from deidstream.schemas.errors import MissingArtefact

OWNER = stat.S_IRUSR | stat.S_IWUSR


def make_private(folder: Path, inner: str) -> None:
    """Create a folder, and one in it, for their owner alone.

    Raises:
        MissingArtefact: They cannot be created.
    """
    try:
        # The mode is that of the last folder alone.
        folder.mkdir(parents=True, exist_ok=True, mode=stat.S_IRWXU)
        (folder / inner).mkdir(exist_ok=True, mode=stat.S_IRWXU)
    except OSError as error:
        msg = f"{folder}: cannot be created: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def write_private(path: Path, content: bytes) -> None:
    """Write a file as a whole, in a folder that is made if need be, and wait for the disk.

    Raises:
        MissingArtefact: It cannot be written.
    """
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=stat.S_IRWXU)
        _write(fresh, os.O_TRUNC, content)
        fresh.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from None


def append_private(path: Path, line: bytes) -> None:
    """Add a line to a file, and wait until it is on the disk.

    Raises:
        MissingArtefact: It cannot be written.
    """
    try:
        _write(path, os.O_APPEND, line + b"\n")
    except OSError as error:
        raise _unwritable(path, error) from None


def _write(path: Path, way: int, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | way, OWNER), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _unwritable(path: Path, error: OSError) -> MissingArtefact:
    return MissingArtefact(f"{path}: cannot be written: {type(error).__name__}")
