"""A small embedder that needs no model: words hashed to signs, summed, made unit rows."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HashEmbedder:
    """Texts that share words have a high cosine; the same text has always the same row."""

    dimension: int = 96
    digest: str = "hash-embedder"
    calls: list[int] = field(default_factory=list[int])
    """How many texts each call was given."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(len(texts))
        rows = [self._row(text) for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), self.dimension)

    def _row(self, text: str) -> NDArray[np.float64]:
        words = sorted(set(text.casefold().split())) or [""]
        total = np.array([_signs(word, self.dimension) for word in words]).sum(axis=0)
        unit: NDArray[np.float64] = total / np.linalg.norm(total)
        return unit


@lru_cache(maxsize=10_000)
def _signs(word: str, dimension: int) -> NDArray[np.float64]:
    size = dimension // 8 + 1
    raw = hashlib.shake_256(word.encode()).digest(size)
    bits = np.unpackbits(np.frombuffer(raw, np.uint8))[:dimension]
    return bits.astype(np.float64) * 2 - 1
