"""Choose the engine of a model: by the settings, or by what is faster on this machine."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Final, TypeVar, cast

import numpy as np

from deidstream.models.neural.engine_port import (
    AUTO,
    ENGINES,
    OPENVINO,
    TORCH,
    Classifier,
    EngineChoice,
    EngineOptions,
    Vectoriser,
)
from deidstream.models.neural.measured_engines import MeasuredEngines
from deidstream.models.neural.packing import Forward, ForwardPass
from deidstream.models.neural.quantization import Quantization
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

_GPU_FILES: Final = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")
"""One of these is there where torch may find a device; so it needs no import to be ruled out."""
_ROWS, _LENGTH, _PASSES, _RUNS = 2, 128, 8, 2
_IDS: Final = 16
"""Entries of the vocabulary from which ids are drawn for measuring; every one has more."""

M = TypeVar("M")
_Loader = Callable[[Path, EngineOptions], M]


def load_classifier(folder: Path, options: EngineOptions) -> tuple[Classifier, EngineChoice]:
    """Load a token classifier by the engine that is asked for, or the faster one.

    Raises:
        MissingArtefact: The checkpoint cannot be read, or not by the engine asked for.
        InvalidSettings: Engine, device or dtype are not to be had.
    """
    loaders: dict[str, _Loader[Classifier]]
    loaders = {TORCH: _torch_classifier, OPENVINO: _openvino_classifier}

    def measure(model: Classifier) -> float:
        return _measure(model.score)

    return _load(folder, options, loaders, measure)


def load_vectoriser(folder: Path, options: EngineOptions) -> tuple[Vectoriser, EngineChoice]:
    """Load a vectoriser by the engine that is asked for, or the faster one.

    Raises:
        MissingArtefact: The model cannot be read, or not by the engine asked for.
        InvalidSettings: Engine, device or dtype are not to be had.
    """
    loaders: dict[str, _Loader[Vectoriser]]
    loaders = {TORCH: _torch_vectoriser, OPENVINO: _openvino_vectoriser}

    def measure(model: Vectoriser) -> float:
        return _measure(model.compute)

    return _load(folder, options, loaders, measure)


def _load(
    folder: Path,
    options: EngineOptions,
    loaders: Mapping[str, _Loader[M]],
    measure: Callable[[M], float],
) -> tuple[M, EngineChoice]:
    choice = foresee_engine(folder, options)
    if choice is not None:
        return loaders[choice.engine](folder, options), choice
    models = {name: load(folder, options) for name, load in loaders.items()}
    rates = {name: measure(model) for name, model in models.items()}
    MeasuredEngines.for_model(folder, options).write(rates)
    engine, why = _find_fastest(rates), "the faster, as measured now, in word pieces/s"
    return models[engine], EngineChoice(engine, why, rates)


def foresee_engine(folder: Path, options: EngineOptions) -> EngineChoice | None:
    """Return which engine will run a model; ``None`` if that must be measured first.

    Raises:
        MissingArtefact: The file of ranges is broken, or belongs to other weights.
        InvalidSettings: The engine is unknown, or cannot run the model.
    """
    if options.engine not in ENGINES:
        msg = f"model.engine {options.engine} is none of {', '.join(ENGINES)}"
        raise InvalidSettings(msg)
    if options.engine == TORCH:
        return EngineChoice(TORCH, "as set")
    if options.engine == OPENVINO:
        refuse_openvino(folder, options)
        return EngineChoice(OPENVINO, "as set")
    if why := find_obstacle(folder, options):
        return EngineChoice(TORCH, why)
    rates = MeasuredEngines.for_model(folder, options).read()
    why = "the faster, as measured before, in word pieces/s"
    return EngineChoice(_find_fastest(rates), why, rates) if rates else None


def foresee_precision(folder: Path, options: EngineOptions, choice: EngineChoice) -> str | None:
    """Return how precisely a model will compute, as it will say itself.

    Returns:
        ``None`` for torch, which takes as long to import as a model to load.
    """
    if choice.engine != OPENVINO:
        return None
    from deidstream.models.neural.openvino_engine import (  # noqa: PLC0415  takes a moment
        choose_rest,
        name_precision,
    )

    quantization = cast("Quantization", Quantization.find(folder))
    return name_precision(choose_rest(options.dtype), quantization)


def _find_fastest(rates: Mapping[str, float]) -> str:
    return max(sorted(rates), key=rates.__getitem__)


def refuse_openvino(folder: Path, options: EngineOptions) -> None:
    """Refuse OpenVINO where it cannot run a model, or loses too much.

    Raises:
        MissingArtefact: The file of ranges is broken, or belongs to other weights.
        InvalidSettings: It runs on another device, or the model must not run in int8.
    """
    why = "the device is cuda" if options.device == "cuda" else ""
    if why := why or _find_fault(Quantization.find(folder)):
        msg = f"model.engine openvino cannot be used: {why}"
        raise InvalidSettings(msg)


def find_obstacle(folder: Path, options: EngineOptions) -> str:
    """Return why ``auto`` does not consider OpenVINO; empty if it does."""
    if options.device == "cuda" or (options.device == AUTO and _has_gpu()):
        return "the device is cuda"
    if options.dtype == "fp32":
        return "dtype is fp32"
    if find_spec(OPENVINO) is None:
        return "openvino is not installed"
    try:
        return _find_fault(Quantization.find(folder))
    except MissingArtefact as wrong:
        return str(wrong)


def _find_fault(quantization: Quantization | None) -> str:
    if quantization is None:
        return "there is no quantization.json; 'deidstream quantize' makes it"
    return f"int8 loses too much: {quantization.excess}" if quantization.excess else ""


def _has_gpu() -> bool:
    if not any(Path(name).exists() for name in _GPU_FILES):
        return False
    import torch  # noqa: PLC0415  only where there may be one

    return torch.cuda.is_available()


def _measure(forward: Forward) -> float:
    """Return the word pieces a second of the fastest of some runs."""
    ids = np.random.default_rng(0).integers(0, _IDS, (_ROWS, _LENGTH))
    passes = [ForwardPass(ids, np.ones_like(ids))] * _PASSES
    forward(passes)
    best = float("inf")
    for _ in range(_RUNS):
        began = perf_counter()
        forward(passes)
        best = min(best, perf_counter() - began)
    return ids.size * _PASSES / best


def _torch_classifier(folder: Path, options: EngineOptions) -> Classifier:
    from deidstream.models.neural.torch_engine import TorchClassifier  # noqa: PLC0415  takes seconds

    return TorchClassifier.load(folder, options)


def _torch_vectoriser(folder: Path, options: EngineOptions) -> Vectoriser:
    from deidstream.models.neural.torch_engine import TorchVectoriser  # noqa: PLC0415  as above

    return TorchVectoriser.load(folder, options)


def _openvino_classifier(folder: Path, options: EngineOptions) -> Classifier:
    from deidstream.models.neural.openvino_engine import OpenVinoClassifier  # noqa: PLC0415  as above

    return OpenVinoClassifier.load(folder, options, cast("Quantization", Quantization.find(folder)))


def _openvino_vectoriser(folder: Path, options: EngineOptions) -> Vectoriser:
    from deidstream.models.neural.openvino_engine import OpenVinoVectoriser  # noqa: PLC0415  as above

    return OpenVinoVectoriser.load(folder, options, cast("Quantization", Quantization.find(folder)))
