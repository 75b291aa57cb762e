"""An embedder that remembers its texts: a study has most sentences embedded many times."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.schemas.ports import Embedder


@dataclass(slots=True)
class RememberingEmbedder:
    """Embeds each text once."""

    embedder: Embedder
    rows: dict[str, NDArray[np.float32]] = field(
        default_factory=dict[str, NDArray[np.float32]], repr=False
    )

    @property
    def dimension(self) -> int:
        """Numbers of a vector."""
        return self.embedder.dimension

    @property
    def digest(self) -> str:
        """The digest of the embedder."""
        return self.embedder.digest

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each text, in their order."""
        new = [text for text in dict.fromkeys(texts) if text not in self.rows]
        if new:
            # Those of about one length together: what is shorter is padded.
            new.sort(key=len)
            self.rows.update(zip(new, self.embedder.embed(new), strict=True))
        rows = [self.rows[text] for text in texts]
        return np.array(rows, np.float32).reshape(len(texts), self.dimension)
