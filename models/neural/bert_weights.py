"""The weights of a BERT checkpoint whose every setting is known, as arrays of any library."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError

WEIGHTS: Final = "model.safetensors"
_PREFIX: Final = "bert."
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
"""Settings of a configuration under which the modules beside this one compute its model."""


class Shaped(Protocol):
    """An array of any library."""

    @property
    def shape(self) -> Sequence[int]:
        """Its sizes."""
        ...

    def __len__(self) -> int:
        """Return the first of them."""
        ...


A = TypeVar("A", bound=Shaped)


@dataclass(frozen=True, slots=True)
class Layer(Generic[A]):
    """The weights of one layer of the encoder; each pair is weight and bias."""

    query: tuple[A, A]
    key: tuple[A, A]
    value: tuple[A, A]
    attended: tuple[A, A]
    attended_norm: tuple[A, A]
    widened: tuple[A, A]
    narrowed: tuple[A, A]
    narrowed_norm: tuple[A, A]


@dataclass(frozen=True, slots=True)
class BertWeights(Generic[A]):
    """An encoder, and the head of a token classifier where the checkpoint has one."""

    config: Mapping[str, Any] = field(repr=False)
    """The checkpoint's own configuration."""
    words: A = field(repr=False)
    positions: A = field(repr=False)
    types: A = field(repr=False)
    norm: tuple[A, A] = field(repr=False)
    layers: Sequence[Layer[A]] = field(repr=False)
    head: tuple[A, A] | None = field(repr=False)

    @property
    def names_columns(self) -> bool:
        """Whether there is a head, and ``id2label`` names each of its columns."""
        names = self.config.get("id2label")
        if self.head is None or not isinstance(names, Mapping):
            return False
        return set(names) == {str(column) for column in range(len(self.head[0]))}


def read_usual_config(folder: Path) -> Mapping[str, Any] | None:
    """Return the configuration of a checkpoint; ``None`` if it asks for more than is known here.

    Raises:
        OSError: A file cannot be read.
        ValueError: The configuration is not JSON.
    """
    path = folder / "config.json"
    config: Any = json.loads(path.read_bytes()) if path.exists() else None
    if not isinstance(config, dict) or config.get("model_type") != "bert":
        return None
    usual = all(config.get(key, value) == value for key, value in _USUAL.items())
    numbers = all(isinstance(config.get(key), int | float) for key in _NEEDED)
    return config if usual and numbers and (folder / WEIGHTS).exists() else None


def name_plainly(stored: Mapping[str, A]) -> dict[str, A]:
    """Return stored arrays by the names that ``assemble`` knows."""
    found = {name.removeprefix(_PREFIX): value for name, value in stored.items()}
    found.pop(_PLACES, None)
    return found


def assemble(config: Mapping[str, Any], arrays: Mapping[str, A]) -> BertWeights[A] | None:
    """Sort arrays into layers; ``None`` if one is absent or has not the shape that is named."""
    try:
        weights = _sort_into_layers(config, arrays)
    except KeyError:
        return None
    return weights if _fits(weights) else None


def read_bert_arrays(folder: Path) -> BertWeights[NDArray[np.floating[Any]]] | None:
    """Read a checkpoint without torch; ``None`` if it is not of the kind that is known here.

    Weights stored in bf16, which NumPy lacks, are not read either.

    Raises:
        OSError: A file cannot be read.
        SafetensorError: The weights are not in safetensors form.
        ValueError: The configuration is not JSON.
    """
    from safetensors.numpy import load_file  # noqa: PLC0415  not needed beside torch

    config = read_usual_config(folder)
    if config is None:
        return None
    try:
        found = name_plainly(load_file(folder / WEIGHTS))
    except (KeyError, TypeError, SafetensorError):
        return None
    if not all(np.issubdtype(value.dtype, np.floating) for value in found.values()):
        return None
    return assemble(config, found)


def _sort_into_layers(config: Mapping[str, Any], arrays: Mapping[str, A]) -> BertWeights[A]:
    def affine(name: str) -> tuple[A, A]:
        return arrays[f"{name}.weight"], arrays[f"{name}.bias"]

    def layer(name: str) -> Layer[A]:
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

    return BertWeights(
        config=config,
        words=arrays["embeddings.word_embeddings.weight"],
        positions=arrays["embeddings.position_embeddings.weight"],
        types=arrays["embeddings.token_type_embeddings.weight"],
        norm=affine("embeddings.LayerNorm"),
        layers=[layer(f"encoder.layer.{n}") for n in range(config["num_hidden_layers"])],
        head=affine("classifier") if "classifier.weight" in arrays else None,
    )


def _fits(bert: BertWeights[A]) -> bool:
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


def _layer_fits(layer: Layer[A], width: int, inner: int) -> bool:
    squares = (layer.query, layer.key, layer.value, layer.attended)
    norms = (layer.attended_norm, layer.narrowed_norm)
    return (
        all(_is_affine(weights, width, width) for weights in squares)
        and all(_is_norm(weights, width) for weights in norms)
        and _is_affine(layer.widened, inner, width)
        and _is_affine(layer.narrowed, width, inner)
    )


def _is_affine(weights: tuple[A, A], rows: int, columns: int) -> bool:
    return tuple(weights[0].shape) == (rows, columns) and tuple(weights[1].shape) == (rows,)


def _is_norm(weights: tuple[A, A], width: int) -> bool:
    return all(tuple(one.shape) == (width,) for one in weights)
