"""BERT as a graph of OpenVINO, built from the checkpoint's own weights.

Where ranges are given, each activation that meets weights is rounded to 256 levels of its range and
the weights to 255 levels of each row's, so that the processor multiplies int8. All else stays in
floating point: embeddings, norms, GELU, attention and softmax.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.neural.bert_weights import BertWeights, Layer
from deidstream.models.neural.openvino_library import Model, Node, op
from deidstream.models.neural.quantization import Range
from deidstream.models.neural.rounding import LEVELS, Levels, RoundedRows, list_divisors

Array = NDArray[np.floating[Any]]
Weights = BertWeights[Array]
_HIDDEN: Final = 1e4
"""Subtracted from the attention to padding; ``exp`` of less is 0 in every precision."""
GREATEST: Final = 127
"""Greatest rounded weight."""
_TINY: Final = 1e-9
INPUTS: Final = ("ids", "mask", "types")


@dataclass(frozen=True, slots=True)
class GraphBuilder:
    """Builds one graph."""

    weights: Weights = field(repr=False)
    ranges: Mapping[str, Range] | None = field(repr=False)
    """By name of the activation; ``None``: nothing is rounded."""
    seen: dict[str, Node] = field(default_factory=dict[str, Node], repr=False)
    """Filled while building: the activations that meet weights, by name."""

    def build_classifier(self) -> Model:
        """Return a graph from ids, mask and types to probabilities, shape ``(rows, length, n)``.

        Raises:
            ValueError: The checkpoint has no head.
        """
        if self.weights.head is None:
            msg = "this encoder has no head"
            raise ValueError(msg)
        ids, mask, types = _make_inputs()
        states = self._encode(ids, mask, types)
        logits = self._multiply("head", states, self.weights.head)
        return Model([op.softmax(logits, -1)], [ids, mask, types], "classifier")  # pyright: ignore[reportGeneralTypeIssues]

    def build_mean(self, *, normalised: bool) -> Model:
        """Return a graph from ids, mask and types to the mean state of each row."""
        ids, mask, types = _make_inputs()
        states = self._encode(ids, mask, types)
        seen = op.unsqueeze(op.convert(mask, "f32"), _whole([2]))
        total = op.reduce_sum(op.multiply(states, seen), _whole([1]))
        count = op.maximum(op.reduce_sum(seen, _whole([1])), _real(_TINY))
        mean = op.divide(total, count)
        if normalised:
            mean = op.normalize_l2(mean, _whole([1]), _TINY**2, "max")
        return Model([mean], [ids, mask, types], "mean")  # pyright: ignore[reportGeneralTypeIssues]

    def observe(self) -> Model:
        """Return a graph from ids, mask and types to every activation that ``seen`` names."""
        ids, mask, types = _make_inputs()
        states = self._encode(ids, mask, types)
        if self.weights.head is not None:
            self._multiply("head", states, self.weights.head)
        return Model(list(self.seen.values()), [ids, mask, types], "observed")  # pyright: ignore[reportGeneralTypeIssues]

    def _encode(self, ids: Node, mask: Node, types: Node) -> Node:
        weights = self.weights
        length = op.gather(op.shape_of(ids), _whole(1), _whole(0))
        places = op.range(_whole(0), length, _whole(1), "i64")
        states = op.add(_look_up(weights.words, ids), _look_up(weights.types, types))
        states = op.add(states, _look_up(weights.positions, places))
        states = self._normalise(states, weights.norm)
        shown = op.subtract(op.convert(mask, "f32"), _real(1))
        hidden = op.unsqueeze(op.multiply(shown, _real(_HIDDEN)), _whole([1, 2]))
        for number, layer in enumerate(weights.layers):
            states = self._apply(f"layer.{number}", layer, states, hidden)
        return states

    def _apply(self, name: str, layer: Layer[Array], states: Node, hidden: Node) -> Node:
        attended = self._attend(name, layer, states, hidden)
        attended = self._multiply(f"{name}.attended", attended, layer.attended)
        attended = self._normalise(op.add(attended, states), layer.attended_norm)
        widened = op.gelu(self._multiply(f"{name}.between", attended, layer.widened), "erf")
        narrowed = self._multiply(f"{name}.widened", widened, layer.narrowed)
        return self._normalise(op.add(narrowed, attended), layer.narrowed_norm)

    def _attend(self, name: str, layer: Layer[Array], states: Node, hidden: Node) -> Node:
        heads = int(self.weights.config["num_attention_heads"])
        width = self.weights.words.shape[-1]
        parts = (layer.query, layer.key, layer.value)
        joint = (
            np.concatenate([weight for weight, _ in parts]),
            np.concatenate([bias for _, bias in parts]),
        )
        made = self._multiply(f"{name}.states", states, joint)
        made = op.reshape(
            made, _whole([0, 0, len(parts), heads, width // heads]), special_zero=True
        )
        made = op.transpose(made, _whole([2, 0, 3, 1, 4]))
        query, key, value = (op.gather(made, _whole(part), _whole(0)) for part in range(len(parts)))
        attended = op.scaled_dot_product_attention(query, key, value, hidden)
        attended = op.transpose(attended, _whole([0, 2, 1, 3]))
        joined: Node = op.reshape(attended, _whole([0, 0, width]), special_zero=True)
        return joined

    def _multiply(self, name: str, states: Node, affine: tuple[Array, Array]) -> Node:
        self.seen[name] = states
        weight, bias = (part.astype(np.float32) for part in affine)
        if self.ranges is None:
            matrix = _real(weight)
        else:
            known = self.ranges[name]
            if known.outliers:
                by = list_divisors(known, weight.shape[-1])
                states, weight = op.multiply(states, _real(1 / by)), weight * by
            levels = Levels.of_range(known)
            states = round_states(states, levels.low, levels.high)
            matrix = make_matrix(RoundedRows.of_weight(weight, GREATEST))
        product = op.matmul(states, matrix, transpose_a=False, transpose_b=True)
        made: Node = op.add(product, _real(bias))
        return made

    def _normalise(self, states: Node, norm: tuple[Array, Array]) -> Node:
        epsilon = float(self.weights.config["layer_norm_eps"])
        mode = "inside_sqrt"
        normal = op.mvn(states, _whole([-1]), normalize_variance=True, eps=epsilon, eps_mode=mode)
        made: Node = op.add(op.multiply(normal, _real(norm[0])), _real(norm[1]))
        return made


def _make_inputs() -> list[Node]:
    return [op.parameter([-1, -1], np.int32, name=name) for name in INPUTS]


def _look_up(table: Array, places: Node) -> Node:
    made: Node = op.gather(_real(table), places, _whole(0))
    return made


def round_states(states: Node, low: float, high: float) -> Node:
    """Round an activation to the levels between the two."""
    bounds = (_real(low), _real(high), _real(low), _real(high))
    made: Node = op.fake_quantize(states, *bounds, LEVELS)
    return made


def make_matrix(rows: RoundedRows) -> Node:
    """Return a matrix of int8, in a form from which the plugin knows that it may multiply int8."""
    made: Node = op.multiply(op.convert(op.constant(rows.values), "f32"), _real(rows.steps))
    return made


def _real(values: object) -> Node:
    return op.constant(np.array(values, dtype=np.float32, order="C"))


def _whole(values: object) -> Node:
    return op.constant(np.array(values, dtype=np.int64, order="C"))
