"""Find the ranges of activations on text, and measure what int8 changes.

The passes over the notes are laid out as they always are, and recorded instead of computed; so the
ranges are those of the windows, lengths and token types of real use.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.bert_weights import WEIGHTS
from deidstream.models.neural.engine_port import (
    OPENVINO,
    ROUNDING,
    TORCH_INT8,
    Classifier,
    EngineOptions,
    Vectoriser,
)
from deidstream.models.neural.exact_sums import find_wrong_sums
from deidstream.models.neural.openvino_engine import (
    OpenVinoClassifier,
    OpenVinoVectoriser,
    observe_extremes,
    read_known_bert,
)
from deidstream.models.neural.passes.packing import ForwardPass, Results
from deidstream.models.neural.quantization import Quantization, Range
from deidstream.models.neural.sentence_embedder import SentenceEmbedder
from deidstream.models.neural.torch_int8_engine import (
    load_rounded_classifier,
    load_rounded_vectoriser,
)
from deidstream.models.neural.weights import file_digest
from deidstream.models.recognizers.label_scores import COUNT, WHOLE
from deidstream.models.recognizers.tagger import Tagger
from deidstream.models.recognizers.word_spans import find_words

EXACT: Final = EngineOptions(device="cpu", dtype="fp32")
"""What int8 is compared with."""
_MOST_PASSES: Final = 40
_MOST_MEDIANS: Final = 2.0
_TINY: Final = 1e-6


@dataclass(frozen=True, slots=True)
class NotingClassifier:
    """A classifier that keeps what it is given and answers nothing."""

    config: Mapping[str, Any] = field(repr=False)
    precision: str = "none"
    passes: list[ForwardPass] = field(default_factory=list[ForwardPass], repr=False)

    def score(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return zeros."""
        self.passes.extend(passes)
        columns = len(self.config["id2label"])
        return [np.zeros((*one.ids.shape, columns), dtype=np.float32) for one in passes]


@dataclass(frozen=True, slots=True)
class NotingVectoriser:
    """A vectoriser that keeps what it is given and answers nothing."""

    longest: int | None
    dimension: int
    precision: str = "none"
    passes: list[ForwardPass] = field(default_factory=list[ForwardPass], repr=False)

    def compute(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return zeros."""
        self.passes.extend(passes)
        return [np.zeros((len(one.ids), self.dimension), dtype=np.float32) for one in passes]


def quantize_tagger(
    tagger: Tagger, folder: Path, texts: Sequence[str], judged: Sequence[str]
) -> Quantization:
    """Quantize a tagger on texts, and measure on others what that changes with each engine.

    Args:
        tagger: The checkpoint of the folder, exact.
        folder: Where it lies.
        texts: The ranges are those of these.
        judged: The loss is measured on these.

    Raises:
        MissingArtefact: The checkpoint is not a BERT whose every setting is known.
    """
    recorder = NotingClassifier(tagger.model.config)
    replace(tagger, model=recorder).score(texts)
    found = _find_ranges(folder, recorder.passes)
    return replace(found, loss=measure_tagger_loss(tagger, folder, found, judged))


def measure_tagger_loss(
    tagger: Tagger, folder: Path, found: Quantization, judged: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Return the loss of each engine that rounds a tagger, whether or not it can run here."""
    loaders: dict[str, Callable[[Path, EngineOptions, Quantization], Classifier]]
    loaders = {OPENVINO: OpenVinoClassifier.load, TORCH_INT8: load_rounded_classifier}
    loss: dict[str, dict[str, float]] = {}
    for engine in ROUNDING:
        rounded = replace(tagger, model=loaders[engine](folder, _choose_run(engine), found))
        loss[engine] = compare_taggers(tagger, rounded, judged)
    return loss


def quantize_embedder(
    embedder: SentenceEmbedder, folder: Path, texts: Sequence[str], judged: Sequence[str]
) -> Quantization:
    """Quantize an embedder on texts, and measure on others what that changes with each engine.

    Raises:
        MissingArtefact: The model is not a BERT whose every setting is known, and its mean.
    """
    recorder = NotingVectoriser(embedder.model.longest, embedder.dimension)
    replace(embedder, model=recorder).embed(texts)
    found = _find_ranges(folder, recorder.passes)
    return replace(found, loss=measure_embedder_loss(embedder, folder, found, judged))


def measure_embedder_loss(
    embedder: SentenceEmbedder, folder: Path, found: Quantization, judged: Sequence[str]
) -> dict[str, dict[str, float]]:
    """Return the loss of each engine that rounds an embedder, whether or not it can run here."""
    loaders: dict[str, Callable[[Path, EngineOptions, Quantization], Vectoriser]]
    loaders = {OPENVINO: OpenVinoVectoriser.load, TORCH_INT8: load_rounded_vectoriser}
    expected = embedder.embed(judged)
    loss: dict[str, dict[str, float]] = {}
    for engine in ROUNDING:
        rounded = replace(embedder, model=loaders[engine](folder, _choose_run(engine), found))
        cosines = (expected * rounded.embed(judged)).sum(axis=1)
        loss[engine] = {"mean_distance": max(0.0, 1 - float(cosines.mean()))}
    return loss


def _choose_run(engine: str) -> EngineOptions:
    """Let no overflow of this processor's products show in the loss of an engine."""
    return EngineOptions(device="cpu", in_floats=bool(find_wrong_sums(engine)))


def _find_ranges(folder: Path, passes: Sequence[ForwardPass]) -> Quantization:
    every = -(-len(passes) // _MOST_PASSES)
    observed = observe_extremes(read_known_bert(folder), list(passes[::every]))
    ranges = {name: find_range(low, high) for name, (low, high) in observed.items()}
    return Quantization(file_digest(folder / WEIGHTS), ranges, {})


def find_range(low: NDArray[np.float32], high: NDArray[np.float32]) -> Range:
    """Return the range of an activation, from the extremes of its channels.

    A channel that goes beyond some medians of all is divided down to that: its weights, multiplied
    instead, seldom are the greatest of their row.
    """
    widest = np.maximum(np.abs(low), np.abs(high))
    by = np.maximum(1.0, widest / max(_TINY, _MOST_MEDIANS * float(np.median(widest))))
    outliers = {int(at): round(float(by[at]), 4) for at in np.flatnonzero(by > 1)}
    return Range(min(0.0, float((low / by).min())), max(0.0, float((high / by).max())), outliers)


def compare_taggers(exact: Tagger, rounded: Tagger, texts: Sequence[str]) -> dict[str, float]:
    """Return the loss of a tagger against an exact one, as ``MOST_LOSS`` names it."""
    expected, given = (np.concatenate(each.score(texts)[1]) for each in (exact, rounded))
    change = np.abs(given[:, 0].astype(np.int64) - expected[:, 0])
    found, kept = (find_words(each, exact.thresholds, _never) for each in (expected, given))
    likely, other = (each[:, 1 : 1 + COUNT].argmax(axis=1) for each in (expected, given))
    # Where fp32 finds nothing, a label counts only if int8 finds something.
    differs = (found != kept) | (found & (likely != other))
    return {
        "mean_change": float(change.mean()) / WHOLE,
        "other_labels": float(differs.mean()),
        "lost_pieces": float((found & ~kept).sum() / max(1, found.sum())),
    }


def _never(_word: int) -> bool:
    return False
