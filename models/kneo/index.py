"""The vocabulary of sentence KNEO: pool sentences, their vectors, their donors; held in memory.

Cosines are inner products of unit rows. FAISS computes them pair by pair in the index types used
here, so what a query finds does not depend on the queries asked with it.

A damaged FAISS file often loads without complaint, and reading a hostile one may overrun memory
(faiss issues 5400, 4811). So nothing is parsed before ``index_folder`` has checked its checksum,
and what is parsed are the very bytes that were checked.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import faiss
import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.guards.feature_table import FeatureTable
from deidstream.models.kneo.index_folder import (
    CONTEXTS,
    DONORS,
    MISFIT,
    SENTENCES,
    VECTORS,
    Facts,
    IndexFolder,
    read_contexts,
    read_index,
    read_notes,
    write_files,
)
from deidstream.models.references.reference_notes import ReferenceNotes
from deidstream.models.references.stored_notes import write_notes
from deidstream.models.risk.contexts import snap_to_grid
from deidstream.schemas.errors import MissingArtefact

EXACT_LIMIT: Final = 50_000
"""Up to so many sentences every one is compared; above, a compressed scan shortlists."""
_SHORTLIST_FACTOR: Final = 8.0
_SUBSPACES: Final = 96
_DIGITS: Final = 4
# Neighbours asked for beyond the wanted, so that ties at the edge are decided by row number.
_SPARE: Final = 8


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A pool sentence near a query."""

    row: int
    cosine: float
    """Rounded to four digits."""


