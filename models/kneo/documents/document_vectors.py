"""What Doc2Vec has learnt: a vocabulary and the output weights of its words; held in memory.

The vectors of the documents that were learnt from are not kept: nothing is compared with them.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.checked_folder import (
    FolderKind,
    check_presence,
    read_array,
    read_checked_folder,
    refuse_manifest,
    write_array,
    write_checked_folder,
)
from deidstream.schemas.errors import MissingArtefact

WORDS, COUNTS, OUTPUTS = "words.txt", "counts.npy", "outputs.npy"
_KIND: Final = FolderKind("document vectors", 1, frozenset({WORDS, COUNTS, OUTPUTS}))


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """The facts about a folder of Doc2Vec that its manifest records."""

    dimension: int
    words: int
    negative: int
    """Words drawn as negative examples of each word."""
    epochs: int
    """Passes over a text."""
    alpha: float
    """Learning rate of the first pass."""
    least_alpha: float
    """Learning rate towards which it falls."""
    sample: float
    """Share of a word above which it counts less."""
    training: Mapping[str, Any]
    """Settings of the training, for people."""


@dataclass(frozen=True, slots=True)
class DocumentVectors:
    """Words, how often each was read, and its output weights."""

    facts: DocumentFacts
    digest: str
    """Identity: the manifest's digest; empty before it is saved."""
    words: tuple[str, ...] = field(repr=False)
    counts: NDArray[np.int64] = field(repr=False)
    """Shape ``(words,)``."""
    outputs: NDArray[np.float32] = field(repr=False)
    """Shape ``(words, dimension)``."""


def build_document_vectors(
    facts: DocumentFacts,
    words: tuple[str, ...],
    counts: NDArray[np.int64],
    outputs: NDArray[np.float32],
) -> DocumentVectors:
    """Build in memory what will be there after saving and loading.

    Raises:
        MissingArtefact: The parts do not fit together.
    """
    return _make_vectors(facts, "", words, counts, outputs.astype(np.float16))


def save_document_vectors(vectors: DocumentVectors, folder: Path) -> str:
    """Write a folder; return the digest that identifies it."""
    content = {
        WORDS: "\n".join(vectors.words).encode(),
        COUNTS: write_array(vectors.counts),
        OUTPUTS: write_array(vectors.outputs.astype(np.float16)),
    }
    return write_checked_folder(folder, _KIND.format, asdict(vectors.facts), content)


def load_document_vectors(folder: Path) -> DocumentVectors:
    """Load a folder after checking every file against the manifest.

    Raises:
        MissingArtefact: A file is absent or altered, or does not fit the manifest.
    """
    checked = read_checked_folder(folder, _KIND)
    try:
        facts = DocumentFacts(**checked.record)
    except TypeError:
        raise refuse_manifest(_KIND) from None
    words = tuple(checked.files[WORDS].decode().split("\n"))
    counts, outputs = read_array(checked.files[COUNTS]), read_array(checked.files[OUTPUTS])
    return _make_vectors(facts, checked.digest, words, counts.astype(np.int64), outputs)


def is_document_folder(folder: Path) -> bool:
    """Return whether a folder holds all files of Doc2Vec."""
    try:
        check_presence(folder, _KIND)
    except MissingArtefact:
        return False
    return True


def _make_vectors(
    facts: DocumentFacts,
    digest: str,
    words: tuple[str, ...],
    counts: NDArray[np.int64],
    outputs: NDArray[np.float16],
) -> DocumentVectors:
    count = facts.words
    shapes = (counts.shape, outputs.shape)
    if shapes != ((count,), (count, facts.dimension)) or len(set(words)) != count or not count:
        msg = "the files of the document vectors do not fit their manifest"
        raise MissingArtefact(msg)
    return DocumentVectors(facts, digest, words, counts, outputs.astype(np.float32))
