"""Vectors of sentences that are kept between rows and runs."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deidstream.schemas.ports import Embedder


@dataclass(slots=True)
class KeptRows:
    """An embedder that keeps what it embedded in a folder, at half precision."""

    embedder: Embedder
    path: Path
    rows: dict[bytes, NDArray[np.float16]] = field(default_factory=dict[bytes, Any])
    new: int = 0

    @classmethod
    def open(cls, embedder: Embedder, path: Path) -> "KeptRows":
        kept = cls(embedder, path)
        if path.exists():
            stored = np.load(path)
            kept.rows = dict(zip(map(bytes, stored["keys"]), stored["rows"], strict=True))
        return kept

    @property
    def dimension(self) -> int:
        return self.embedder.dimension

    @property
    def digest(self) -> str:
        return self.embedder.digest

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        keys = [hashlib.sha256(text.encode()).digest() for text in texts]
        new = [n for n, key in enumerate(keys) if key not in self.rows]
        if new:
            made = self.embedder.embed([texts[n] for n in new]).astype(np.float16)
            self.rows.update(zip((keys[n] for n in new), made, strict=True))
            self.new += len(new)
        if not keys:
            return np.zeros((0, self.dimension), np.float32)
        rows = np.array([self.rows[key] for key in keys], np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)

    def save(self) -> None:
        if self.new:
            keys = np.frombuffer(b"".join(self.rows), np.uint8).reshape(-1, 32)
            np.savez(self.path, keys=keys, rows=np.array(list(self.rows.values())))
            self.new = 0
