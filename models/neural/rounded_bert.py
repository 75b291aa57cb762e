"""BERT whose products with weights torch computes in int8, by the ranges of ``quantization.json``.

A processor without VNNI adds pairs of int8 products in 16 bits, so two of 255 x 127 overflow. Two
of 255 x 63 do not: weights have 127 levels here instead of 255, and sums are exact on every
processor (ADR 59). Ranges are fixed, so a row never depends on its neighbours. All else is computed
in fp32 by ``bert``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from deidstream.models.neural.bert import Bert, EncoderLayer
from deidstream.models.neural.bert_weights import Layer, read_bert_arrays
from deidstream.models.neural.passes.traced_pass import without_warnings
from deidstream.models.neural.quantization import Range
from deidstream.models.neural.rounding import LEVELS, Levels, RoundedRows

GREATEST: Final = 63
"""Greatest rounded weight: two products of it with 255 fit 16 bits."""
_HALF: Final = 0.5

Affine = tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]


@dataclass(frozen=True, slots=True)
class OutlyingChannels:
    """The channels of states that have too few levels, and what they are multiplied with."""

    places: Tensor = field(repr=False)
    weights: Tensor = field(repr=False)
    """Shape ``(width of the product, number of places)``."""

    @classmethod
    def of_weights(cls, known: Range, weight: NDArray[np.float32]) -> "OutlyingChannels | None":
        """Take the columns of weights that meet outliers; ``None`` if no channel is one."""
        places = sorted(known.outliers)
        return cls(torch.tensor(places), _copy(weight[:, places])) if places else None

    def __call__(self, states: Tensor) -> Tensor:
        """Return their part of the product."""
        return functional.linear(states.index_select(-1, self.places), self.weights)


@dataclass(frozen=True, slots=True)
class RoundedProduct:
    """A product of rounded states with rounded weights; outlying channels are multiplied in fp32.

    To divide them and multiply their weights, as OpenVINO does, would leave the other weights of a
    row with few of its 127 levels.
    """

    outlying: OutlyingChannels | None = field(repr=False)
    levels: Levels
    weights: Tensor = field(repr=False)
    """In the layout of the library."""
    steps: Tensor = field(repr=False)
    zeros: Tensor = field(repr=False)
    bias: Tensor = field(repr=False)

    @classmethod
    def of_weights(cls, known: Range, affine: Affine) -> "RoundedProduct":
        """Round a matrix of weights for states of a known range."""
        weight, bias = affine[0].astype(np.float32), affine[1]
        outlying = OutlyingChannels.of_weights(known, weight)
        weight[:, list(known.outliers)] = 0
        rows = RoundedRows.of_weight(weight, GREATEST)
        return cls(
            outlying=outlying,
            levels=Levels.of_range(known),
            weights=torch.ops.onednn.qlinear_prepack(torch.from_numpy(rows.values), None),
            steps=_copy(rows.steps[:, 0]),
            zeros=torch.zeros(len(weight), dtype=torch.int64),
            bias=_copy(bias),
        )

    def __call__(self, states: Tensor) -> Tensor:
        """Multiply, and add the bias; everything outside is fp32."""
        # Conversion cuts, so half a level more rounds to the nearest.
        middle = torch.tensor(self.levels.zero + _HALF)
        levels = middle.add(states, alpha=1 / self.levels.step).clamp_(0, LEVELS - _HALF)
        rounded, known = levels.to(torch.uint8), self.levels
        made: Tensor = _script_product()(
            rounded, known.step, known.zero, self.weights, self.steps, self.zeros, self.bias
        )
        return made if self.outlying is None else made.add_(self.outlying(states))


def _multiply(  # noqa: PLR0913, PLR0917  torch's own code takes no records
    states: Tensor,
    step: float,
    zero: int,
    weights: Tensor,
    steps: Tensor,
    zeros: Tensor,
    bias: Tensor,
) -> Tensor:
    made: Tensor = torch.ops.onednn.qlinear_pointwise(
        states, step, zero, weights, steps, zeros, bias, 1.0, 0, torch.float32, "none", [], ""
    )
    return made


@cache
def _script_product() -> Any:  # noqa: ANN401  torch.jit has no types
    """Return the product as torch's own code: an empty list of options cannot be traced."""
    with without_warnings():
        return torch.jit.script(_multiply)


@dataclass(frozen=True, slots=True)
class RoundedProducts:
    """The products of one layer."""

    projected: RoundedProduct
    joined: RoundedProduct
    widened: RoundedProduct
    narrowed: RoundedProduct

    def project(self, states: Tensor) -> Sequence[Tensor]:
        """Return query, key and value of each position."""
        return self.projected(states).chunk(3, dim=-1)

    def join(self, attended: Tensor) -> Tensor:
        """Return what the heads of a position found together."""
        return self.joined(attended)

    def widen(self, states: Tensor) -> Tensor:
        """Return the inner states, before GELU."""
        return self.widened(states)

    def narrow(self, widened: Tensor) -> Tensor:
        """Return states of the outer width."""
        return self.narrowed(widened)


def read_rounded_bert(folder: Path, ranges: Mapping[str, Range]) -> Bert | None:
    """Read a checkpoint; ``None`` if it is not of the kind that is known here.

    Raises:
        OSError: A file cannot be read.
        SafetensorError: The weights are not in safetensors form.
        ValueError: The configuration is not JSON.
        KeyError: A range is absent.
    """
    weights = read_bert_arrays(folder)
    if weights is None:
        return None
    head = RoundedProduct.of_weights(ranges["head"], weights.head) if weights.head else None
    products = [
        _round_layer(f"layer.{number}", layer, ranges)
        for number, layer in enumerate(weights.layers)
    ]
    return Bert(
        config=weights.config,
        words=_copy(weights.words),
        positions=_copy(weights.positions),
        types=_copy(weights.types),
        norm=_copy_norm(weights.norm),
        layers=[
            EncoderLayer(rounded, _copy_norm(layer.attended_norm), _copy_norm(layer.narrowed_norm))
            for rounded, layer in zip(products, weights.layers, strict=True)
        ],
        head=head,
        names_columns=weights.names_columns,
        packed=_list_packed(products, head),
    )


def _list_packed(layers: Sequence[RoundedProducts], head: RoundedProduct | None) -> list[Tensor]:
    products = [] if head is None else [head]
    for layer in layers:
        products += [layer.projected, layer.joined, layer.widened, layer.narrowed]
    return [product.weights for product in products]


def _round_layer(
    name: str, layer: Layer[NDArray[np.floating[Any]]], ranges: Mapping[str, Range]
) -> RoundedProducts:
    parts = (layer.query, layer.key, layer.value)
    joint = (
        np.concatenate([weight for weight, _ in parts]),
        np.concatenate([bias for _, bias in parts]),
    )
    return RoundedProducts(
        projected=RoundedProduct.of_weights(ranges[f"{name}.states"], joint),
        joined=RoundedProduct.of_weights(ranges[f"{name}.attended"], layer.attended),
        widened=RoundedProduct.of_weights(ranges[f"{name}.between"], layer.widened),
        narrowed=RoundedProduct.of_weights(ranges[f"{name}.widened"], layer.narrowed),
    )


def _copy(array: NDArray[np.floating[Any]]) -> Tensor:
    return torch.tensor(array, dtype=torch.float32)


def _copy_norm(norm: Affine) -> tuple[Tensor, Tensor]:
    return _copy(norm[0]), _copy(norm[1])
