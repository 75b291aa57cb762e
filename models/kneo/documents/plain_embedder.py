"""Embed texts as the paper prepares them: in small letters, single spaces, no punctuation.

Source: "Anonymization Through Substitution: Words vs Sentences", section 4.2.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.documents.document_embedder import read_document
from deidstream.schemas.ports import NoteEmbedder, TokenCounter


@dataclass(frozen=True, slots=True)
class PlainTextEmbedder:
    """Another embedder that reads plain words; its vectors are of no use to the other's index."""

    embedder: NoteEmbedder

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self.embedder.dimension

    @property
    def digest(self) -> str:
        """Digest of the embedder and of what it is given."""
        return hashlib.sha256(f"plain text {self.embedder.digest}".encode()).hexdigest()

    @property
    def precision(self) -> str:
        """That of the embedder."""
        return self.embedder.precision

    @property
    def pieces(self) -> TokenCounter:
        """That of the embedder: it counts whole notes."""
        return self.embedder.pieces

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed the plain words of each text."""
        return self.embedder.embed([" ".join(read_document(text)) for text in texts])
