"""Count what the neural networks would read of a hostile text, instead of running them.

A network takes the same time for each position that it reads, padding and special pieces included,
as its windows have a greatest size. That time is measured on ordinary notes; the rest of the tagger
and the embedder (tokenizer, windows, shapes, comparing with the reference contexts) runs as it is.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from deidstream.agents.runtime.compose import Runtime
from deidstream.models.neural.passes.packing import ForwardPass, Ids, Results
from deidstream.models.neural.sentence_embedder import SentenceEmbedder
from deidstream.models.pipeline import Pipeline
from deidstream.models.recognizers.tagger import Tagger
from deidstream.schemas.policy import RecognizerName


@dataclass(slots=True)
class CountedNetwork:
    """Counts positions; answers with equal numbers, or as the network that it stands for."""

    inner: Any
    columns: int
    runs: bool = False
    """Whether the network itself answers, so that its time is measured."""
    positions: int = 0
    seconds: float = 0.0

    @property
    def config(self) -> Mapping[str, Any]:
        return self.inner.config  # type: ignore[no-any-return]

    @property
    def precision(self) -> str:
        return self.inner.precision  # type: ignore[no-any-return]

    @property
    def longest(self) -> int | None:
        return self.inner.longest  # type: ignore[no-any-return]

    def score(self, passes: Sequence[ForwardPass]) -> Sequence[Results]:
        return self._answer(passes, "score", lambda ids: (*ids.shape, self.columns))

    def compute(self, passes: Sequence[ForwardPass]) -> Sequence[Results]:
        return self._answer(passes, "compute", lambda ids: (len(ids), self.columns))

    def _answer(
        self, passes: Sequence[ForwardPass], call: str, shape_of: Callable[[Ids], tuple[int, ...]]
    ) -> Sequence[Results]:
        self.positions += sum(one.ids.size for one in passes)
        if not self.runs:
            return [np.ones(shape_of(one.ids), dtype=np.float32) for one in passes]
        begin = time.process_time()
        made: Sequence[Results] = getattr(self.inner, call)(passes)
        self.seconds += time.process_time() - begin
        return made


@dataclass(slots=True)
class Networks:
    """The two networks of a pipeline, and the seconds a position takes each of them."""

    tagger: Tagger
    embedder: SentenceEmbedder
    rates: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of_runtime(cls, runtime: Runtime) -> "Networks":
        """Put counters in the place of the networks."""
        tagger: Any = runtime.models.recognizers[RecognizerName.TAGGER]
        deferred: Any = runtime.models.embedder
        embedder = deferred.load()
        columns = len(tagger.model.config["id2label"])
        return cls(
            replace(tagger, model=CountedNetwork(tagger.model, columns)),
            replace(embedder, model=CountedNetwork(embedder.model, embedder.dimension)),
        )

    def counters(self) -> dict[str, CountedNetwork]:
        made: dict[str, Any] = {"tagger": self.tagger.model, "embedder": self.embedder.model}
        return made

    def measure_rates(self, text: str) -> None:
        """Run both networks on an ordinary text, and keep the seconds of a position."""
        for _ in range(2):  # the first time warms up
            for counter in self.counters().values():
                counter.runs, counter.positions, counter.seconds = True, 0, 0.0
            self.tagger.score([text])
            self.embedder.embed([" ".join(words) for words in _tens(text.split())])
        for name, counter in self.counters().items():
            counter.runs = False
            self.rates[name] = counter.seconds / counter.positions

    def take_seconds(self) -> dict[str, float]:
        """Return the seconds that what was read since the last call would have taken."""
        taken: dict[str, float] = {}
        for name, counter in self.counters().items():
            taken[f"network: {name}"] = counter.positions * self.rates[name]
            counter.positions = 0
        return taken

    def installed_in(self, pipeline: Pipeline) -> Pipeline:
        """Return the pipeline with the counted embedder and without the tagger."""
        made = without_tagger(pipeline)
        uniqueness = made.assessor.uniqueness
        if uniqueness:
            uniqueness = replace(uniqueness, embedder=self.embedder)
            made = replace(made, assessor=replace(made.assessor, uniqueness=uniqueness))
        rewriter: Any = made.rewriter
        if rewriter is None:
            return made
        kneo = replace(rewriter.kneo, embedder=self.embedder)
        return replace(made, rewriter=replace(rewriter, kneo=kneo))


def without_tagger(pipeline: Pipeline) -> Pipeline:
    """Take the tagger out, so that the rules alone decide and more spans are left to the rest."""
    kept = tuple(each for each in pipeline.detector.recognizers if each.name != "tagger")
    names = frozenset(RecognizerName(each.name) for each in kept)
    policy = replace(pipeline.policy, recognizers=names)
    detector = replace(pipeline.detector, recognizers=kept, policy=policy)
    return replace(pipeline, detector=detector, policy=policy)


def _tens(words: list[str]) -> list[list[str]]:
    return [words[first : first + 10] for first in range(0, len(words), 10)]
