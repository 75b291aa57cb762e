"""Let one process at a time write the table of a folder."""

import fcntl
import os
from pathlib import Path

from deidstream.schemas.errors import InvalidSettings, MissingArtefact

_LOCK = ".lock"


def lock_folder(folder: Path) -> int:
    """Lock a folder until the returned handle is closed; make it where it is missing.

    Raises:
        MissingArtefact: The folder cannot be made or written.
        InvalidSettings: Another process writes its table.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        msg = f"{folder}: the table cannot be opened: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        msg = f"{folder}: another process writes this table"
        raise InvalidSettings(msg) from None
    return lock
