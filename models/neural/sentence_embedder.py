"""Embed texts by any sentence-transformers model whose first module is a transformer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural import weights
from deidstream.models.neural.engine_choice import load_vectoriser
from deidstream.models.neural.engine_port import EngineChoice, EngineOptions, Vectoriser
from deidstream.models.neural.passes.packing import (
    MULTIPLE,
    Layout,
    cut_windows,
    run_packed_sequences,
)
from deidstream.models.neural.tokenizer import Pieces

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SentenceEmbedder:
    """A sentence-transformers model with its own pooling; prompts are not applied."""

    pieces: Pieces
    model: Vectoriser = field(repr=False)
    layout: Layout
    window: int
    """Word pieces the model reads at once, special ones included."""
    dimension: int
    digest: str
    choice: EngineChoice
    """Which engine computes, and why."""

    @classmethod
    def load(
        cls,
        name_or_path: str = weights.PACKAGED,
        *,
        run: EngineOptions | None = None,
        budget_tokens: int = 4096,
    ) -> Self:
        """Read a model: the packaged one, a folder, or the name of a downloaded one.

        A folder without ``modules.json`` is read as a plain transformer with mean pooling.

        Args:
            name_or_path: Which model.
            run: By which engine and where; default: torch. Pooling is always done in fp32.
            budget_tokens: Most padded word pieces of one forward pass.

        Raises:
            MissingArtefact: The model is absent, not in safetensors form, or not of this kind, or
                the packaged one was altered.
            InvalidSettings: Device or dtype are not to be had.
        """
        folder = weights.find_encoder(name_or_path)
        # Nothing is parsed before it is checked.
        digest = weights.check_digest(
            folder, weights.PACKAGED_DIGEST if name_or_path == weights.PACKAGED else ""
        )
        pieces = Pieces.load(folder)
        model, choice = load_vectoriser(folder, (run or EngineOptions()).for_model(digest))
        layout = Layout(budget_tokens, pieces.pad_id)
        window = min(model.longest or pieces.longest, pieces.longest) // MULTIPLE * MULTIPLE
        ((_, trial),) = run_packed_sequences(model.compute, [pieces.add_special_ids([])], layout)
        return cls(pieces, model, layout, window, len(trial), digest, choice)

    @property
    def precision(self) -> str:
        """How precisely it computes, and by what; part of a pipeline's identity."""
        return self.model.precision

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed each text.

        A text longer than the model reads is cut into windows; its vector is the mean of theirs,
        each weighed by its word pieces. A text without word pieces is embedded as the model sees
        it: special pieces alone, or, failing those, the first axis.

        Returns:
            Shape ``(len(texts), dimension)``, rows of unit length in the order of ``texts``.
        """
        room = self.pieces.text_room(self.window)
        encodings = self.pieces.encode(texts)
        cuts = [
            [
                ids[window.start : window.end]
                for window in cut_windows(len(ids), size=room, overlap=0)
            ]
            or [[]]
            for ids in (encoding.ids for encoding in encodings)
        ]
        vectors = self._embed_windows([window for cut in cuts for window in cut])
        ends = accumulate(map(len, cuts))
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, cut, end in zip(rows, cuts, ends, strict=True):
            row[:] = _average(vectors[end - len(cut) : end], [max(1, len(ids)) for ids in cut])
        return rows

    def _embed_windows(self, windows: Sequence[Sequence[int]]) -> list[Vectors]:
        vectors = [_NOTHING] * len(windows)
        framed = [self.pieces.add_special_ids(ids) for ids in windows]
        for at, row in run_packed_sequences(self.model.compute, framed, self.layout):
            vectors[at] = _normalise(row)
        return vectors


_NOTHING: Vectors = np.zeros(0, dtype=np.float32)


def _average(vectors: Sequence[Vectors], counts: Sequence[int]) -> Vectors:
    if len(vectors) == 1:
        return vectors[0]
    return _normalise(np.average(np.stack(vectors), axis=0, weights=counts))


def _normalise(vector: NDArray[np.floating[Any]]) -> Vectors:
    length = float(np.linalg.norm(vector))
    unit: Vectors = (vector / (length or 1.0)).astype(np.float32)
    if not length:
        unit[0] = 1.0
    return unit
