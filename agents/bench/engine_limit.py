"""Measure the limit of the tagger's engine: its forward passes alone, over all notes in one go.

Nothing that runs the tagger over these notes can be faster than this on the same machine, with the
same model and the same windows. All windows are known beforehand, so the passes are packed as well
as the layout can pack them; cutting, tokenizing and reading of labels are left out.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deidstream.models.neural.engine_port import Classifier
    from deidstream.models.neural.packing import Ids, Results
    from deidstream.models.recognizers.tagger import Tagger


@dataclass(frozen=True, slots=True)
class ForwardPass:
    """What one call of the model is given."""

    ids: "Ids" = field(repr=False)
    mask: "Ids" = field(repr=False)
    types: "Ids | None" = field(repr=False)


@dataclass(frozen=True, slots=True)
class PassRecorder:
    """A model that keeps what it is given."""

    inner: "Classifier"
    passes: list[ForwardPass] = field(default_factory=list[ForwardPass], repr=False)

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration of the model."""
        return self.inner.config

    @property
    def precision(self) -> str:
        """That of the model."""
        return self.inner.precision

    def score(self, ids: "Ids", mask: "Ids", types: "Ids | None") -> "Results":
        """Return the probabilities of each position."""
        self.passes.append(ForwardPass(ids, mask, types))
        return self.inner.score(ids, mask, types)


@dataclass(frozen=True, slots=True)
class EngineRun:
    """One run of all forward passes."""

    pieces_per_second: float
    """Word pieces of the notes, each counted once, whatever windows share and padding adds."""
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class EngineLimit:
    """The forward passes of all notes of a bench."""

    model: "Classifier" = field(repr=False)
    passes: Sequence[ForwardPass] = field(repr=False)
    pieces: int
    """Word pieces of the notes."""

    @classmethod
    def record(cls, tagger: "Tagger", texts: Sequence[str]) -> "EngineLimit":
        """Let the tagger read all texts at once, and keep what its model is given."""
        recording = PassRecorder(tagger.model)
        encodings, _ = replace(tagger, model=recording).score(texts)
        pieces = sum(len(encoding.ids) for encoding in encodings)
        return cls(tagger.model, recording.passes, pieces)

    @property
    def positions(self) -> int:
        """Positions that the passes compute, padding included."""
        return sum(one.ids.size for one in self.passes)

    def run(self) -> EngineRun:
        """Compute every pass again, and time that."""
        began, cpu = time.perf_counter(), time.process_time()
        for one in self.passes:
            self.model.score(one.ids, one.mask, one.types)
        seconds = time.perf_counter() - began
        return EngineRun(self.pieces / seconds, time.process_time() - cpu)
