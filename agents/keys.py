"""The root key: 32 bytes in a file of 64 hexadecimal digits that only its owner reads."""

import os
import secrets
import stat
from pathlib import Path

from deidstream.models.keyring import ROOT_BYTES
from deidstream.schemas.errors import MissingArtefact


def fresh_key() -> bytes:
    """Draw a root key from the system's CSPRNG."""
    return secrets.token_bytes(ROOT_BYTES)


def write_key(path: Path) -> None:
    """Write a fresh root key to a new file of mode 0600.

    Raises:
        MissingArtefact: There is a file already, or the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        handle = os.open(path, flags, stat.S_IRUSR | stat.S_IWUSR)
    except OSError as error:
        msg = f"key: cannot make {path}: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    with os.fdopen(handle, "w") as file:
        file.write(fresh_key().hex() + "\n")


def read_key(path: str) -> bytes:
    """Read the root key.

    Raises:
        MissingArtefact: No file is named, it cannot be read, or it does not hold a key.
    """
    if not path:
        msg = "key: no key file is named; make one with 'deidstream keys new FILE' and set "
        raise MissingArtefact(msg + "DEIDSTREAM_KEY_FILE=FILE")
    try:
        root = bytes.fromhex(Path(path).read_text().strip())
    except (OSError, ValueError) as error:
        msg = f"key: {path} cannot be read as 64 hexadecimal digits: {type(error).__name__}"
        raise MissingArtefact(msg) from None
    if len(root) != ROOT_BYTES or len(set(root)) == 1:
        msg = f"key: {path} does not hold a key of 64 hexadecimal digits"
        raise MissingArtefact(msg)
    return root
