"""Measure the limit of the engine: its forward passes alone, over all notes in one go.

They are those of the tagger, and where the policy embeds text, those of the embedder too.
Nothing that runs the models over these notes can be faster than this on the same machine, with the
same model and the same windows. All windows are known beforehand, so the passes are packed as well
as the layout can pack them; cutting, tokenizing and reading of labels are left out.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deidstream.models.neural.engine_port import Classifier, Vectoriser
    from deidstream.models.neural.passes.packing import ForwardPass, Results
    from deidstream.models.recognizers.tagger import Tagger


@dataclass(frozen=True, slots=True)
class PassRecorder:
    """A model that keeps what it is given."""

    inner: "Classifier"
    calls: "list[Sequence[ForwardPass]]" = field(default_factory=list, repr=False)

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration of the model."""
        return self.inner.config

    @property
    def precision(self) -> str:
        """That of the model."""
        return self.inner.precision

    def score(self, passes: "Sequence[ForwardPass]") -> "Sequence[Results]":
        """Return each pass's probabilities by position."""
        self.calls.append(passes)
        return self.inner.score(passes)


@dataclass(frozen=True, slots=True)
class VectorRecorder:
    """A model of an embedder that keeps what it is given."""

    inner: "Vectoriser"
    calls: "list[Sequence[ForwardPass]]" = field(default_factory=list, repr=False)

    @property
    def longest(self) -> int | None:
        """Word pieces that the model reads at once."""
        return self.inner.longest

    @property
    def precision(self) -> str:
        """That of the model."""
        return self.inner.precision

    def compute(self, passes: "Sequence[ForwardPass]") -> "Sequence[Results]":
        """Return for each pass a vector a row."""
        self.calls.append(passes)
        return self.inner.compute(passes)


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
    calls: "Sequence[Sequence[ForwardPass]]" = field(repr=False)
    """The passes of each call of the model."""
    pieces: int
    """Word pieces of the notes."""
    embedding: VectorRecorder | None = None
    """The passes of the embedder, where the policy embeds."""
    repeats: float = 1.0
    """Word pieces of the notes by those of their distinct texts: equal texts that come together
    are computed once, and a worker does not get all of them together."""

    @classmethod
    def record(cls, tagger: "Tagger", texts: Sequence[str]) -> "EngineLimit":
        """Let the tagger read all texts at once, and keep what its model is given."""
        recording = PassRecorder(tagger.model)
        encodings, _ = replace(tagger, model=recording).score(texts)
        lengths = [len(encoding.ids) for encoding in encodings]
        distinct = dict(zip(texts, lengths, strict=True))
        repeats = sum(lengths) / max(1, sum(distinct.values()))
        return cls(tagger.model, recording.calls, sum(lengths), repeats=repeats)

    @property
    def positions(self) -> int:
        """Positions that the passes compute, padding included."""
        return sum(one.ids.size for call in self.calls for one in call)

    def run(self) -> EngineRun:
        """Compute every pass again, and time that; repeated texts count as often as they come."""
        began, cpu = time.perf_counter(), time.process_time()
        for passes in self.calls:
            self.model.score(passes)
        if self.embedding is not None:
            for passes in self.embedding.calls:
                self.embedding.inner.compute(passes)
        seconds = (time.perf_counter() - began) * self.repeats
        return EngineRun(self.pieces / seconds, (time.process_time() - cpu) * self.repeats)
