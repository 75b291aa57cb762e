"""A folder of artefacts whose files are checked before any is parsed.

Beside the files stand a manifest with the size and SHA-256 of each, and the SHA-256 of the manifest
itself, which identifies the folder.
"""

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from deidstream.schemas.errors import MissingArtefact

MANIFEST = "manifest.json"
DIGEST = "DIGEST"
"""File beside the manifest that holds the SHA-256 of the manifest, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class FolderKind:
    """What a folder is, so that another is refused."""

    name: str
    """For messages, such as ``index``."""
    format: int
    files: frozenset[str]
    """Exactly these it holds."""


@dataclass(frozen=True, slots=True)
class CheckedFolder:
    """A folder whose every file matched its checksum."""

    record: Mapping[str, Any]
    """What the manifest says beside format and files."""
    files: Mapping[str, bytes] = field(repr=False)
    digest: str
    """SHA-256 of the manifest's own bytes, in hexadecimal."""


def write_checked_folder(
    folder: Path, number: int, record: Mapping[str, object], files: Mapping[str, bytes]
) -> str:
    """Write ``files``, after them the manifest, and last its digest, which is returned.

    The manifest is put in place in one step, so a folder that was left half written is refused.

    Args:
        folder: Where to; made if need be.
        number: Number of the format.
        record: What the manifest says of the whole.
        files: Content by name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    (folder / DIGEST).unlink(missing_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    entries = {name: {"bytes": len(c), "sha256": _sha256(c)} for name, c in files.items()}
    manifest = {"format": number, **record, "files": entries}
    content = orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    draft = folder / (MANIFEST + ".part")
    draft.write_bytes(content)
    draft.replace(folder / MANIFEST)
    digest = _sha256(content)
    (folder / DIGEST).write_text(digest + "\n")
    return digest


def read_checked_folder(folder: Path, kind: FolderKind) -> CheckedFolder:
    """Read the files of a folder after checking them against its manifest.

    Raises:
        MissingArtefact: A file is absent, differs from the manifest, or the manifest differs from
            its digest or is of another kind. The message names the file, never its content.
    """
    content = _read_content(folder, MANIFEST, kind)
    if _read_content(folder, DIGEST, kind).strip() != _sha256(content).encode():
        msg = f"{MANIFEST} of the {kind.name} does not match its digest"
        raise MissingArtefact(msg)
    record, sums = _parse_manifest(content, kind)
    if sums.keys() != kind.files:
        msg = f"{MANIFEST} does not list the files of the {kind.name}"
        raise MissingArtefact(msg)
    files = {name: _read_checked_file(folder, name, sums[name], kind) for name in sums}
    return CheckedFolder(record, files, _sha256(content))


def check_presence(folder: Path, kind: FolderKind) -> None:
    """Check that the files of a folder are there, not whether they are whole.

    Raises:
        MissingArtefact: One of them is not there.
    """
    for name in (MANIFEST, *sorted(kind.files)):
        if not (folder / name).is_file():
            msg = f"{name} of the {kind.name} cannot be read"
            raise MissingArtefact(msg)


def write_array(array: NDArray[Any]) -> bytes:
    """Return the content of a file that holds an array, in the format of numpy."""
    stored = io.BytesIO()
    np.save(stored, array, allow_pickle=False)
    return stored.getvalue()


def read_array(content: bytes) -> NDArray[Any]:
    """Return the array of what ``write_array`` made; no object in it is ever unpickled.

    Raises:
        ValueError: It is no such file.
    """
    array: NDArray[Any] = np.load(io.BytesIO(content), allow_pickle=False)
    return array


def refuse_manifest(kind: FolderKind) -> MissingArtefact:
    """Return the error of a manifest that does not say what it has to."""
    return MissingArtefact(f"{MANIFEST} is not the manifest of the {kind.name}")


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_content(folder: Path, name: str, kind: FolderKind) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError:
        msg = f"{name} of the {kind.name} cannot be read"
        raise MissingArtefact(msg) from None


def _read_checked_file(
    folder: Path, name: str, expected: tuple[int, str], kind: FolderKind
) -> bytes:
    content = _read_content(folder, name, kind)
    if (len(content), _sha256(content)) != expected:
        msg = f"{name} of the {kind.name} does not match its checksum"
        raise MissingArtefact(msg)
    return content


def _parse_manifest(
    content: bytes, kind: FolderKind
) -> tuple[dict[str, Any], dict[str, tuple[int, str]]]:
    try:
        record = orjson.loads(content)
        if record.pop("format") != kind.format:
            msg = f"{MANIFEST} of the {kind.name} is of another format than {kind.format}"
            raise MissingArtefact(msg)
        entries = record.pop("files")
        sums = {name: (int(e["bytes"]), str(e["sha256"])) for name, e in entries.items()}
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError, ValueError):
        raise refuse_manifest(kind) from None
    return record, sums
