"""The engine that computes in int8 with OpenVINO, on the CPU; it imports no torch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.bert_weights import read_bert_arrays
from deidstream.models.neural.engine_port import IN_FLOATS, OPENVINO, EngineOptions
from deidstream.models.neural.exact_sums import find_wrong_sums
from deidstream.models.neural.mean_pooling import read_mean_pooling
from deidstream.models.neural.openvino_graph import GraphBuilder, Weights
from deidstream.models.neural.openvino_session import (
    PRECISIONS,
    Session,
    compile_graph,
    list_capabilities,
    list_inputs,
)
from deidstream.models.neural.passes.packing import ForwardPass, Results
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.weights import loading
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

Extremes = NDArray[np.float32]


def choose_rest(dtype: str) -> str:
    """Return how what is not int8 is computed: ``fp32`` or ``bf16``.

    Raises:
        InvalidSettings: It is neither of them nor ``auto``, or the processor has no bf16.
    """
    if dtype == "auto":
        return "bf16" if "BF16" in list_capabilities() else "fp32"
    if dtype not in PRECISIONS or (dtype == "bf16" and "BF16" not in list_capabilities()):
        msg = f"dtype {dtype} is not to be had here"
        raise InvalidSettings(msg)
    return dtype


def _name(options: EngineOptions) -> str:
    return IN_FLOATS if options.in_floats else OPENVINO


@dataclass(frozen=True, slots=True)
class OpenVinoClassifier:
    """A classifier in int8."""

    config: Mapping[str, Any] = field(repr=False)
    session: Session = field(repr=False)
    precision: str

    @classmethod
    def load(cls, folder: Path, options: EngineOptions, quantization: Quantization) -> Self:
        """Build and compile the classifier of a folder.

        Raises:
            MissingArtefact: It is not a BERT whose every setting is known, or lacks ranges.
        """
        rest = choose_rest(options.dtype)
        with loading(f"tagger {folder.name}"):
            weights = read_known_bert(folder)
            if not weights.names_columns:
                msg = f"tagger {folder.name} has no columns with names"
                raise MissingArtefact(msg)
            graph = GraphBuilder(weights, quantization.ranges).build_classifier()
            session = compile_graph(graph, rest, options.threads, in_floats=options.in_floats)
        return cls(weights.config, session, quantization.name_precision(rest, _name(options)))

    def score(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return each pass's probabilities by position."""
        return self.session.run(passes)


@dataclass(frozen=True, slots=True)
class OpenVinoVectoriser:
    """BERT in int8, of whose last hidden states the mean is taken."""

    longest: int
    session: Session = field(repr=False)
    precision: str

    @classmethod
    def load(cls, folder: Path, options: EngineOptions, quantization: Quantization) -> Self:
        """Build and compile the model of a folder.

        Raises:
            MissingArtefact: It is not a BERT whose every setting is known, or lacks ranges.
        """
        rest = choose_rest(options.dtype)
        with loading(f"embedder {folder.name}"):
            weights, pooling = read_known_bert(folder), read_mean_pooling(folder)
            if pooling is None or pooling.longest > len(weights.positions):
                msg = f"embedder {folder.name} asks for more than the mean"
                raise MissingArtefact(msg)
            graph = GraphBuilder(weights, quantization.ranges)
            mean = graph.build_mean(normalised=pooling.normalised)
            session = compile_graph(mean, rest, options.threads, in_floats=options.in_floats)
        return cls(pooling.longest, session, quantization.name_precision(rest, _name(options)))

    def compute(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return for each pass a vector a row."""
        return self.session.run(passes)


def load_classifier(folder: Path, options: EngineOptions) -> OpenVinoClassifier:
    """Load a classifier by the ranges of its folder: :meth:`OpenVinoClassifier.load`."""
    ranges = Quantization.of_model(folder)
    return OpenVinoClassifier.load(folder, _avoid_overflow(options), ranges)


def load_vectoriser(folder: Path, options: EngineOptions) -> OpenVinoVectoriser:
    """Load a vectoriser by the ranges of its folder: :meth:`OpenVinoVectoriser.load`."""
    ranges = Quantization.of_model(folder)
    return OpenVinoVectoriser.load(folder, _avoid_overflow(options), ranges)


def _avoid_overflow(options: EngineOptions) -> EngineOptions:
    """Let OpenVINO multiply in floats on a processor on which its int8 sums are wrong."""
    return replace(options, in_floats=options.in_floats or bool(find_wrong_sums(OPENVINO)))


def read_known_bert(folder: Path) -> Weights:
    """Read the weights of a checkpoint.

    Raises:
        MissingArtefact: It is not of the kind that is known here.
    """
    weights = read_bert_arrays(folder)
    if weights is None:
        msg = f"{folder.name} is not a BERT that openvino can run: set model.engine to torch"
        raise MissingArtefact(msg)
    return weights


def observe_extremes(
    weights: Weights, passes: Sequence[ForwardPass]
) -> dict[str, tuple[Extremes, Extremes]]:
    """Return the least and the greatest values, by channel, of each activation that meets weights.

    Args:
        weights: The checkpoint.
        passes: What the model is given; what stands on padding is not counted.
    """
    builder = GraphBuilder(weights, None)
    request = compile_graph(builder.observe(), "fp32", 0).compiled.create_infer_request()
    found: dict[str, tuple[Extremes, Extremes]] = {}
    for one in passes:
        request.infer(list_inputs(one))
        shown = one.mask > 0
        for place, name in enumerate(builder.seen):
            values: Extremes = request.get_output_tensor(place).data[shown]
            low, high = values.min(axis=0), values.max(axis=0)
            before = found.get(name, (low, high))
            found[name] = np.minimum(low, before[0]), np.maximum(high, before[1])
    return found
