"""Root keys: 32 bytes each, in files that only their owner may read.

A file holds 64 hexadecimal digits, or the key as a service has wrapped it, which is asked to unwrap
it when a process starts.
"""

import errno
import os
import secrets
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from deidstream.agents.runtime.private_files import OWNER
from deidstream.agents.settings import KeySettings
from deidstream.models.keyring import ROOT_BYTES, Keyring
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.shown_file import show_file
from deidstream.schemas.system_faults import say_why
from deidstream.stream.key_services.key_service import open_key_service
from deidstream.stream.key_services.wrapped_key import parse_wrapped

CANARY, CANARY_NAME = "deidstream", b"canary"
SURROGATES = "DEIDSTREAM_KEY"
"""Prefix of the settings that name the keys of surrogates."""


@dataclass(frozen=True, slots=True)
class RootKeys:
    """The root key in force, and older ones."""

    version: int
    """Version of the key in force."""
    roots: Mapping[int, bytes] = field(repr=False)
    """Every root key by its version."""

    @property
    def older(self) -> Mapping[int, bytes]:
        """The root keys except the one in force."""
        return {v: root for v, root in self.roots.items() if v != self.version}


def fresh_key() -> bytes:
    """Draw a root key from the system's CSPRNG."""
    return secrets.token_bytes(ROOT_BYTES)


def write_key(path: Path, wrapped_by: str = "") -> None:
    """Write a fresh root key to a new file of mode 0600.

    Args:
        path: The file.
        wrapped_by: The key of a service that wraps it (``key_service.FORMS``); empty: none.

    Raises:
        InvalidSettings: No service has an address of that form, or it is not set up here.
        MissingArtefact: The file exists already, or cannot be written; or the service refuses.
        Unavailable: The service cannot be reached.
    """
    if path.exists():
        msg = f"key: cannot write {show_file(str(path))}: {os.strerror(errno.EEXIST)}"
        raise MissingArtefact(msg)
    root = fresh_key()
    content = f"{root.hex()}\n"
    if wrapped_by:
        content = open_key_service(wrapped_by, os.environ).wrap(root).render()
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, flags, OWNER)
        try:
            with os.fdopen(handle, "w") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            # What is left of it would be in the way of the next try.
            path.unlink()
            raise
    except OSError as error:
        why = say_why(error)
        msg = f"key: cannot write {show_file(str(path))}: {why}"
        raise MissingArtefact(msg) from None


def read_key(path: str) -> bytes:
    """Read the root key; a wrapped one is unwrapped by its service.

    Raises:
        InvalidSettings: Its service is not set up here.
        MissingArtefact: No file is named, it cannot be read, or it does not hold a key; or the
            service refuses to unwrap it.
        Unavailable: The service cannot be reached.
    """
    if not path:
        msg = "key: no key file is set; make one with 'deidstream keys new FILE' and set "
        raise MissingArtefact(msg + "DEIDSTREAM_KEY_FILE=FILE")
    try:
        content = Path(path).read_text()
        if wrapped := parse_wrapped(content):
            root = open_key_service(wrapped.address, os.environ).unwrap(wrapped.text)
        else:
            root = bytes.fromhex(content.strip())
    except FileNotFoundError:
        shown = show_file(path)
        msg = f"key: there is no file {shown}; 'deidstream keys new {shown}' makes a key in it"
        raise MissingArtefact(msg) from None
    except OSError as error:
        msg = f"key: {show_file(path)} cannot be read: {say_why(error)}"
        raise MissingArtefact(msg) from None
    except ValueError:
        root = b""
    if not _is_key(root):
        msg = f"key: {show_file(path)} does not hold a key of 64 hexadecimal digits"
        raise MissingArtefact(msg)
    return root


