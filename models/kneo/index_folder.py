"""The folder of an index: its files and the manifest with the checksum of each.

Every file is checked before any is parsed, also those that the policy in force does not need.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.checked_folder import (
    FolderKind,
    check_presence,
    read_array,
    read_checked_folder,
    refuse_manifest,
    write_checked_folder,
)
from deidstream.models.references.reference_notes import ReferenceNotes
from deidstream.models.references.stored_notes import NOTE_FILES, parse_notes
from deidstream.schemas.errors import MissingArtefact

FORMAT = 3
VECTORS, CONTEXTS, FEATURES = "index.faiss", "contexts.npy", "features.npy"
SENTENCES, DONORS, DONOR_LISTS = "sentences.txt", "donors.txt", "donors.lists.npy"
FILES: Final = frozenset({VECTORS, CONTEXTS, FEATURES, SENTENCES, DONORS, DONOR_LISTS}) | NOTE_FILES
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
    notes: int
    """Reference notes; 0 for an index that was built without."""
    salt: str
    """The salt of their word sketches, in hexadecimal."""
    vectors: str
    """The FAISS index type."""
    features: str
    """Digest of the code that read the features of the sentences."""
    build: Mapping[str, object] = field(default_factory=dict[str, object])
    """How the index was built: settings and counts, for people."""


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
    check_presence(folder, FolderKind("index", FORMAT, FILES))


def read_contexts(checked: IndexFolder) -> NDArray[np.float32]:
    """Return the reference contexts of the risk measure; shape ``(contexts, dimension)``.

    Raises:
        MissingArtefact: They do not fit the manifest.
    """
    facts = checked.facts
    contexts: NDArray[np.float32] = read_array(checked.files[CONTEXTS]).astype(np.float32)
    if contexts.shape != (facts.contexts, facts.dimension):
        raise MissingArtefact(MISFIT)
    return contexts


def read_notes(checked: IndexFolder) -> ReferenceNotes:
    """Return the reference notes.

    Raises:
        MissingArtefact: They do not fit the manifest.
    """
    facts = checked.facts
    try:
        notes = parse_notes(checked.files, facts.salt, facts.sentences)
    except ValueError:
        raise MissingArtefact(MISFIT) from None
    if notes.vectors.shape != (facts.notes, facts.dimension):
        raise MissingArtefact(MISFIT)
    return notes


def write_files(folder: Path, facts: Facts, files: Mapping[str, bytes]) -> str:
    """Write the files of an index and their manifest; return the digest of the manifest."""
    return write_checked_folder(folder, FORMAT, asdict(facts), files)


def read_files(folder: Path, names: frozenset[str]) -> IndexFolder:
    """Read the files ``names`` of a folder after checking them against its manifest.

    Raises:
        MissingArtefact: As ``read_checked_folder``, or the manifest is not that of an index.
    """
    kind = FolderKind("index", FORMAT, names)
    checked = read_checked_folder(folder, kind)
    try:
        return IndexFolder(Facts(**checked.record), checked.files, checked.digest)
    except TypeError:
        raise refuse_manifest(kind) from None
