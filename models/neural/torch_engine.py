"""The engine that computes with torch: arrays outside, tensors inside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.model_loading import (
    Placement,
    TensorClassifier,
    TensorVectoriser,
    choose_placement,
    load_classifier,
    load_vectoriser,
)
from deidstream.models.neural.packing import ForwardPass, Ids, Results
from deidstream.schemas.time_budget import within_time


@dataclass(frozen=True, slots=True)
class TorchClassifier:
    """A classifier that torch computes."""

    model: TensorClassifier = field(repr=False)
    placement: Placement

    @classmethod
    def load(cls, folder: Path, options: EngineOptions) -> Self:
        """Load the classifier of a folder.

        Raises:
            MissingArtefact: It is absent, incomplete, or not in safetensors form.
            InvalidSettings: Device or dtype are not to be had.
        """
        placement = _place(options)
        return cls(load_classifier(folder, placement), placement)

    @property
    def config(self) -> Mapping[str, Any]:
        """The checkpoint's configuration."""
        return self.model.config

    @property
    def precision(self) -> str:
        """``fp32`` or ``bf16``."""
        return self.placement.precision

    def score(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return each pass's probabilities by position."""
        with torch.inference_mode():
            return [self._score_pass(one) for one in within_time(passes)]

    def _score_pass(self, one: ForwardPass) -> Results:
        types = None if one.types is None else self._send(one.types)
        logits = self.model.classify(self._send(one.ids), self._send(one.mask), types)
        return _fetch(logits.float().softmax(dim=-1))

    def _send(self, array: Ids) -> Tensor:
        return torch.from_numpy(array).to(self.placement.device)


@dataclass(frozen=True, slots=True)
class TorchVectoriser:
    """A vectoriser that torch computes."""

    model: TensorVectoriser = field(repr=False)
    placement: Placement

    @classmethod
    def load(cls, folder: Path, options: EngineOptions) -> Self:
        """Load the model of a folder.

        Raises:
            MissingArtefact: It cannot be loaded, or is not in safetensors form.
            InvalidSettings: Device or dtype are not to be had.
        """
        placement = _place(options)
        return cls(load_vectoriser(folder, placement), placement)

    @property
    def longest(self) -> int | None:
        """Word pieces that it reads at once, special ones included."""
        return self.model.longest

    @property
    def precision(self) -> str:
        """``fp32`` or ``bf16``."""
        return self.placement.precision

    def compute(self, passes: Sequence[ForwardPass]) -> list[Results]:
        """Return for each pass a vector a row, in fp32."""
        with torch.inference_mode():
            return [self._compute_pass(one) for one in within_time(passes)]

    def _compute_pass(self, one: ForwardPass) -> Results:
        device = self.placement.device
        given = (torch.from_numpy(array).to(device) for array in (one.ids, one.mask))
        return _fetch(self.model.compute(*given))


def _place(options: EngineOptions) -> Placement:
    placement = choose_placement(options.device, options.dtype)
    if options.threads:
        torch.set_num_threads(options.threads)
    return placement


def _fetch(tensor: Tensor) -> Results:
    array: Results = tensor.cpu().numpy()
    return array.astype(np.float32, copy=False)
