"""Time the parts of detection, and count the forward passes of the tagger, inside a pipeline."""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from deidstream.agents.runtime.compose import Runtime
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import RecognizerName
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span

if TYPE_CHECKING:
    from deidstream.models.neural.engine_port import Classifier
    from deidstream.models.neural.passes.packing import ForwardPass, Results
    from deidstream.models.recognizers.tagger import Tagger


PASSES = "passes"
"""The forward passes of the tagger, apart from the rest of it: its windows, its reading of labels,
and the time in which it waits for the passes of another batch."""


@dataclass(slots=True)
class PartClock:
    """Adds up what the parts of detection take, and the positions that the tagger computes."""

    seconds: dict[str, float] = field(default_factory=dict[str, float])
    positions: int = 0
    """Padding included."""
    _turn: threading.Lock = field(default_factory=threading.Lock)
    """Two batches are in work at once, on threads of their own."""

    def add(self, part: str, seconds: float) -> None:
        """Add seconds to a part."""
        with self._turn:
            self.seconds[part] = self.seconds.get(part, 0.0) + seconds

    def add_passes(self, positions: int, seconds: float) -> None:
        """Add forward passes; their seconds are no longer those of the rest of the tagger."""
        with self._turn:
            self.positions += positions
        self.add(PASSES, seconds)
        self.add(RecognizerName.TAGGER, -seconds)

    def restart(self) -> None:
        """Begin at zero."""
        with self._turn:
            self.seconds.clear()
            self.positions = 0


@dataclass(frozen=True, slots=True)
class TimedRecognizer:
    """A recognizer whose calls are timed."""

    inner: Recognizer
    clock: PartClock

    @property
    def name(self) -> str:
        """The name of the recognizer."""
        return self.inner.name

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        """Find the spans of each note."""
        start = time.perf_counter()
        try:
            return self.inner.recognize(notes)
        finally:
            self.clock.add(self.inner.name, time.perf_counter() - start)


@dataclass(frozen=True, slots=True)
class CountingClassifier:
    """A model whose passes are timed and whose positions are counted."""

    inner: "Classifier"
    clock: PartClock

    @property
    def config(self) -> Mapping[str, Any]:
        """The configuration of the model."""
        return self.inner.config

    @property
    def precision(self) -> str:
        """How precisely the model computes, and by what."""
        return self.inner.precision

    def score(self, passes: "Sequence[ForwardPass]") -> "Sequence[Results]":
        """Return each pass's probabilities by position."""
        start = time.perf_counter()
        try:
            return self.inner.score(passes)
        finally:
            positions = sum(one.ids.size for one in passes)
            self.clock.add_passes(positions, time.perf_counter() - start)


def time_pipeline(pipeline: Pipeline, clock: PartClock) -> Pipeline:
    """Return a pipeline that does the same and whose parts report to ``clock``."""
    detector = pipeline.detector
    timed = tuple(_time_recognizer(each, clock) for each in detector.recognizers)
    return replace(
        pipeline,
        detector=replace(detector, recognizers=timed),
        strict=time_pipeline(pipeline.strict, clock) if pipeline.strict else None,
        stronger=time_pipeline(pipeline.stronger, clock) if pipeline.stronger else None,
    )


def _time_recognizer(recognizer: Recognizer, clock: PartClock) -> TimedRecognizer:
    if recognizer.name != RecognizerName.TAGGER:
        return TimedRecognizer(recognizer, clock)
    tagger = cast("Tagger", recognizer)
    counted = replace(tagger, model=CountingClassifier(tagger.model, clock))
    return TimedRecognizer(counted, clock)


def tagger_of(parts: Runtime) -> "Tagger | None":
    """Return the tagger of a policy in force, if it has one."""
    named = RecognizerName.TAGGER in parts.pipeline.policy.recognizers
    return cast("Tagger", parts.models.recognizers[RecognizerName.TAGGER]) if named else None
