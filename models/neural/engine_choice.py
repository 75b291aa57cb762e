"""Choose the engine of a model: by the settings, or by what is faster on this machine."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Final, TypeVar, cast

import numpy as np

from deidstream.models.neural.engine_obstacles import (
    NO_TORCH,
    find_obstacle,
    is_torch_installed,
    list_faults,
    refuse_engine,
)
from deidstream.models.neural.engine_port import (
    AUTO,
    ENGINES,
    IN_FLOATS,
    OPENVINO,
    TORCH,
    TORCH_INT8,
    Classifier,
    EngineChoice,
    EngineOptions,
    Vectoriser,
)
from deidstream.models.neural.exact_sums import find_wrong_sums
from deidstream.models.neural.measured_engines import EngineMeasurements, MeasuredEngines
from deidstream.models.neural.passes.packing import Forward, ForwardPass
from deidstream.models.neural.quantization import Quantization
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.extras import Extra, needing

_ROWS, _LENGTH, _PASSES, _RUNS = 2, 128, 8, 2
_IDS: Final = 16
"""Entries of the vocabulary from which ids are drawn for measuring; every one has more."""

_MARGIN: Final = 1.1
"""How many times as fast as the exact engine one that rounds must be, or ``auto`` leaves it."""

M = TypeVar("M")
_Loader = Callable[[Path, EngineOptions], M]


def load_classifier(folder: Path, options: EngineOptions) -> tuple[Classifier, EngineChoice]:
    """Load a token classifier by the engine that is asked for, or the faster one.

    Raises:
        MissingArtefact: The checkpoint cannot be read, or not by the engine asked for.
        InvalidSettings: Engine, device or dtype are not to be had.
        MissingExtra: Only torch can run it, and is not installed.
    """
    loaders: dict[str, _Loader[Classifier]]
    loaders = {
        TORCH: _torch_classifier,
        OPENVINO: _openvino_classifier,
        TORCH_INT8: _torch_int8_classifier,
    }

    def measure(model: Classifier) -> float:
        return _measure(model.score)

    return _load(folder, options, loaders, measure)


def load_vectoriser(folder: Path, options: EngineOptions) -> tuple[Vectoriser, EngineChoice]:
    """Load a vectoriser by the engine that is asked for, or the faster one.

    Raises:
        MissingArtefact: The model cannot be read, or not by the engine asked for.
        InvalidSettings: Engine, device or dtype are not to be had.
        MissingExtra: Only torch can run it, and is not installed.
    """
    loaders: dict[str, _Loader[Vectoriser]]
    loaders = {
        TORCH: _torch_vectoriser,
        OPENVINO: _openvino_vectoriser,
        TORCH_INT8: _torch_int8_vectoriser,
    }

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
    possible = _list_possible(folder, options)
    wrong = {name: why for name in possible if (why := find_wrong_sums(name))}
    names = [TORCH, *(name for name in possible if name not in wrong)]
    models = {name: loaders[name](folder, options) for name in names}
    measured = EngineMeasurements({name: measure(model) for name, model in models.items()}, wrong)
    MeasuredEngines.for_model(folder, options, possible).write(measured)
    choice = _choose(folder, options, measured, "now")
    return models[choice.engine], choice


def foresee_engine(folder: Path, options: EngineOptions) -> EngineChoice | None:
    """Return which engine will run a model; ``None`` if that must be measured first.

    Raises:
        MissingArtefact: The file of ranges is broken, or belongs to other weights.
        InvalidSettings: The engine is unknown, or cannot run the model.
    """
    if options.engine not in ENGINES:
        msg = f"model.engine {options.engine} is not one of {', '.join(ENGINES)}"
        raise InvalidSettings(msg)
    if options.engine == TORCH:
        return EngineChoice(TORCH, "as set")
    if options.engine != AUTO:
        refuse_engine(options.engine, folder, options)
        return EngineChoice(options.engine, "as set")
    if why := find_obstacle(folder, options):
        return EngineChoice(TORCH, why)
    possible = _list_possible(folder, options)
    if not possible:
        return EngineChoice(TORCH, "no other can run it", obstacles=list_faults(folder, options))
    if not is_torch_installed():
        return EngineChoice(OPENVINO, NO_TORCH)
    measured = MeasuredEngines.for_model(folder, options, possible).read()
    return _choose(folder, options, measured, "before") if measured else None


def _list_possible(folder: Path, options: EngineOptions) -> list[str]:
    return [name for name, why in list_faults(folder, options).items() if not why]


def _choose(
    folder: Path, options: EngineOptions, measured: EngineMeasurements, when: str
) -> EngineChoice:
    """Return the fastest engine, or torch if no other is faster by the margin."""
    rates = measured.rates
    fastest = max(sorted(rates), key=rates.__getitem__)
    engine = fastest if rates[fastest] >= _MARGIN * rates[TORCH] else TORCH
    faults = {name: why for name, why in list_faults(folder, options).items() if why}
    why = f"the faster, as measured {when}, in word pieces/s"
    return EngineChoice(engine, why, rates, faults | dict(measured.obstacles))


def foresee_precision(folder: Path, options: EngineOptions, choice: EngineChoice) -> str | None:
    """Return how precisely a model will compute, as it will say itself.

    Returns:
        ``None`` for torch, which takes as long to import as a model to load.
    """
    if choice.engine == TORCH:
        return None
    quantization = cast("Quantization", Quantization.find(folder))
    if choice.engine == TORCH_INT8:
        return quantization.name_precision("fp32", TORCH)
    from deidstream.models.neural.openvino_engine import (  # noqa: PLC0415  takes a moment
        choose_rest,
    )

    library = IN_FLOATS if find_wrong_sums(OPENVINO) else OPENVINO
    return quantization.name_precision(choose_rest(options.dtype), library)


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
    with needing(Extra.TORCH, "model.engine torch"):
        from deidstream.models.neural.torch_engine import TorchClassifier  # noqa: PLC0415  takes seconds

    return TorchClassifier.load(folder, options)


def _torch_vectoriser(folder: Path, options: EngineOptions) -> Vectoriser:
    with needing(Extra.TORCH, "model.engine torch"):
        from deidstream.models.neural.torch_engine import TorchVectoriser  # noqa: PLC0415  as above

    return TorchVectoriser.load(folder, options)


def _openvino_classifier(folder: Path, options: EngineOptions) -> Classifier:
    from deidstream.models.neural.openvino_engine import OpenVinoClassifier  # noqa: PLC0415  as above

    quantization = cast("Quantization", Quantization.find(folder))
    return OpenVinoClassifier.load(folder, _stay_exact(options), quantization)


def _openvino_vectoriser(folder: Path, options: EngineOptions) -> Vectoriser:
    from deidstream.models.neural.openvino_engine import OpenVinoVectoriser  # noqa: PLC0415  as above

    quantization = cast("Quantization", Quantization.find(folder))
    return OpenVinoVectoriser.load(folder, _stay_exact(options), quantization)


def _stay_exact(options: EngineOptions) -> EngineOptions:
    """Let OpenVINO multiply in floats on a processor on which its int8 sums are wrong."""
    return replace(options, in_floats=options.in_floats or bool(find_wrong_sums(OPENVINO)))


def _torch_int8_classifier(folder: Path, options: EngineOptions) -> Classifier:
    from deidstream.models.neural.torch_int8_engine import load_rounded_classifier  # noqa: PLC0415  as above

    return load_rounded_classifier(folder, options, cast("Quantization", Quantization.find(folder)))


def _torch_int8_vectoriser(folder: Path, options: EngineOptions) -> Vectoriser:
    from deidstream.models.neural.torch_int8_engine import load_rounded_vectoriser  # noqa: PLC0415  as above

    return load_rounded_vectoriser(folder, options, cast("Quantization", Quantization.find(folder)))
