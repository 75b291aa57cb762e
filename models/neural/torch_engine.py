"""The engine that computes with torch: arrays outside, tensors inside."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from deidstream.models.neural import model_loading
from deidstream.models.neural.bert import Bert
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.model_loading import (
    Placement,
    PooledBert,
    TensorClassifier,
    TensorVectoriser,
    choose_placement,
)
from deidstream.models.neural.passes.packing import ForwardPass, Ids, Results
from deidstream.models.neural.passes.pass_threads import POSITIONS, cut_rows, run_side_by_side
from deidstream.models.neural.passes.traced_pass import TracedPass
from deidstream.models.time_budget import within_time


@dataclass(frozen=True, slots=True)
class TorchClassifier:
    """A classifier that torch computes."""

    model: TensorClassifier = field(repr=False)
    device: str
    precision: str
    """``fp32`` or ``bf16``, or int8 with a mark of its ranges."""
    traced: TracedPass | None = field(repr=False)
    """Computes a pass on a CPU; ``None`` where a library or a GPU does."""

    @classmethod
    def of_model(cls, model: TensorClassifier, device: str, precision: str) -> Self:
        """Take a loaded model, and trace its passes where that changes no bit."""
        traced = None
        if isinstance(model, Bert) and device == "cpu":
            traced = TracedPass.trace(partial(_classify, model), inputs=3, packed=model.packed)
        return cls(model, device, precision, traced)

    @classmethod
    def load(cls, folder: Path, options: EngineOptions) -> Self:
        """Load the classifier of a folder.

        Raises:
            MissingArtefact: It is absent, incomplete, or not in safetensors form.
            InvalidSettings: Device or dtype are not to be had.
        """
        placement = _place(options)
        model = model_loading.load_classifier(folder, placement)
        return cls.of_model(model, placement.device, placement.precision)

    @property
    def config(self) -> Mapping[str, Any]:
        """The checkpoint's configuration."""
        return self.model.config

    def score(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return each pass's probabilities by position."""
        most = _choose_positions(self.device, self.precision)
        if self.traced is not None:
            compute = partial(_score_traced, self.traced)
            return run_side_by_side(compute, passes, positions=most)
        return [
            np.concatenate([self._score_pass(part) for part in cut_rows(one, most)])
            for one in within_time(passes)
        ]

    def _score_pass(self, one: ForwardPass) -> Results:
        with torch.inference_mode():
            types = None if one.types is None else self._send(one.types)
            return _fetch(_classify(self.model, self._send(one.ids), self._send(one.mask), types))

    def _send(self, array: Ids) -> Tensor:
        return torch.from_numpy(array).to(self.device)


def load_classifier(folder: Path, options: EngineOptions) -> TorchClassifier:
    """Load a classifier: :meth:`TorchClassifier.load`."""
    return TorchClassifier.load(folder, options)


def load_vectoriser(folder: Path, options: EngineOptions) -> "TorchVectoriser":
    """Load a vectoriser: :meth:`TorchVectoriser.load`."""
    return TorchVectoriser.load(folder, options)


def _classify(model: TensorClassifier, ids: Tensor, mask: Tensor, types: Tensor | None) -> Tensor:
    return model.classify(ids, mask, types).float().softmax(dim=-1)


def _score_traced(traced: TracedPass, one: ForwardPass) -> Results:
    types = np.zeros_like(one.ids) if one.types is None else one.types
    with torch.inference_mode():
        return _fetch(traced(*map(torch.from_numpy, (one.ids, one.mask, types))))


@dataclass(frozen=True, slots=True)
class TorchVectoriser:
    """A vectoriser that torch computes."""

    model: TensorVectoriser = field(repr=False)
    device: str
    precision: str
    """``fp32`` or ``bf16``, or int8 with a mark of its ranges."""
    traced: TracedPass | None = field(repr=False)
    """Computes a pass on a CPU; ``None`` where a library or a GPU does."""

    @classmethod
    def of_model(cls, model: TensorVectoriser, device: str, precision: str) -> Self:
        """Take a loaded model, and trace its passes where that changes no bit."""
        traced = None
        if isinstance(model, PooledBert) and device == "cpu":
            traced = TracedPass.trace(model.compute, inputs=2, packed=model.bert.packed)
        return cls(model, device, precision, traced)

    @classmethod
    def load(cls, folder: Path, options: EngineOptions) -> Self:
        """Load the model of a folder.

        Raises:
            MissingArtefact: It cannot be loaded, or is not in safetensors form.
            InvalidSettings: Device or dtype are not to be had.
        """
        placement = _place(options)
        model = model_loading.load_vectoriser(folder, placement)
        return cls.of_model(model, placement.device, placement.precision)

    @property
    def longest(self) -> int | None:
        """Word pieces that it reads at once, special ones included."""
        return self.model.longest

    def compute(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return for each pass a vector a row, in fp32."""
        most = _choose_positions(self.device, self.precision)
        if self.traced is not None:
            compute = partial(_compute_traced, self.traced)
            return run_side_by_side(compute, passes, positions=most)
        return [
            np.concatenate([self._compute_pass(part) for part in cut_rows(one, most)])
            for one in within_time(passes)
        ]

    def _compute_pass(self, one: ForwardPass) -> Results:
        with torch.inference_mode():
            given = (torch.from_numpy(array).to(self.device) for array in (one.ids, one.mask))
            return _fetch(self.model.compute(*given))


def _compute_traced(traced: TracedPass, one: ForwardPass) -> Results:
    with torch.inference_mode():
        return _fetch(traced(torch.from_numpy(one.ids), torch.from_numpy(one.mask)))


def _choose_positions(device: str, precision: str) -> int:
    """Return how many padded positions may be computed at once.

    With AMX the kernel of a product in bf16 adds in an order that follows from the number of its
    rows, so there a sequence's scores would depend on the notes beside it.
    """
    if device != "cpu":
        return sys.maxsize
    return 1 if precision == "bf16" else POSITIONS


def _place(options: EngineOptions) -> Placement:
    placement = choose_placement(options.device, options.dtype)
    set_threads(options)
    return placement


def set_threads(options: EngineOptions) -> None:
    """Tell torch how many threads it may use, if options say."""
    if options.threads:
        torch.set_num_threads(options.threads)


def _fetch(tensor: Tensor) -> Results:
    array: Results = tensor.cpu().numpy()
    return array.astype(np.float32, copy=False)
