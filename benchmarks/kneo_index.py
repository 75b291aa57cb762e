"""Compare FAISS index types for the pool of KNEO: recall, queries a second, memory, build time.

    python benchmarks/kneo_index.py VECTORS.npy [--sizes 10000,100000,1000000] [--queries 500]
    python benchmarks/kneo_index.py VECTORS.npy --whole 1000000 --texts TEXTS.json --folder FOLDER

VECTORS.npy holds the vectors of real sentences, one a row. Queries are drawn from them and left out
of the pool. A pool that is larger than the file is filled up with mixtures of two of its rows and
noise. Recall@5 is the share of the five exact neighbours that are among the five found. All runs in
one thread, query by query as ``Index.search`` does; times are of the processor, so that what else
the machine does counts little. The second form builds a whole index, with texts, donors and
features, and says what a process that loads it takes.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from deidstream.models.kneo import index
from deidstream.models.kneo.vector_store import build_vectors, search_vectors

Vectors = NDArray[np.float32]
CANDIDATES = {
    "SQfp16": ("SQfp16", 0, 10**7),
    "SQ8": ("SQ8", 0, 10**7),
    "PQ fs, fp16": ("PQ{scan}x4fs,Refine(SQfp16)", 0, 10**7),
    "PQ fs, int8": ("PQ{scan}x4fs,Refine(SQ8)", 0, 10**7),
    "HNSW32, fp16": ("HNSW32_SQfp16", 0, 100_000),
    "IVF1024/64, PQ fs, int8": ("IVF1024,PQ{scan}x4fs,Refine(SQ8)", 64, 10**7),
    "IVF1024/256, PQ fs, int8": ("IVF1024,PQ{scan}x4fs,Refine(SQ8)", 256, 10**7),
}
"""By name: the FAISS type, the cells that a query looks into, the largest size that is built."""
WANTED, SPARE = 5, 8
ASKED = 88
"""What KNEO asks for first: 16 times five, and a few more for ties."""
"""Noise of a mixture, and the least share of the first of its two sentences."""
NOISE, LEAST_SHARE = 0.35, 0.6


@dataclass(frozen=True, slots=True)
class Measured:
    """One index type at one size."""

    name: str
    recall: float
    wide_recall: float
    """The five of as many as KNEO asks for."""
    queries: float
    """A second."""
    wide: float
    """The same when as many are asked for as KNEO does."""
    megabytes: float
    build_seconds: float


def make_pool(rows: Vectors, count: int) -> Vectors:
    """Return ``count`` unit rows: the given, then mixtures of two of them with noise."""
    draws = np.random.default_rng(1)
    pool = np.empty((count, rows.shape[1]), np.float32)
    given = min(count, len(rows))
    pool[:given] = rows[draws.permutation(len(rows))[:given]]
    for begin in range(given, count, 50_000):
        end = min(begin + 50_000, count)
        pair = draws.integers(len(rows), size=(2, end - begin))
        share = draws.uniform(LEAST_SHARE, 1, size=(end - begin, 1)).astype(np.float32)
        noise = draws.normal(size=(end - begin, rows.shape[1])).astype(np.float32)
        noise *= NOISE / np.linalg.norm(noise, axis=1, keepdims=True)
        mixed = share * rows[pair[0]] + (1 - share) * rows[pair[1]] + noise
        pool[begin:end] = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return pool


def find_exact(pool: Vectors, queries: Vectors) -> NDArray[np.int64]:
    """Return the rows of the exact neighbours; shape ``(n, WANTED)``."""
    flat = faiss.IndexFlatIP(pool.shape[1])
    flat.add(pool)
    rows: NDArray[np.int64] = flat.search(queries, WANTED)[1]
    return rows


def measure(
    built: tuple[str, float],
    vectors: Any,  # noqa: ANN401
    queries: Vectors,
    exact: NDArray[np.int64],
) -> Measured:
    """Search for the queries; ``built`` are the name of the type and the seconds of its build."""
    results: list[tuple[float, float]] = []
    for asked in (WANTED + SPARE, ASKED):
        began = time.process_time()
        found = [rows[:WANTED] for _, rows in search_vectors(vectors, queries, asked)]
        speed = len(queries) / (time.process_time() - began)
        kept = [len({*rows} & {*near}) for rows, near in zip(found, exact.tolist(), strict=True)]
        results.append((sum(kept) / WANTED / len(queries), speed))
    (recall, speed), (wide_recall, wide) = results
    size = faiss.serialize_index(vectors).nbytes / 1e6
    return Measured(built[0], recall, wide_recall, speed, wide, size, built[1])


def measure_all(rows: Vectors, sizes: list[int], count: int) -> Iterator[tuple[int, Measured]]:
    queries, rest = rows[:count], rows[count:]
    for size in sizes:
        pool = make_pool(rest, size)
        exact = find_exact(pool, queries)
        for name, (plan, probes, most) in CANDIDATES.items():
            if size <= most:
                began = time.process_time()
                vectors = build_vectors(pool, plan.format(scan=rows.shape[1] // 4))
                built = time.process_time() - began
                if probes:
                    base: Any = faiss.downcast_index(vectors.base_index)
                    base.nprobe = probes
                yield size, measure((name, built), vectors, queries, exact)


def build_whole(rows: Vectors, texts: list[str], count: int, folder: Path) -> None:
    """Write an index of ``count`` sentences: each text comes again with a number before it."""
    pool = make_pool(rows, count)
    named = [f"{n // len(texts)} {texts[n % len(texts)]}" for n in range(count)]
    donors = [f"{n % (count // 20):032x}" for n in range(count)]
    index.save(index.build(pool, named, donors, pool[:6000], ("benchmark", "none")), folder)


LOAD = """
import sys, time
from pathlib import Path
import numpy as np
from deidstream.models.kneo import index
def status(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(name))
before, began = status("VmRSS"), time.process_time()
loaded = index.load(Path(sys.argv[1]), "none")
took = time.process_time() - began
loaded.search(loaded.vectors_of(range(20)), 88)
print(f"{len(loaded.texts):,} sentences: {took:.1f} s to load, {status('VmRSS') - before:.0f} MB "
      f"held, {status('VmHWM') - before:.0f} MB at most")
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--whole", type=int, default=0)
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    faiss.omp_set_num_threads(1)
    rows = np.load(arguments.vectors).astype(np.float32)
    rows = rows[np.random.default_rng(0).permutation(len(rows))]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    if arguments.whole:
        texts = [text for text, _ in json.loads(arguments.texts.read_text())]
        build_whole(rows, texts, arguments.whole, arguments.folder)
        command = [sys.executable, "-c", LOAD, str(arguments.folder)]
        subprocess.run(command, check=True)  # noqa: S603 - our own interpreter and code
        return
    table = Table("sentences", "type", "recall@5", "of 88", "queries/s", "of 88", "MB", "build s")
    for size, one in measure_all(
        rows, [int(s) for s in arguments.sizes.split(",")], arguments.queries
    ):
        recalls = (f"{one.recall:.3f}", f"{one.wide_recall:.3f}")
        cells = (*recalls, f"{one.queries:.0f}", f"{one.wide:.0f}")
        table.add_row(
            f"{size:,}", one.name, *cells, f"{one.megabytes:.0f}", f"{one.build_seconds:.0f}"
        )
        print(size, one, flush=True)
    Console().print(table)


if __name__ == "__main__":
    main()
