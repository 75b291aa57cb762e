"""BERT's encoder in plain torch, for checkpoints of which every setting is known here.

To import BERT from transformers takes four seconds of processor time and 270 MB, mostly for
training and distribution. This is the same sequence of torch's functions, and so gives the same
bits; a checkpoint that asks for anything else is left to transformers (ADR 24).
"""

from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

from deidstream.models.neural.bert_weights import (
    WEIGHTS,
    BertWeights,
    Layer,
    assemble,
    name_plainly,
    read_usual_config,
)


@dataclass(frozen=True, slots=True)
class Bert(BertWeights[Tensor]):
    """An encoder, and the head of a token classifier where the checkpoint has one."""

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
        return functional.linear(self.encode(ids, mask, types), *self.head)

    def _apply(self, layer: Layer[Tensor], states: Tensor, visible: Tensor | None) -> Tensor:
        attended = functional.linear(self._attend(layer, states, visible), *layer.attended)
        attended = self._normalise(attended + states, layer.attended_norm)
        widened = functional.gelu(functional.linear(attended, *layer.widened))
        narrowed = functional.linear(widened, *layer.narrowed)
        return self._normalise(narrowed + attended, layer.narrowed_norm)

    def _attend(self, layer: Layer[Tensor], states: Tensor, visible: Tensor | None) -> Tensor:
        rows, length, width = states.shape
        heads = int(self.config["num_attention_heads"])
        query, key, value = (
            functional.linear(states, *weights).view(rows, length, heads, -1).transpose(1, 2)
            for weights in (layer.query, layer.key, layer.value)
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
    bert = assemble(config, {n: v.to(device, dtype, copy=True) for n, v in found.items()})
    if bert is None:
        return None
    return Bert(
        config=bert.config,
        words=bert.words,
        positions=bert.positions,
        types=bert.types,
        norm=bert.norm,
        layers=bert.layers,
        head=bert.head,
    )
