"""The engine that computes with torch: arrays outside, tensors inside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from deidstream.models.neural.bert import Bert
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.model_loading import (
    Placement,
    PooledBert,
    TensorClassifier,
    TensorVectoriser,
    choose_placement,
    load_classifier,
    load_vectoriser,
)
from deidstream.models.neural.packing import ForwardPass, Ids, Results
from deidstream.models.neural.pass_threads import run_side_by_side
from deidstream.schemas.time_budget import within_time


@dataclass(frozen=True, slots=True)
class TorchClassifier:
    """A classifier that torch computes."""

    model: TensorClassifier = field(repr=False)
    device: str
    precision: str
    """``fp32`` or ``bf16``, or int8 with a mark of its ranges."""

    @classmethod
    def load(cls, folder: Path, options: EngineOptions) -> Self:
        """Load the classifier of a folder.

        Raises:
            MissingArtefact: It is absent, incomplete, or not in safetensors form.
            InvalidSettings: Device or dtype are not to be had.
        """
        placement = _place(options)
        model = load_classifier(folder, placement)
        return cls(model, placement.device, placement.precision)

    @property
    def config(self) -> Mapping[str, Any]:
        """The checkpoint's configuration."""
        return self.model.config

    def score(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return each pass's probabilities by position."""
        if self.device == "cpu" and isinstance(self.model, Bert):
            return run_side_by_side(self._score_pass, passes)
        return [self._score_pass(one) for one in within_time(passes)]

    def _score_pass(self, one: ForwardPass) -> Results:
        with torch.inference_mode():
            types = None if one.types is None else self._send(one.types)
            logits = self.model.classify(self._send(one.ids), self._send(one.mask), types)
            return _fetch(logits.float().softmax(dim=-1))

    def _send(self, array: Ids) -> Tensor:
        return torch.from_numpy(array).to(self.device)


@dataclass(frozen=True, slots=True)
class TorchVectoriser:
    """A vectoriser that torch computes."""

    model: TensorVectoriser = field(repr=False)
    device: str
    precision: str
    """``fp32`` or ``bf16``, or int8 with a mark of its ranges."""

    @classmethod
    def load(cls, folder: Path, options: EngineOptions) -> Self:
        """Load the model of a folder.

        Raises:
            MissingArtefact: It cannot be loaded, or is not in safetensors form.
            InvalidSettings: Device or dtype are not to be had.
        """
        placement = _place(options)
        model = load_vectoriser(folder, placement)
        return cls(model, placement.device, placement.precision)

    @property
    def longest(self) -> int | None:
        """Word pieces that it reads at once, special ones included."""
        return self.model.longest

    def compute(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return for each pass a vector a row, in fp32."""
        if self.device == "cpu" and isinstance(self.model, PooledBert):
            return run_side_by_side(self._compute_pass, passes)
        return [self._compute_pass(one) for one in within_time(passes)]

    def _compute_pass(self, one: ForwardPass) -> Results:
        with torch.inference_mode():
            given = (torch.from_numpy(array).to(self.device) for array in (one.ids, one.mask))
            return _fetch(self.model.compute(*given))


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
