"""The folder of an index: its files and the manifest with the checksum of each.

Every file is checked before any is parsed, also those that the policy in force does not need.
"""

import hashlib
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
import orjson
from numpy.typing import NDArray

from deidstream.schemas.errors import MissingArtefact

FORMAT = 1
MANIFEST = "manifest.json"
DIGEST = "DIGEST"
"""File beside the manifest that holds the SHA-256 of the manifest, in hexadecimal."""
VECTORS, CONTEXTS = "index.faiss", "contexts.npy"
SENTENCES, DONORS = "sentences.txt", "donors.txt"
FILES: Final = frozenset({VECTORS, CONTEXTS, SENTENCES, DONORS})
MISFIT = "the files of the index do not fit its manifest"


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
class IndexFolder:
    """An index folder whose every file matched its checksum."""

    facts: Facts
    files: Mapping[str, bytes] = field(repr=False)
    digest: str
    """SHA-256 of the manifest's own bytes, in hexadecimal: the identity of the index."""


def read_index(folder: Path, embedder_digest: str) -> IndexFolder:
    """Read the folder of an index after checking every file against the manifest.

    Args:
        folder: As ``index.save`` wrote it.
        embedder_digest: Digest of the embedder that will make the queries.

    Raises:
        MissingArtefact: A file is absent or altered, or another embedder made the vectors.
    """
    checked = read_files(folder, FILES)
    if checked.facts.embedder_digest != embedder_digest:
        msg = "the index was made by another embedder than the one in use"
        raise MissingArtefact(msg)
    return checked


def shipped_index() -> Path:
    """Return the folder of the index that comes with deidstream."""
    return Path(str(files("deidstream.models").joinpath("data", "index")))


def check_files(folder: Path) -> None:
    """Check that the files of an index are there; whether they are whole, ``read_index`` says.

    Raises:
        MissingArtefact: One of them is not there.
    """
    for name in (MANIFEST, *sorted(FILES)):
        if not (folder / name).is_file():
            msg = f"{name} of the index cannot be read"
            raise MissingArtefact(msg)


def read_contexts(checked: IndexFolder) -> NDArray[np.float32]:
    """Return the reference contexts of the risk measure; shape ``(contexts, dimension)``.

    Raises:
        MissingArtefact: They do not fit the manifest.
    """
    facts, stored = checked.facts, io.BytesIO(checked.files[CONTEXTS])
    contexts: NDArray[np.float32] = np.load(stored, allow_pickle=False).astype(np.float32)
    if contexts.shape != (facts.contexts, facts.dimension):
        raise MissingArtefact(MISFIT)
    return contexts


def write_files(folder: Path, facts: Facts, files: Mapping[str, bytes]) -> str:
    """Write ``files``, after them the manifest, and last its digest, which is returned.

    The manifest is put in place in one step, so a folder that was left half written is refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    (folder / DIGEST).unlink(missing_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    entries = {name: {"bytes": len(c), "sha256": _sha256(c)} for name, c in files.items()}
    record = {"format": FORMAT, **asdict(facts), "files": entries}
    content = orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    draft = folder / (MANIFEST + ".part")
    draft.write_bytes(content)
    draft.replace(folder / MANIFEST)
    digest = _sha256(content)
    (folder / DIGEST).write_text(digest + "\n")
    return digest


def read_files(folder: Path, names: frozenset[str]) -> IndexFolder:
    """Read the files ``names`` of a folder after checking them against its manifest.

    Raises:
        MissingArtefact: A file is absent, differs from the manifest, or the manifest differs from
            its digest or is of another format. The message names the file, never its content.
    """
    content = _read_content(folder, MANIFEST)
    if _read_content(folder, DIGEST).strip() != _sha256(content).encode():
        msg = f"{MANIFEST} of the index does not match its digest"
        raise MissingArtefact(msg)
    facts, sums = _parse_manifest(content)
    if sums.keys() != names:
        msg = f"{MANIFEST} does not list the files of an index"
        raise MissingArtefact(msg)
    return IndexFolder(
        facts,
        {name: _read_checked_file(folder, name, sums[name]) for name in sums},
        _sha256(content),
    )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_content(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError:
        msg = f"{name} of the index cannot be read"
        raise MissingArtefact(msg) from None


def _read_checked_file(folder: Path, name: str, expected: tuple[int, str]) -> bytes:
    content = _read_content(folder, name)
    if (len(content), _sha256(content)) != expected:
        msg = f"{name} of the index does not match its checksum"
        raise MissingArtefact(msg)
    return content


def _parse_manifest(content: bytes) -> tuple[Facts, dict[str, tuple[int, str]]]:
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
