"""The engine that computes int8 with torch, on processors of every kind (ADR 59)."""

from pathlib import Path
from typing import Final

from deidstream.models.neural.bert import Bert
from deidstream.models.neural.engine_port import TORCH, EngineOptions
from deidstream.models.neural.mean_pooling import read_mean_pooling
from deidstream.models.neural.model_loading import PooledBert
from deidstream.models.neural.quantization import Quantization
from deidstream.models.neural.rounded_bert import read_rounded_bert
from deidstream.models.neural.torch_engine import TorchClassifier, TorchVectoriser, set_threads
from deidstream.models.neural.weights import loading
from deidstream.schemas.errors import MissingArtefact

REST: Final = "fp32"
"""How what is not int8 is computed."""
_DEVICE: Final = "cpu"


def load_classifier(folder: Path, options: EngineOptions) -> TorchClassifier:
    """Load a classifier by the ranges of its folder: :func:`load_rounded_classifier`."""
    return load_rounded_classifier(folder, options, Quantization.of_model(folder))


def load_vectoriser(folder: Path, options: EngineOptions) -> TorchVectoriser:
    """Load a vectoriser by the ranges of its folder: :func:`load_rounded_vectoriser`."""
    return load_rounded_vectoriser(folder, options, Quantization.of_model(folder))


def load_rounded_classifier(
    folder: Path, options: EngineOptions, quantization: Quantization
) -> TorchClassifier:
    """Read the classifier of a folder, and round its weights.

    Raises:
        MissingArtefact: It is not a BERT whose every setting is known, or lacks ranges.
    """
    set_threads(options)
    with loading(f"tagger {folder.name}"):
        bert = _read_known_bert(folder, quantization)
        if not bert.names_columns:
            msg = f"tagger {folder.name} has no columns with names"
            raise MissingArtefact(msg)
    return TorchClassifier.of_model(bert, _DEVICE, quantization.name_precision(REST, TORCH))


def load_rounded_vectoriser(
    folder: Path, options: EngineOptions, quantization: Quantization
) -> TorchVectoriser:
    """Read the model of a folder, and round its weights.

    Raises:
        MissingArtefact: It is not a BERT whose every setting is known, or lacks ranges.
    """
    set_threads(options)
    with loading(f"embedder {folder.name}"):
        bert, pooling = _read_known_bert(folder, quantization), read_mean_pooling(folder)
        if pooling is None or pooling.longest > len(bert.positions):
            msg = f"embedder {folder.name} asks for more than the mean"
            raise MissingArtefact(msg)
    model = PooledBert(bert, pooling.longest, pooling.normalised)
    return TorchVectoriser.of_model(model, _DEVICE, quantization.name_precision(REST, TORCH))


def _read_known_bert(folder: Path, quantization: Quantization) -> Bert:
    bert = read_rounded_bert(folder, quantization.ranges)
    if bert is None:
        msg = f"{folder.name} is not a BERT that int8 can run: set model.engine to torch"
        raise MissingArtefact(msg)
    return bert
