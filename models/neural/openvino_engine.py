"""The engine that computes in int8 with OpenVINO, on the CPU; it imports no torch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.bert_weights import read_bert_arrays
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.mean_pooling import read_mean_pooling
from deidstream.models.neural.openvino_graph import GraphBuilder, Weights
from deidstream.models.neural.openvino_library import CompiledModel, Core, InferRequest, Model
from deidstream.models.neural.packing import Ids, Results
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.weights import loading
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

Extremes = NDArray[np.float32]
_DEVICE: Final = "CPU"
_PRECISIONS: Final = {"fp32": "f32", "bf16": "bf16"}


@dataclass(frozen=True, slots=True)
class Session:
    """A compiled graph. Calls from several threads wait for each other."""

    request: InferRequest = field(repr=False)
    lock: Lock = field(default_factory=Lock, repr=False)

    def run(self, ids: Ids, mask: Ids, types: Ids | None) -> Results:
        """Run all rows.

        The plugin prepares its kernels for each shape that it meets, for some ten milliseconds. So
        rows are run in passes of 2^n rows: of each length there are then few shapes.
        """
        given = [ids, mask, np.zeros_like(ids) if types is None else types]
        whole = [array.astype(np.int32) for array in given]
        parts: list[Results] = []
        first = 0
        with self.lock:
            for rows in _split_rows(len(ids)):
                passed = [array[first : first + rows] for array in whole]
                self.request.infer(passed, share_inputs=True)
                parts.append(self.request.get_output_tensor().data.copy())
                first += rows
        return np.concatenate(parts)


def _split_rows(rows: int) -> list[int]:
    """Split a number into powers of two, the greatest first."""
    return [1 << bit for bit in reversed(range(rows.bit_length())) if rows >> bit & 1]


def compile_graph(model: Model, dtype: str, threads: int) -> Session:
    """Compile a graph for the CPU.

    Args:
        model: The graph.
        dtype: ``fp32`` or ``bf16``: how what is not int8 is computed.
        threads: 0: as many as there are cores.
    """
    properties: dict[str, Any] = {
        "INFERENCE_PRECISION_HINT": _PRECISIONS[dtype],
        "NUM_STREAMS": 1,
        "PERFORMANCE_HINT": "LATENCY",
        "ENABLE_CPU_PINNING": False,
    }
    if threads:
        properties["INFERENCE_NUM_THREADS"] = threads
    compiled: CompiledModel = _core().compile_model(model, _DEVICE, properties)

    return Session(compiled.create_infer_request())


@cache
def _core() -> Core:
    return Core()


def choose_rest(dtype: str) -> str:
    """Return how what is not int8 is computed: ``fp32`` or ``bf16``.

    Raises:
        InvalidSettings: It is neither of them nor ``auto``.
    """
    if dtype == "auto":
        able: list[str] = _core().get_property(_DEVICE, "OPTIMIZATION_CAPABILITIES")
        return "bf16" if "BF16" in able else "fp32"
    if dtype not in _PRECISIONS:
        msg = f"dtype {dtype} is not to be had here"
        raise InvalidSettings(msg)
    return dtype


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
            session = compile_graph(graph, rest, options.threads)
        return cls(weights.config, session, _name_precision(rest, quantization))

    def score(self, ids: Ids, mask: Ids, types: Ids | None) -> Results:
        """Return the probabilities of each position."""
        return self.session.run(ids, mask, types)


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
            session = compile_graph(mean, rest, options.threads)
        return cls(pooling.longest, session, _name_precision(rest, quantization))

    def compute(self, ids: Ids, mask: Ids) -> Results:
        """Return a vector for each row."""
        return self.session.run(ids, mask, None)


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


def _name_precision(rest: str, quantization: Quantization) -> str:
    return f"int8-{rest}-openvino-{quantization.mark}"


def observe_extremes(
    weights: Weights, batches: list[tuple[Ids, Ids, Ids]]
) -> dict[str, tuple[Extremes, Extremes]]:
    """Return the least and the greatest values, by channel, of each activation that meets weights.

    Args:
        weights: The checkpoint.
        batches: Ids, mask and types of passes; what stands on padding is not counted.
    """
    builder = GraphBuilder(weights, None)
    request = compile_graph(builder.observe(), "fp32", 0).request
    found: dict[str, tuple[Extremes, Extremes]] = {}
    for batch in batches:
        request.infer([array.astype(np.int32) for array in batch])
        shown = batch[1] > 0
        for place, name in enumerate(builder.seen):
            values: Extremes = request.get_output_tensor(place).data[shown]
            low, high = values.min(axis=0), values.max(axis=0)
            before = found.get(name, (low, high))
            found[name] = np.minimum(low, before[0]), np.maximum(high, before[1])
    return found
