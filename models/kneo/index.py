"""The vocabulary of sentence KNEO: pool sentences, their vectors, their donors; held in memory.

Cosines are inner products of unit rows. FAISS computes them pair by pair in the index types used
here, so what a query finds does not depend on the queries asked with it.

A damaged FAISS file often loads without complaint, and reading a hostile one may overrun memory
(faiss issues 5400, 4811). So nothing is parsed before its checksum is checked, and what is parsed
are the very bytes that were checked.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import faiss
import numpy as np
import orjson
from numpy.typing import NDArray

from deidstream.models.risk.contexts import snap_to_grid
from deidstream.schemas.errors import MissingArtefact

FORMAT = 1
MANIFEST = "manifest.json"
DIGEST = "DIGEST"
"""File beside the manifest that holds the SHA-256 of the manifest, in hexadecimal."""

EXACT_LIMIT: Final = 50_000
"""Up to so many sentences every one is compared; above, a compressed scan shortlists."""
_SHORTLIST_FACTOR: Final = 8.0
_SUBSPACES: Final = 96
_DIGITS: Final = 4
# Neighbours asked for beyond the wanted, so that ties at the edge are decided by row number.
_SPARE: Final = 8

_VECTORS, _CONTEXTS = "index.faiss", "contexts.npy"
_SENTENCES, _DONORS = "sentences.txt", "donors.txt"
FILES: Final = frozenset({_VECTORS, _CONTEXTS, _SENTENCES, _DONORS})


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
    files: Mapping[str, bytes] = field(repr=False)
    digest: str
    """SHA-256 of the manifest's own bytes, in hexadecimal: the identity of the index."""


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


def build(
    embeddings: NDArray[np.float32],
    texts: Sequence[str],
    donors: Sequence[str],
    contexts: NDArray[np.float32],
    embedder: tuple[str, str],
) -> Index:
    """Build an index in memory.

    Args:
        embeddings: Shape ``(n, d)``, rows of unit length, one a sentence.
        texts: Distinct sentences, each on one line.
        donors: One a sentence; empty for a sentence of no patient.
        contexts: Shape ``(m, d)``, rows of unit length.
        embedder: Name and digest of what made the vectors.

    Raises:
        ValueError: The parts do not fit together.
    """
    count, dimension = embeddings.shape
    if not count == len(texts) == len(donors) or contexts.shape[1:] != (dimension,) or not count:
        msg = "sentences, donors and vectors of an index do not fit together"
        raise ValueError(msg)
    if any("\n" in line for line in (*texts, *donors)):
        msg = "a sentence or donor of an index holds a line break"
        raise ValueError(msg)
    vectors = faiss.index_factory(dimension, factory(count, dimension), faiss.METRIC_INNER_PRODUCT)
    rows = np.ascontiguousarray(embeddings, np.float32)
    vectors.train(rows)
    vectors.add(rows)
    facts = Facts(*embedder, dimension, count, len(contexts))
    return Index(
        facts, "", tuple(texts), tuple(donors), snap_to_grid(contexts), _set_shortlist(vectors)
    )


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
        _VECTORS: faiss.serialize_index(index.vectors).tobytes(),
        _CONTEXTS: stored.getvalue(),
        _SENTENCES: "\n".join(index.texts).encode(),
        _DONORS: "\n".join(index.donors).encode(),
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
    stored_folder = read_files(folder, FILES)
    facts, files = stored_folder.facts, stored_folder.files
    if facts.embedder_digest != embedder_digest:
        msg = "the index was made by another embedder than the one in use"
        raise MissingArtefact(msg)
    vectors = faiss.deserialize_index(np.frombuffer(files[_VECTORS], np.uint8))
    contexts = np.load(io.BytesIO(files[_CONTEXTS]), allow_pickle=False).astype(np.float32)
    texts = tuple(files[_SENTENCES].decode().split("\n"))
    donors = tuple(files[_DONORS].decode().split("\n"))
    sizes = (len(texts), len(donors), vectors.ntotal, vectors.d, *contexts.shape)
    wanted = (facts.sentences,) * 3 + (facts.dimension, facts.contexts, facts.dimension)
    if sizes != wanted:
        msg = "the files of the index do not fit its manifest"
        raise MissingArtefact(msg)
    return Index(facts, stored_folder.digest, texts, donors, contexts, _set_shortlist(vectors))


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


def read_files(folder: Path, names: frozenset[str]) -> Folder:
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
    return Folder(
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
