"""The vocabulary of sentence KNEO: pool sentences, their vectors, their donors; held in memory.

Cosines are inner products of unit rows.

A damaged FAISS file often loads without complaint, and reading a hostile one may overrun memory
(faiss issues 5400, 4811). So nothing is parsed before ``index_folder`` has checked its checksum,
and what is parsed are the very bytes that were checked.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.checked_folder import read_array, write_array
from deidstream.models.kneo.guards.feature_table import FeatureTable, features_digest
from deidstream.models.kneo.index_folder import (
    CONTEXTS,
    DONOR_LISTS,
    DONORS,
    FEATURES,
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
from deidstream.models.kneo.sentence_texts import SentenceDonors, SentenceTexts
from deidstream.models.kneo.vector_store import (
    Storage,
    build_vectors,
    choose_plan,
    parse_vectors,
    search_vectors,
    write_vectors,
)
from deidstream.models.references.number_lists import Numbers
from deidstream.models.references.reference_notes import ReferenceNotes
from deidstream.models.references.stored_notes import write_notes
from deidstream.models.risk.contexts import snap_to_grid
from deidstream.schemas.errors import MissingArtefact

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
    texts: SentenceTexts = field(repr=False)
    donors: SentenceDonors = field(repr=False)
    """The patients that each sentence comes from."""
    contexts: NDArray[np.float32] = field(repr=False)
    """Shape ``(m, dimension)``: reference contexts of the risk measure, on their grid."""
    features: FeatureTable = field(repr=False)
    """What the guards compare, of each sentence."""
    notes: ReferenceNotes = field(repr=False)
    vectors: Any = field(repr=False)

    def search(
        self, queries: NDArray[np.float32], count: int, least: float = -1.0
    ) -> list[tuple[Neighbour, ...]]:
        """Find the sentences nearest to each query.

        Args:
            queries: Shape ``(n, dimension)``, rows of unit length.
            count: How many; fewer come where the index holds fewer.
            least: Least cosine, after rounding, of what is found.

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
        found = search_vectors(self.vectors, queries, asked)
        return [_rank(cosines, rows, least)[:count] for cosines, rows in found]

    def vectors_of(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """Return the vectors of sentences as they are stored; shape ``(len(rows), dimension)``."""
        if not len(rows):
            return np.zeros((0, self.facts.dimension), np.float32)
        found: NDArray[np.float32] = self.vectors.reconstruct_batch(np.array(rows, np.int64))
        return found


@dataclass(frozen=True, slots=True)
class IndexParts:
    """What an index is built from."""

    embeddings: NDArray[np.float32] = field(repr=False)
    """Shape ``(n, d)``, rows of unit length, one a sentence."""
    texts: Sequence[str] = field(repr=False)
    """Distinct sentences, each on one line."""
    donors: Sequence[str | Collection[str]] = field(repr=False)
    """One or several a sentence; empty for a sentence of no patient."""
    contexts: NDArray[np.float32] = field(repr=False)
    """Shape ``(m, d)``, rows of unit length."""
    embedder: tuple[str, str]
    """Name and digest of what made the vectors."""
    notes: ReferenceNotes | None = field(default=None, repr=False)
    """Reference notes, whose rows are places of ``texts``."""
    storage: Storage = Storage.AUTO
    record: Mapping[str, object] = field(default_factory=dict[str, object])
    """What the manifest is to say of the build."""


def build(
    embeddings: NDArray[np.float32],
    texts: Sequence[str],
    donors: Sequence[str | Collection[str]],
    contexts: NDArray[np.float32],
    embedder: tuple[str, str],
    notes: ReferenceNotes | None = None,
) -> Index:
    """Build an index in memory, as ``build_parts`` does."""
    return build_parts(IndexParts(embeddings, texts, donors, contexts, embedder, notes))


def build_parts(parts: IndexParts) -> Index:
    """Build an index in memory.

    Raises:
        ValueError: The parts do not fit together.
    """
    texts, contexts = parts.texts, parts.contexts
    count, dimension = parts.embeddings.shape
    fits = count == len(texts) == len(parts.donors) and contexts.shape[1:] == (dimension,)
    if not fits or not count:
        msg = "sentences, donors and vectors of an index do not fit together"
        raise ValueError(msg)
    notes = parts.notes or ReferenceNotes.none(dimension)
    if notes.vectors.shape[1:] != (dimension,) or (notes.rows.values >= count).any():
        msg = "the reference notes of an index do not fit its sentences"
        raise ValueError(msg)
    donors = SentenceDonors.pack(parts.donors)
    if any("\n" in line for line in (*texts, *donors, *notes.donors)):
        msg = "a sentence or donor of an index holds a line break"
        raise ValueError(msg)
    plan = choose_plan(count, dimension, parts.storage)
    sizes = (dimension, count, len(contexts), len(notes))
    made = (notes.salt.hex(), plan, features_digest())
    return Index(
        facts=Facts(*parts.embedder, *sizes, *made, build=parts.record),
        digest="",
        texts=SentenceTexts.pack(texts),
        donors=donors,
        contexts=snap_to_grid(contexts),
        features=FeatureTable.read(texts),
        notes=notes,
        vectors=build_vectors(parts.embeddings, plan),
    )


def save(index: Index, folder: Path) -> str:
    """Write an index as a folder; return the digest that identifies it."""
    files = {
        VECTORS: write_vectors(index.vectors),
        CONTEXTS: write_array(index.contexts.astype(np.float16)),
        FEATURES: write_array(index.features.flatten()),
        SENTENCES: index.texts.content,
        DONORS: "".join(name + "\n" for name in index.donors).encode(),
        DONOR_LISTS: write_array(index.donors.lists.flatten()),
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
    texts = SentenceTexts.parse(files[SENTENCES])
    vectors = parse_vectors(files[VECTORS])
    if (len(texts), vectors.ntotal, vectors.d) != (*(facts.sentences,) * 2, facts.dimension):
        raise MissingArtefact(MISFIT)
    try:
        donors = SentenceDonors.parse(
            files[DONORS].decode(), _read_numbers(files[DONOR_LISTS]), len(texts)
        )
        features = _parse_features(facts, files[FEATURES], texts)
    except ValueError:
        raise MissingArtefact(MISFIT) from None
    return Index(
        facts=facts,
        digest=checked.digest,
        texts=texts,
        donors=donors,
        contexts=read_contexts(checked),
        features=features,
        notes=read_notes(checked),
        vectors=vectors,
    )


def _parse_features(facts: Facts, content: bytes, texts: SentenceTexts) -> FeatureTable:
    """Return the features that are stored, or read them where other code has stored them."""
    if facts.features != features_digest():
        return FeatureTable.read(texts)
    return FeatureTable.parse(_read_numbers(content), len(texts))


def _read_numbers(content: bytes) -> Numbers:
    numbers: Numbers = read_array(content)
    if numbers.dtype != np.uint32 or numbers.ndim != 1:
        msg = "an array of an index is of another kind"
        raise ValueError(msg)
    return numbers


def _rank(cosines: Sequence[float], rows: Sequence[int], least: float) -> tuple[Neighbour, ...]:
    """Round cosines, which come in descending order, and order equal ones by row."""
    near: list[Neighbour] = []
    for cosine, row in zip(cosines, rows, strict=True):
        rounded = round(cosine, _DIGITS)
        if row < 0 or rounded < least:
            break
        near.append(Neighbour(row, rounded))
    return tuple(sorted(near, key=lambda n: (-n.cosine, n.row)))
