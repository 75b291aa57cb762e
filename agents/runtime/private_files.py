"""Files and folders that their owner alone may read."""

import os
import stat
from contextlib import suppress
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
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER)
        try:
            write_whole(handle, content)
        finally:
            os.close(handle)
        fresh.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from None


def append_private(path: Path, line: bytes) -> None:
    """Add a line to a file, all of it or nothing, and wait until it is on the disk.

    Raises:
        MissingArtefact: It cannot be written.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER)
        try:
            append_whole(handle, line + b"\n")
        finally:
            os.close(handle)
    except OSError as error:
        raise _unwritable(path, error) from None


def append_whole(handle: int, content: bytes) -> None:
    """Add to an open file, all or nothing, and wait until it is on the disk.

    A part of a line would spoil the line that comes next.

    Raises:
        OSError: It cannot be written. A file that may only grow keeps what it took.
    """
    size = os.fstat(handle).st_size
    try:
        write_whole(handle, content)
    except OSError:
        with suppress(OSError):
            os.ftruncate(handle, size)
        raise


def write_whole(handle: int, content: bytes) -> None:
    """Write all of ``content``, and wait until it is on the disk.

    Raises:
        OSError: It cannot be written; a part may have been.
    """
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
    os.fsync(handle)


def _unwritable(path: Path, error: OSError) -> MissingArtefact:
    return MissingArtefact(f"{path}: cannot be written: {type(error).__name__}")
