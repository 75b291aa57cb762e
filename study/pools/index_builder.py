"""Embed a pool and write the folder of its index, shard by shard."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.checked_folder import read_array, write_array
from deidstream.models.kneo import index
from deidstream.models.kneo.slots import write_bare
from deidstream.models.kneo.vector_store import Storage
from deidstream.models.references.reference_notes import SourceNote
from deidstream.schemas.ports import Embedder
from deidstream.study.pools.pool import PoolSentence
from deidstream.study.pools.shards import Shards, cut_batches, name_shard, shards_of
from deidstream.study.pools.source_notes import (
    PoolRows,
    find_others,
    make_references,
    number_sentences,
)

SHARD: Final = 1_000
"""Sentences embedded between two saves."""


@dataclass(frozen=True, slots=True)
class Materials:
    """The texts an index is made from."""

    sentences: Sequence[PoolSentence] = field(repr=False)
    contexts: Sequence[str] = field(repr=False)
    """Reference contexts of the risk measure; only their vectors are stored."""
    notes: Sequence[SourceNote] = field(default=(), repr=False)
    """The notes that the sentences come from, and others to compare outputs with."""
    storage: Storage = Storage.AUTO
    record: Mapping[str, object] = field(default_factory=dict[str, object])
    """What the manifest is to say of the build."""


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
        folder: Where to; shards are kept beside its files until the index is whole.
        progress: Called after each shard with the texts done so far and in all.
        resume: Take over the shards that an earlier build of the same texts left.

    Returns:
        The digest of the manifest: the identity of the index.

    Raises:
        ValueError: The pool is empty.
    """
    shards = shards_of(folder)
    if not resume:
        shards.clear()
    texts = [sentence.text for sentence in materials.sentences]
    numbers = number_sentences(texts)
    others = find_others(materials.notes, numbers)
    groups = ([*map(write_bare, texts)], materials.contexts, others)
    total, done = sum(map(len, groups)), 0
    rows = np.empty((total, embedder.dimension), np.float32)
    for shard in chain.from_iterable(cut_batches(group, SHARD) for group in groups):
        rows[done : done + len(shard)] = _embed_shard(embedder, shard, shards)
        done += len(shard)
        progress(done, total)
    pool, contexts, rest = np.split(rows, np.cumsum([*map(len, groups)])[:2])
    apart = dict(zip(others, rest, strict=True))
    built = index.build_parts(
        index.IndexParts(
            embeddings=pool,
            texts=texts,
            donors=[sentence.donors for sentence in materials.sentences],
            contexts=contexts,
            embedder=(name, embedder.digest),
            notes=make_references(materials.notes, PoolRows(texts, pool, numbers), apart),
            storage=materials.storage,
            record=materials.record,
        )
    )
    digest = index.save(built, folder)
    shards.clear()
    return digest


def _embed_shard(embedder: Embedder, texts: Sequence[str], shards: Shards) -> NDArray[np.float32]:
    """Read the shard of these texts if an earlier build saved it; else embed them."""
    name = name_shard(embedder.digest, *texts)
    stored = shards.load(name)
    if stored is not None:
        rows: NDArray[np.float32] = read_array(stored)
        if rows.shape == (len(texts), embedder.dimension):
            return rows
    rows = embedder.embed(texts)
    shards.save(name, write_array(rows))
    return rows
