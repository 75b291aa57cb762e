"""BERT's encoder in plain torch, for checkpoints of which every setting is known here.

To import BERT from transformers takes four seconds of processor time and 270 MB, mostly for
training and distribution. This is the same sequence of torch's functions, and so gives the same
bits; a checkpoint that asks for anything else is left to transformers (ADR 24).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn import functional

Affine = tuple[Tensor, Tensor]
"""Weight and bias."""
_PREFIX: Final = "bert."
_WEIGHTS: Final = "model.safetensors"
_PLACES: Final = "embeddings.position_ids"
"""0, 1, 2 and so on, which older checkpoints store."""
_NEEDED: Final = ("num_hidden_layers", "num_attention_heads", "layer_norm_eps")
_USUAL: Final[Mapping[str, object]] = {
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "is_decoder": False,
    "add_cross_attention": False,
    "chunk_size_feed_forward": 0,
    "quantization_config": None,
}
"""Settings of a configuration under which the functions below are its model."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of one layer of the encoder."""

    query: Affine
    key: Affine
    value: Affine
    attended: Affine
    attended_norm: Affine
    widened: Affine
    narrowed: Affine
    narrowed_norm: Affine


@dataclass(frozen=True, slots=True)
class Bert:
    """An encoder, and the head of a token classifier where the checkpoint has one."""

    config: Mapping[str, Any] = field(repr=False)
    """The checkpoint's own configuration."""
    words: Tensor = field(repr=False)
    positions: Tensor = field(repr=False)
    types: Tensor = field(repr=False)
    norm: Affine = field(repr=False)
    layers: Sequence[Layer] = field(repr=False)
    head: Affine | None = field(repr=False)

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

    def _apply(self, layer: Layer, states: Tensor, visible: Tensor | None) -> Tensor:
        attended = functional.linear(self._attend(layer, states, visible), *layer.attended)
        attended = self._normalise(attended + states, layer.attended_norm)
        widened = functional.gelu(functional.linear(attended, *layer.widened))
        narrowed = functional.linear(widened, *layer.narrowed)
        return self._normalise(narrowed + attended, layer.narrowed_norm)

    def _attend(self, layer: Layer, states: Tensor, visible: Tensor | None) -> Tensor:
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

    def _normalise(self, states: Tensor, norm: Affine) -> Tensor:
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
    path = folder / "config.json"
    config: Any = json.loads(path.read_bytes()) if path.exists() else None
    if not _is_usual(config) or not (folder / _WEIGHTS).exists():
        return None
    stored = load_file(folder / _WEIGHTS)
    found = {name.removeprefix(_PREFIX): value for name, value in stored.items()}
    found.pop(_PLACES, None)
    if not all(value.is_floating_point() for value in found.values()):
        return None
    # A copy: results may differ with the alignment that weights have in a mapped file.
    tensors = {n: v.to(device, dtype, copy=True) for n, v in found.items()}
    try:
        bert = _assemble(config, tensors)
    except KeyError:
        return None
    return bert if _fits(bert) else None


def _is_usual(config: Any) -> bool:  # noqa: ANN401  whatever the file holds
    if not isinstance(config, dict) or config.get("model_type") != "bert":
        return False
    usual = all(config.get(key, value) == value for key, value in _USUAL.items())
    return usual and all(isinstance(config.get(key), int | float) for key in _NEEDED)


def _assemble(config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> Bert:
    def affine(name: str) -> Affine:
        return tensors[f"{name}.weight"], tensors[f"{name}.bias"]

    def layer(name: str) -> Layer:
        return Layer(
            query=affine(f"{name}.attention.self.query"),
            key=affine(f"{name}.attention.self.key"),
            value=affine(f"{name}.attention.self.value"),
            attended=affine(f"{name}.attention.output.dense"),
            attended_norm=affine(f"{name}.attention.output.LayerNorm"),
            widened=affine(f"{name}.intermediate.dense"),
            narrowed=affine(f"{name}.output.dense"),
            narrowed_norm=affine(f"{name}.output.LayerNorm"),
        )

    return Bert(
        config=config,
        words=tensors["embeddings.word_embeddings.weight"],
        positions=tensors["embeddings.position_embeddings.weight"],
        types=tensors["embeddings.token_type_embeddings.weight"],
        norm=affine("embeddings.LayerNorm"),
        layers=[layer(f"encoder.layer.{n}") for n in range(config["num_hidden_layers"])],
        head=affine("classifier") if "classifier.weight" in tensors else None,
    )


def _fits(bert: Bert) -> bool:
    """Return whether the shapes of the weights are those that the configuration names."""
    config, width = bert.config, bert.words.shape[-1]
    inner: Any = config.get("intermediate_size")
    tables = (
        (bert.words, config.get("vocab_size")),
        (bert.positions, config.get("max_position_embeddings")),
        (bert.types, config.get("type_vocab_size")),
    )
    return (
        width % config["num_attention_heads"] == 0
        and all(tuple(table.shape) == (rows, width) for table, rows in tables)
        and _is_norm(bert.norm, width)
        and all(_layer_fits(layer, width, inner) for layer in bert.layers)
        and (bert.head is None or _is_affine(bert.head, len(bert.head[0]), width))
    )


def _layer_fits(layer: Layer, width: int, inner: int) -> bool:
    squares = (layer.query, layer.key, layer.value, layer.attended)
    norms = (layer.attended_norm, layer.narrowed_norm)
    return (
        all(_is_affine(weights, width, width) for weights in squares)
        and all(_is_norm(weights, width) for weights in norms)
        and _is_affine(layer.widened, inner, width)
        and _is_affine(layer.narrowed, width, inner)
    )


def _is_affine(weights: Affine, rows: int, columns: int) -> bool:
    return tuple(weights[0].shape) == (rows, columns) and tuple(weights[1].shape) == (rows,)


def _is_norm(weights: Affine, width: int) -> bool:
    return all(tuple(one.shape) == (width,) for one in weights)
