"""The protocol of an embedder; importing it loads no model library."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors whose cosine is their similarity."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 of everything that the vectors depend on, in hexadecimal."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed each text.

        Returns:
            Shape ``(len(texts), dimension)``, rows of unit length in the order of ``texts``. A
            row never depends on the texts beside it. Nothing is truncated.
        """
        ...