def name_wrapping(path: str) -> str:
    """Return the address of the key that wraps the one of a file; ``""`` if none does.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    try:
        wrapped = parse_wrapped(Path(path).read_text())
    except (OSError, ValueError) as error:
        msg = f"key: {show_file(path)} cannot be read: {say_why(error)}"
        raise MissingArtefact(msg) from None
    return wrapped.address if wrapped else ""


def require_key(root: bytes) -> bytes:
    """Return a root key that was not read from a file.

    Raises:
        MissingArtefact: It is not a key.
    """
    if not _is_key(root):
        msg = f"key: must be {ROOT_BYTES} random bytes"
        raise MissingArtefact(msg)
    return root


def _is_key(root: bytes) -> bool:
    return len(root) == ROOT_BYTES and len(set(root)) > 1


def read_keys(settings: KeySettings, named: str = SURROGATES) -> RootKeys:
    """Read the root key in force and the older ones.

    Args:
        settings: Which files hold them.
        named: Prefix of the settings that name these files, for error messages.

    Raises:
        InvalidSettings: ``previous`` does not list versions below the one in force.
        MissingArtefact: A file cannot be read, holds no key, or holds the key of another version.
    """
    files = key_files(settings, named)
    roots = {version: read_key(file) for version, file in files.items()}
    if len(set(roots.values())) < len(roots):
        msg = f"{named}_PREVIOUS: two versions hold the same key"
        raise MissingArtefact(msg)
    return RootKeys(settings.version, roots)


def key_files(settings: KeySettings, named: str = SURROGATES) -> dict[int, str]:
    """Return the key files by version, oldest first.

    Raises:
        InvalidSettings: ``previous`` does not list versions below the one in force.
    """
    files: dict[int, str] = {}
    for entry in filter(None, map(str.strip, settings.previous.split(","))):
        number, _, file = entry.partition("=")
        version = int(number) if number.isdecimal() else -1
        if not (0 <= version < settings.version and file) or version in files:
            msg = f"{named}_PREVIOUS: must be VERSION=FILE,VERSION=FILE, each version once "
            raise InvalidSettings(msg + f"and below {named}_VERSION ({settings.version})")
        files[version] = file
    return {**dict(sorted(files.items())), settings.version: settings.file}


def next_key(settings: KeySettings) -> tuple[Path, dict[str, str]]:
    """Return the file for the next key, and the settings that put it in force.

    Raises:
        InvalidSettings: ``key.previous`` is wrong.
        MissingArtefact: A key cannot be read.
    """
    read_keys(settings)
    version, now = settings.version + 1, Path(settings.file)
    stem = now.name.removesuffix(f".v{settings.version}")
    file = now.with_name(f"{stem}.v{version}")
    older = ",".join(f"{number}={name}" for number, name in key_files(settings).items())
    named = {"FILE": str(file), "VERSION": str(version), "PREVIOUS": older}
    return file, {f"DEIDSTREAM_KEY_{name}": value for name, value in named.items()}


def describe_exposure(file: str) -> str:
    """Return who besides its owner may access a key file, as a sentence; ``""`` if nobody else may.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    try:
        mode = Path(file).stat().st_mode
    except OSError as error:
        msg = f"key: {show_file(file)} cannot be read: {say_why(error)}"
        raise MissingArtefact(msg) from None
    others = {"its group": stat.S_IRWXG, "others": stat.S_IRWXO}
    who = " and ".join(name for name, bits in others.items() if mode & bits)
    return f"open to {who} (mode {stat.S_IMODE(mode):04o}); run chmod 600 on it" if who else ""


def seal_canary(root: bytes, version: int) -> bytes:
    """Seal a constant, which only the same key opens."""
    return Keyring(root, version, "").seal(CANARY_NAME, CANARY)


def opens(root: bytes, version: int, sealed: bytes) -> bool:
    """Return whether a key opens what :func:`seal_canary` made."""
    try:
        return Keyring(root, version, "").unseal(CANARY_NAME, sealed) == CANARY
    except ValueError:
        return False
