"""The FAISS index types of a pool: which is chosen for its size, how it is made and searched.

Each query is searched alone, so what it finds does not depend on the queries asked with it: FAISS
takes other ways, and other rounding, for many queries at once. One thread searches: several
cannot share one query, and wait for each other (70 times as long where both processors were busy).
One thread also builds the same bytes each time.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import Any, Final

import faiss
import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
_NATIVE: Final[Any] = faiss
"""For what the stubs of FAISS lack."""

_SHORTLIST_FACTOR, _LEAST_SHORTLIST = 8.0, 512
"""The shortlist holds so many times the wanted number, or this many if that is more."""
_PER_SUBSPACE: Final = 4
"""Dimensions that one code of four bits stands for in a shortlisting scan."""
_TRAINED_ON: Final = 100_000
"""Most vectors that an index type is trained on, evenly taken."""
_ADDED: Final = 50_000
"""Vectors added at a time."""


class Storage(StrEnum):
    """How a vector is kept."""

    FP16 = "fp16"
    """Two bytes a dimension."""
    INT8 = "int8"
    """One byte a dimension."""
    AUTO = "auto"
    """``fp16`` up to ``INT8_FROM`` sentences, ``int8`` above."""


EXACT_LIMIT: Final = 5_000
"""Up to so many sentences every one is compared; above, a compressed scan shortlists."""
INT8_FROM: Final = 200_000
_CODES: Final = {Storage.FP16: "SQfp16", Storage.INT8: "SQ8"}


def choose_plan(count: int, dimension: int, storage: Storage = Storage.AUTO) -> str:
    """Name the FAISS index type for so many sentences, as benchmarks/kneo_index.py measured.

    Args:
        count: Sentences.
        dimension: Of their vectors; no multiple of four is compared exactly at any size.
        storage: How vectors are kept.
    """
    if storage is Storage.AUTO:
        storage = Storage.FP16 if count < INT8_FROM else Storage.INT8
    codes = _CODES[storage]
    if count <= EXACT_LIMIT or dimension % _PER_SUBSPACE:
        return codes
    return f"PQ{dimension // _PER_SUBSPACE}x4fs,Refine({codes})"


def build_vectors(rows: Vectors, plan: str) -> Any:  # noqa: ANN401
    """Build the vectors of a pool.

    Args:
        rows: Shape ``(n, dimension)``, of unit length.
        plan: The FAISS index type.
    """
    made = faiss.index_factory(rows.shape[1], plan, faiss.METRIC_INNER_PRODUCT)
    step = -(-len(rows) // _TRAINED_ON)
    with _one_thread():
        made.train(np.ascontiguousarray(rows[::step], np.float32))
        for begin in range(0, len(rows), _ADDED):
            made.add(np.ascontiguousarray(rows[begin : begin + _ADDED], np.float32))
    return made


@contextmanager
def _one_thread() -> Generator[None]:
    """Let FAISS use one thread; torch shares the setting, so it is put back."""
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)
    try:
        yield
    finally:
        faiss.omp_set_num_threads(threads)


def write_vectors(vectors: Any) -> bytes:  # noqa: ANN401
    """Return the content of a file that ``parse_vectors`` reads."""
    content: bytes = faiss.serialize_index(vectors).tobytes()
    return content


def parse_vectors(content: bytes) -> Any:  # noqa: ANN401
    """Parse vectors after their checksum was checked.

    They are not copied: what is returned holds on to ``content``.
    """
    array = np.frombuffer(content, np.uint8)
    reader = _NATIVE.ZeroCopyIOReader(_NATIVE.swig_ptr(array), array.size)
    vectors = _NATIVE.read_index(reader)
    # FAISS points into the array, which Python would otherwise free.
    vectors.referenced_objects = [array]
    return vectors


def search_vectors(
    vectors: Any,  # noqa: ANN401
    queries: Vectors,
    asked: int,
) -> Sequence[tuple[list[float], list[int]]]:
    """Return for each query the cosines and rows of the nearest, nearest first; row -1: no more."""
    rows = np.ascontiguousarray(queries, np.float32)
    # The file may not say how long the shortlist is.
    options = _shortlist(asked) if isinstance(vectors, faiss.IndexRefine) else None
    results: list[tuple[list[float], list[int]]] = []
    with _one_thread():
        for place in range(len(rows)):
            cosines, found = vectors.search(rows[place : place + 1], asked, params=options)
            results.append((cosines[0].tolist(), found[0].tolist()))
    return results


def _shortlist(asked: int) -> Any:  # noqa: ANN401
    factor = max(_SHORTLIST_FACTOR, _LEAST_SHORTLIST / asked)
    return _NATIVE.IndexRefineSearchParameters(k_factor=factor)
