"""The file beside a checkpoint that lets it run in int8: the ranges of what its matrices multiply.

Weights are rounded when the checkpoint is loaded; only the ranges of activations have to be seen on
text, once (``deidstream quantize``). The file names the weights that it was made with and what the
rounding changed, so that it never serves others or a model that it spoils (ADR 42).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

import orjson

from deidstream.models.neural.bert_weights import WEIGHTS
from deidstream.models.neural.weights import (
    PACKAGED_WEIGHTS,
    QUANTIZATION,
    file_digest,
    shipped_quantization,
)
from deidstream.schemas.errors import MissingArtefact

SCHEMA: Final = 2
_SHOWN: Final = 8
MOST_LOSS: Final[Mapping[str, float]] = {
    "mean_change": 0.005,
    "other_labels": 0.005,
    "lost_pieces": 0.005,
    "mean_distance": 0.01,
}
"""Most of each loss with which int8 is used.

All are against fp32. For a tagger: mean change of the probability of PHI; share of word pieces with
another label; share of the pieces that fp32 takes for PHI and int8 does not. For an embedder: one
minus the mean cosine of the two vectors of a text.
"""


@dataclass(frozen=True, slots=True)
class Range:
    """What is known of an activation, so that it can be rounded."""

    low: float
    """Its least value, 0 at most, after outliers are divided."""
    high: float
    """Its greatest value, 0 at least, after outliers are divided."""
    outliers: Mapping[int, float] = field(default_factory=dict[int, float], repr=False)
    """By channel, what its values are divided by and its weights multiplied with; else 1.

    Few channels are many times as large as the rest, which would be left with few levels.
    """


@dataclass(frozen=True, slots=True)
class Quantization:
    """What int8 needs to know of a checkpoint."""

    weights: str
    """SHA-256 of the file of weights."""
    ranges: Mapping[str, Range] = field(repr=False)
    """By name of the multiplied activation (``openvino_graph``)."""
    loss: Mapping[str, Mapping[str, float]]
    """By engine, what int8 changed on the notes that were measured; names as in ``MOST_LOSS``."""

    @classmethod
    def find(cls, folder: Path) -> Self | None:
        """Read the file beside a checkpoint, or the shipped one of the packaged encoder.

        Raises:
            MissingArtefact: It has not its form, was altered, or belongs to other weights.
        """
        own = folder / QUANTIZATION
        if not (folder / WEIGHTS).exists():
            return None
        if own.exists():
            return cls._read(own, file_digest(folder / WEIGHTS))
        if (found := file_digest(folder / WEIGHTS)) == PACKAGED_WEIGHTS:
            return cls._read(shipped_quantization(), found)
        return None

    @classmethod
    def of_model(cls, folder: Path) -> Self:
        """Read the file of a checkpoint that has one.

        Raises:
            MissingArtefact: It has none, or :meth:`find` cannot read it.
        """
        found = cls.find(folder)
        if found is None:
            msg = f"{folder.name} has no {QUANTIZATION}: run 'deidstream quantize'"
            raise MissingArtefact(msg)
        return found

    @classmethod
    def _read(cls, path: Path, weights: str) -> Self:
        try:
            stored = path.read_bytes()
            content: Any = orjson.loads(stored)
            ranges = {str(name): _read_range(each) for name, each in content["ranges"].items()}
            loss = {str(name): _read_loss(each) for name, each in content["loss"].items()}
            made = cls(str(content["weights"]), ranges, loss)
            known = content["schema"] == SCHEMA
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            msg = f"{path.name} of {path.parent.name} cannot be read: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        why = "is of other weights" if known and made.weights != weights else ""
        why = why or ("" if known else "is of another version")
        if why := why or ("" if made.encode() == stored else "was altered"):
            msg = f"{path.name} of {path.parent.name} {why}: run 'deidstream quantize'"
            raise MissingArtefact(msg)
        return made

    def find_excess(self, engine: str) -> str:
        """Name the losses of an engine over their bounds; empty if it is good enough."""
        loss = self.loss.get(engine)
        if not loss:
            return "its loss was not measured"
        over = (
            f"{name} {value:.4f} > {MOST_LOSS.get(name, 0):g}"
            for name, value in sorted(loss.items())
            if not value <= MOST_LOSS.get(name, 0)
        )
        return ", ".join(over)

    @property
    def mark(self) -> str:
        """First digits of the digest of the ranges: other ranges give other results."""
        named = {name: _show_range(each) for name, each in sorted(self.ranges.items())}
        return hashlib.sha256(orjson.dumps(named)).hexdigest()[:_SHOWN]

    def name_precision(self, rest: str, library: str) -> str:
        """Return how precisely a model computes by these ranges; part of a pipeline's identity.

        Args:
            rest: How what is not int8 is computed.
            library: By what it is computed.
        """
        return f"int8-{rest}-{library}-{self.mark}"

    def write(self, folder: Path) -> Path:
        """Write the file beside a checkpoint.

        Raises:
            MissingArtefact: The folder cannot be written.
        """
        path = folder / QUANTIZATION
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.encode())
        except OSError as error:
            msg = f"{folder}: cannot be written: {type(error).__name__}"
            raise MissingArtefact(msg) from None
        return path

    def encode(self) -> bytes:
        """Return the file, which ends with the digest of all else in it."""
        ranges = {name: _show_range(each) for name, each in self.ranges.items()}
        loss = {name: _show_loss(each) for name, each in sorted(self.loss.items())}
        content = {"schema": SCHEMA, "weights": self.weights, "loss": loss, "ranges": ranges}
        digest = hashlib.sha256(orjson.dumps(content)).hexdigest()
        return orjson.dumps({**content, "sha256": digest}, option=orjson.OPT_INDENT_2) + b"\n"


def _show_loss(loss: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in loss.items()}


def _read_loss(content: dict[str, Any]) -> dict[str, float]:
    return {str(name): float(value) for name, value in content.items()}


def _show_range(known: Range) -> dict[str, Any]:
    outliers = {str(at): _round(by) for at, by in sorted(known.outliers.items())}
    return {"low": _round(known.low), "high": _round(known.high), "outliers": outliers}


def _read_range(content: dict[str, Any]) -> Range:
    outliers = {int(at): float(by) for at, by in content["outliers"].items()}
    return Range(float(content["low"]), float(content["high"]), outliers)


def _round(number: float) -> float:
    return round(number, 4)
