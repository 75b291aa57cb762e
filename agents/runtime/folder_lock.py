"""Let one process at a time have a folder."""

import fcntl
import os
from pathlib import Path

from deidstream.schemas.errors import InvalidSettings, MissingArtefact

_LOCK = ".lock"


def lock_folder(folder: Path, busy: str, mode: int = 0o777) -> int:
    """Lock a folder until the returned handle is closed; make it where it is missing.

    Args:
        folder: The folder.
        busy: What is said of it if another process has it.
        mode: Of a folder that is made.

    Raises:
        MissingArtefact: The folder cannot be made or written.
        InvalidSettings: Another process has it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=mode)
        lock = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        msg = f"{folder}: cannot be opened: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        msg = f"{folder}: {busy}"
        raise InvalidSettings(msg) from None
    return lock
