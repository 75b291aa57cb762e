"""Build the index folder of a pool, shard by shard, so that an interrupted build can continue."""

import hashlib
import io
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.keyring import join_prefixed
from deidstream.models.kneo import index
from deidstream.models.kneo.pool import PoolSentence
from deidstream.models.neural.embedder import Embedder

SHARD: Final = 1_000
"""Sentences embedded between two saves."""
_SHARDS: Final = "shards"


@dataclass(frozen=True, slots=True)
class Materials:
    """The texts an index is made from."""

    sentences: Sequence[PoolSentence]
    contexts: Sequence[str]
    """Reference contexts of the risk measure; only their vectors are stored."""


def build_index(
    embedder: Embedder,
    name: str,
    materials: Materials,
    folder: Path,
    progress: Callable[[int, int], None],
    *,
    resume: bool = True,
) -> str:
    """Embed a pool and write its index folder.

    Args:
        embedder: Makes the vectors; its digest goes into the manifest.
        name: Name of the embedder, for people.
        materials: The pool and the reference contexts.
        folder: Where to; shards are kept in ``folder/shards`` until the index is whole.
        progress: Called after each shard with the texts done so far and in all.
        resume: Take over the shards that an earlier build of the same texts left.

    Returns:
        The digest of the manifest: the identity of the index.

    Raises:
        ValueError: The pool is empty.
    """
    shards = folder / _SHARDS
    if not resume:
        shutil.rmtree(shards, ignore_errors=True)
    shards.mkdir(parents=True, exist_ok=True)
    texts = [sentence.text for sentence in materials.sentences]
    total = len(texts) + len(materials.contexts)
    done = 0
    rows: list[NDArray[np.float32]] = []
    for shard in chain(_cut_shards(texts), _cut_shards(materials.contexts)):
        rows.append(_embed_shard(embedder, shard, shards))
        done += len(shard)
        progress(done, total)
    vectors = np.concatenate([np.empty((0, embedder.dimension), np.float32), *rows])
    donors = [sentence.donor for sentence in materials.sentences]
    split = len(texts)
    built = index.build(vectors[:split], texts, donors, vectors[split:], (name, embedder.digest))
    digest = index.save(built, folder)
    shutil.rmtree(shards)
    return digest


def _cut_shards(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for begin in range(0, len(texts), SHARD):
        yield texts[begin : begin + SHARD]


def _embed_shard(embedder: Embedder, texts: Sequence[str], shards: Path) -> NDArray[np.float32]:
    """Read the shard of these texts if an earlier build saved it; else embed them."""
    name = hashlib.sha256(join_prefixed(embedder.digest, *texts)).hexdigest()
    path = shards / name
    if (saved := _load_rows(path)) is not None and saved.shape == (len(texts), embedder.dimension):
        return saved
    rows = embedder.embed(texts)
    _save_rows(path, rows)
    return rows


def _save_rows(path: Path, rows: NDArray[np.float32]) -> None:
    stored = io.BytesIO()
    np.save(stored, rows, allow_pickle=False)
    content = stored.getvalue()
    draft = path.with_suffix(".part")
    draft.write_bytes(hashlib.sha256(content).digest() + content)
    draft.replace(path)


def _load_rows(path: Path) -> NDArray[np.float32] | None:
    try:
        stored = path.read_bytes()
    except FileNotFoundError:
        return None
    digest, content = stored[:32], stored[32:]
    if hashlib.sha256(content).digest() != digest:
        return None
    rows: NDArray[np.float32] = np.load(io.BytesIO(content), allow_pickle=False)
    return rows
