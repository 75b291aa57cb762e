"""Count word pieces, by which batches are cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.weights import locate


@dataclass(frozen=True, slots=True)
class PieceCounter:
    """Counts the word pieces of a checkpoint's tokenizer; needs none of its weights in memory."""

    pieces: Pieces

    @classmethod
    def load(cls, path: str) -> Self:
        """Read the tokenizer of a checkpoint, by path or by the name of a downloaded one.

        Raises:
            MissingArtefact: There is no such checkpoint, or its tokenizer is not a fast one.
        """
        return cls(Pieces.load(locate(path)))

    def count(self, texts: Sequence[str]) -> list[int]:
        """Number of word pieces of each text, special tokens left out; nothing is truncated."""
        return self.pieces.count(texts)
