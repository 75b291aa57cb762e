"""BERT's encoder in plain torch, for checkpoints of which every setting is known here.

To import BERT from transformers takes four seconds of processor time and 270 MB, mostly for
training and distribution. This is the same sequence of torch's functions, and so gives the same
bits; a checkpoint that asks for anything else is left to transformers (ADR 24).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from deidstream.models.neural.bert_weights import (
    WEIGHTS,
    Layer,
    assemble,
    name_plainly,
    read_usual_config,
)

Product = Callable[[Tensor], Tensor]
"""Multiplies states with a matrix of weights, and adds the bias."""


class LayerProducts(Protocol):
    """The products of one layer with its weights, which another precision replaces (ADR 59)."""

    def project(self, states: Tensor) -> Sequence[Tensor]:
        """Return query, key and value of each position."""
        ...

    def join(self, attended: Tensor) -> Tensor:
        """Return what the heads of a position found together."""
        ...

    def widen(self, states: Tensor) -> Tensor:
        """Return the inner states, before GELU."""
        ...

    def narrow(self, widened: Tensor) -> Tensor:
        """Return states of the outer width."""
        ...


@dataclass(frozen=True, slots=True)
class WholeProducts:
    """The products in the precision of the weights."""

    layer: Layer[Tensor] = field(repr=False)

    def project(self, states: Tensor) -> Sequence[Tensor]:
        """Return query, key and value of each position."""
        parts = (self.layer.query, self.layer.key, self.layer.value)
        return [functional.linear(states, *weights) for weights in parts]

    def join(self, attended: Tensor) -> Tensor:
        """Return what the heads of a position found together."""
        return functional.linear(attended, *self.layer.attended)

    def widen(self, states: Tensor) -> Tensor:
        """Return the inner states, before GELU."""
        return functional.linear(states, *self.layer.widened)

    def narrow(self, widened: Tensor) -> Tensor:
        """Return states of the outer width."""
        return functional.linear(widened, *self.layer.narrowed)


@dataclass(frozen=True, slots=True)
class EncoderLayer:
    """A layer of the encoder; each norm is weight and bias."""

    products: LayerProducts = field(repr=False)
    attended_norm: tuple[Tensor, Tensor] = field(repr=False)
    narrowed_norm: tuple[Tensor, Tensor] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Bert:
    """An encoder, and the head of a token classifier where the checkpoint has one."""

    config: Mapping[str, Any] = field(repr=False)
    """The checkpoint's own configuration."""
    words: Tensor = field(repr=False)
    positions: Tensor = field(repr=False)
    types: Tensor = field(repr=False)
    norm: tuple[Tensor, Tensor] = field(repr=False)
    layers: Sequence[EncoderLayer] = field(repr=False)
    head: Product | None = field(repr=False)
    names_columns: bool
    """Whether there is a head, and ``id2label`` names each of its columns."""
    packed: Sequence[Tensor] = field(default=(), repr=False)
    """Weights in a layout of a library, which a trace must be given (``passes.traced_pass``)."""

    def encode(self, ids: Tensor, mask: Tensor, types: Tensor | None = None) -> Tensor:
        """Return the last hidden states.

        Args:
            ids: Shape ``(rows, length)``, int64.
            mask: The same shape; 0 for padding, else 1.
            types: Token types of the same shape; all 0 when not given.
        """
        places = torch.arange(ids.shape[1], device=ids.device)[None]
        types = torch.zeros_like(ids) if types is None else types
        states = functional.embedding(ids, self.words) + functional.embedding(types, self.types)
        states = states + functional.embedding(places, self.positions)
        states = self._normalise(states, self.norm)
        visible = _visible(mask)
        for layer in self.layers:
            states = self._apply(layer, states, visible)
        return states

    def classify(self, ids: Tensor, mask: Tensor, types: Tensor | None) -> Tensor:
        """Return the logits of each position.

        Raises:
            ValueError: The checkpoint has no head.
        """
        if self.head is None:
            msg = "this encoder has no head"
            raise ValueError(msg)
        return self.head(self.encode(ids, mask, types))

    def _apply(self, layer: EncoderLayer, states: Tensor, visible: Tensor | None) -> Tensor:
        attended = layer.products.join(self._attend(layer, states, visible))
        attended = self._normalise(attended + states, layer.attended_norm)
        widened = functional.gelu(layer.products.widen(attended))
        narrowed = layer.products.narrow(widened)
        return self._normalise(narrowed + attended, layer.narrowed_norm)

    def _attend(self, layer: EncoderLayer, states: Tensor, visible: Tensor | None) -> Tensor:
        rows, length, width = states.shape
        heads = int(self.config["num_attention_heads"])
        query, key, value = (
            made.view(rows, length, heads, -1).transpose(1, 2)
            for made in layer.products.project(states)
        )
        attended = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=visible, scale=(width // heads) ** -0.5
        )
        return attended.transpose(1, 2).reshape(rows, length, width)

    def _normalise(self, states: Tensor, norm: tuple[Tensor, Tensor]) -> Tensor:
        epsilon = float(self.config["layer_norm_eps"])
        return functional.layer_norm(states, states.shape[-1:], *norm, epsilon)


def _visible(mask: Tensor) -> Tensor | None:
    """Return which positions each position may look at; ``None`` for all of them.

    Without a mask torch takes another kernel, and so other bits; transformers drops it too.
    """
    seen = mask.bool()
    rows, length = seen.shape
    return None if seen.all() else seen[:, None, None, :].expand(rows, 1, length, length)


def read_bert(folder: Path, device: str, dtype: torch.dtype) -> Bert | None:
    """Read a checkpoint; ``None`` if it is not of the kind that this module computes.

    Raises:
        OSError: A file cannot be read.
        SafetensorError: The weights are not in safetensors form.
        ValueError: The configuration is not JSON.
    """
    config = read_usual_config(folder)
    if config is None:
        return None
    found = name_plainly(load_file(folder / WEIGHTS))
    if not all(value.is_floating_point() for value in found.values()):
        return None
    # A copy: results may differ with the alignment that weights have in a mapped file.
    weights = assemble(config, {n: v.to(device, dtype, copy=True) for n, v in found.items()})
    if weights is None:
        return None
    return Bert(
        config=weights.config,
        words=weights.words,
        positions=weights.positions,
        types=weights.types,
        norm=weights.norm,
        layers=[
            EncoderLayer(WholeProducts(layer), layer.attended_norm, layer.narrowed_norm)
            for layer in weights.layers
        ],
        head=_multiply_by(weights.head) if weights.head else None,
        names_columns=weights.names_columns,
    )


def _multiply_by(affine: tuple[Tensor, Tensor]) -> Product:
    weight, bias = affine
    return partial(functional.linear, weight=weight, bias=bias)
