"""The manifest of an index folder: facts about its content, and the checksum of every file.

A damaged FAISS file often loads without complaint, and reading a hostile one may overrun memory
(faiss issues 5400, 4811). So nothing is parsed before its checksum is checked, and what is parsed
are the very bytes that were checked.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from deidstream.schemas.errors import MissingArtefact

FORMAT = 1
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about an index folder that its manifest records."""

    embedder: str
    """Name of the embedder, for people."""
    embedder_digest: str
    """Digest of its weights and settings; vectors of another are of no use."""
    dimension: int
    sentences: int
    contexts: int


@dataclass(frozen=True, slots=True)
class Folder:
    """An index folder whose every file matched its checksum."""

    facts: Facts
    files: Mapping[str, bytes]
    digest: str
    """SHA-256 of the manifest's own bytes, in hexadecimal: the identity of the index."""


def write(folder: Path, facts: Facts, files: Mapping[str, bytes]) -> str:
    """Write ``files`` and, after them, the manifest; return the manifest's digest.

    The manifest is put in place in one step, so a folder that was left half written is refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    entries = {name: {"bytes": len(c), "sha256": _sha256(c)} for name, c in files.items()}
    record = {"format": FORMAT, **asdict(facts), "files": entries}
    content = orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    draft = folder / (MANIFEST + ".part")
    draft.write_bytes(content)
    draft.replace(folder / MANIFEST)
    return _sha256(content)


def read(folder: Path, names: frozenset[str]) -> Folder:
    """Read the files ``names`` of a folder after checking them against its manifest.

    Raises:
        MissingArtefact: A file is absent, differs from the manifest, or the manifest is not one
            of this format. The message names the file, never its content.
    """
    content = _read_content(folder, MANIFEST)
    facts, sums = _parse(content)
    if sums.keys() != names:
        msg = f"{MANIFEST} does not list the files of an index"
        raise MissingArtefact(msg)
    return Folder(
        facts, {name: _read_checked(folder, name, sums[name]) for name in sums}, _sha256(content)
    )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_content(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError:
        msg = f"{name} of the index cannot be read"
        raise MissingArtefact(msg) from None


def _read_checked(folder: Path, name: str, expected: tuple[int, str]) -> bytes:
    content = _read_content(folder, name)
    if (len(content), _sha256(content)) != expected:
        msg = f"{name} of the index does not match its checksum"
        raise MissingArtefact(msg)
    return content


def _parse(content: bytes) -> tuple[Facts, dict[str, tuple[int, str]]]:
    try:
        record = orjson.loads(content)
        if record.pop("format") != FORMAT:
            msg = f"{MANIFEST} is of another format than {FORMAT}"
            raise MissingArtefact(msg)
        entries = record.pop("files")
        sums = {name: (int(e["bytes"]), str(e["sha256"])) for name, e in entries.items()}
        return Facts(**record), sums
    except (orjson.JSONDecodeError, AttributeError, KeyError, TypeError, ValueError):
        msg = f"{MANIFEST} is not the manifest of an index"
        raise MissingArtefact(msg) from None