@dataclass(frozen=True, slots=True)
class Index:
    """Pool sentences and how to find the nearest. Build or load it; never make it by hand."""

    facts: Facts
    digest: str
    """Identity: the manifest's digest; empty before ``save``."""
    texts: tuple[str, ...] = field(repr=False)
    donors: tuple[str, ...] = field(repr=False)
    """Pseudonym of the patient each sentence comes from; empty for no patient."""
    contexts: NDArray[np.float32] = field(repr=False)
    """Shape ``(m, dimension)``: reference contexts of the risk measure, on their grid."""
    features: FeatureTable = field(repr=False)
    """What the guards compare, of each sentence."""
    notes: ReferenceNotes = field(repr=False)
    vectors: Any = field(repr=False)

    def search(self, queries: NDArray[np.float32], count: int) -> list[tuple[Neighbour, ...]]:
        """Find the sentences nearest to each query.

        Args:
            queries: Shape ``(n, dimension)``, rows of unit length.
            count: How many; fewer come where the index holds fewer.

        Returns:
            Nearest first; equal cosines by row number.

        Raises:
            ValueError: The dimension is another, or ``count`` is not positive.
        """
        if queries.ndim != 2 or queries.shape[1] != self.facts.dimension or count < 1:  # noqa: PLR2004
            msg = "queries of another dimension, or nothing asked for"
            raise ValueError(msg)
        if not len(queries):
            return []
        asked = min(count + _SPARE, len(self.texts))
        cosines, rows = self.vectors.search(np.ascontiguousarray(queries, np.float32), asked)
        return [_rank(c, r)[:count] for c, r in zip(cosines.tolist(), rows.tolist(), strict=True)]

    def vectors_of(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """Return the vectors of sentences as they are stored; shape ``(len(rows), dimension)``."""
        if not len(rows):
            return np.zeros((0, self.facts.dimension), np.float32)
        found: NDArray[np.float32] = self.vectors.reconstruct_batch(np.array(rows, np.int64))
        return found


def build(
    embeddings: NDArray[np.float32],
    texts: Sequence[str],
    donors: Sequence[str],
    contexts: NDArray[np.float32],
    embedder: tuple[str, str],
    notes: ReferenceNotes | None = None,
) -> Index:
    """Build an index in memory.

    Args:
        embeddings: Shape ``(n, d)``, rows of unit length, one a sentence.
        texts: Distinct sentences, each on one line.
        donors: One a sentence; empty for a sentence of no patient.
        contexts: Shape ``(m, d)``, rows of unit length.
        embedder: Name and digest of what made the vectors.
        notes: Reference notes, whose rows are places of ``texts``.

    Raises:
        ValueError: The parts do not fit together.
    """
    count, dimension = embeddings.shape
    if not count == len(texts) == len(donors) or contexts.shape[1:] != (dimension,) or not count:
        msg = "sentences, donors and vectors of an index do not fit together"
        raise ValueError(msg)
    notes = notes or ReferenceNotes.none(dimension)
    if notes.vectors.shape[1:] != (dimension,) or (notes.rows.values >= count).any():
        msg = "the reference notes of an index do not fit its sentences"
        raise ValueError(msg)
    if any("\n" in line for line in (*texts, *donors, *notes.donors)):
        msg = "a sentence or donor of an index holds a line break"
        raise ValueError(msg)
    vectors = faiss.index_factory(dimension, factory(count, dimension), faiss.METRIC_INNER_PRODUCT)
    rows = np.ascontiguousarray(embeddings, np.float32)
    vectors.train(rows)
    vectors.add(rows)
    sizes = (dimension, count, len(contexts), len(notes))
    facts = Facts(*embedder, *sizes, notes.salt.hex())
    return _make_index(facts, "", (texts, donors), (snap_to_grid(contexts), notes), vectors)


def factory(count: int, dimension: int) -> str:
    """Name the FAISS index type for so many sentences: exact, or shortlisted and refined."""
    if count <= EXACT_LIMIT or dimension % _SUBSPACES:
        return "SQfp16"
    return f"PQ{_SUBSPACES}x4fs,Refine(SQfp16)"


def save(index: Index, folder: Path) -> str:
    """Write an index as a folder; return the digest that identifies it."""
    stored = io.BytesIO()
    np.save(stored, index.contexts.astype(np.float16), allow_pickle=False)
    files = {
        VECTORS: faiss.serialize_index(index.vectors).tobytes(),
        CONTEXTS: stored.getvalue(),
        SENTENCES: "\n".join(index.texts).encode(),
        DONORS: "\n".join(index.donors).encode(),
        **write_notes(index.notes),
    }
    return write_files(folder, index.facts, files)


def load(folder: Path, embedder_digest: str) -> Index:
    """Load an index after checking every file against the manifest.

    Args:
        folder: As ``save`` wrote it.
        embedder_digest: Digest of the embedder that will make the queries.

    Raises:
        MissingArtefact: A file is absent or altered, or another embedder made the vectors.
    """
    return parse(read_index(folder, embedder_digest))


def parse(checked: IndexFolder) -> Index:
    """Parse the files of an index after they were checked.

    Raises:
        MissingArtefact: They do not fit their manifest.
    """
    facts, files = checked.facts, checked.files
    vectors = faiss.deserialize_index(np.frombuffer(files[VECTORS], np.uint8))
    compared = (read_contexts(checked), read_notes(checked))
    texts = tuple(files[SENTENCES].decode().split("\n"))
    donors = tuple(files[DONORS].decode().split("\n"))
    sizes = (len(texts), len(donors), vectors.ntotal, vectors.d)
    if sizes != (facts.sentences,) * 3 + (facts.dimension,):
        raise MissingArtefact(MISFIT)
    return _make_index(facts, checked.digest, (texts, donors), compared, vectors)


def _make_index(
    facts: Facts,
    digest: str,
    lines: tuple[Sequence[str], Sequence[str]],
    compared: tuple[NDArray[np.float32], ReferenceNotes],
    vectors: Any,  # noqa: ANN401
) -> Index:
    texts, donors = map(tuple, lines)
    features = FeatureTable.read(texts)
    return Index(
        facts, digest, texts, donors, compared[0], features, compared[1], _set_shortlist(vectors)
    )


def _rank(cosines: Sequence[float], rows: Sequence[int]) -> tuple[Neighbour, ...]:
    found = (
        Neighbour(row, round(cosine, _DIGITS))
        for cosine, row in zip(cosines, rows, strict=True)
        if row >= 0
    )
    return tuple(sorted(found, key=lambda n: (-n.cosine, n.row)))


def _set_shortlist(vectors: Any) -> Any:  # noqa: ANN401
    """Set how many times the wanted number the shortlist holds; the file may not say."""
    if isinstance(vectors, faiss.IndexRefine):
        vectors.k_factor = _SHORTLIST_FACTOR
    return vectors
