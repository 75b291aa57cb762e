"""Choose the engine of a model: by the settings, or by what is faster on this machine."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Final, Protocol, TypeVar

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


class Engine(Protocol):
    """What loads models that compute with one library."""

    def load_classifier(self, folder: Path, options: EngineOptions, /) -> Classifier:
        """Load a token classifier."""
        ...

    def load_vectoriser(self, folder: Path, options: EngineOptions, /) -> Vectoriser:
        """Load a vectoriser."""
        ...


def _import_torch() -> Engine:
    with needing(Extra.TORCH, "model.engine torch"):
        from deidstream.models.neural import torch_engine  # noqa: PLC0415  takes seconds
    return torch_engine


def _import_openvino() -> Engine:
    from deidstream.models.neural import openvino_engine  # noqa: PLC0415  takes a moment

    return openvino_engine


def _import_torch_int8() -> Engine:
    from deidstream.models.neural import torch_int8_engine  # noqa: PLC0415  takes seconds

    return torch_int8_engine


_IMPORT: Final[Mapping[str, Callable[[], Engine]]] = {
    TORCH: _import_torch,
    OPENVINO: _import_openvino,
    TORCH_INT8: _import_torch_int8,
}
"""By name; the library of an engine is imported when it loads its first model."""


def load_classifier(folder: Path, options: EngineOptions) -> tuple[Classifier, EngineChoice]:
    """Load a token classifier by the engine that is asked for, or the faster one.

    Raises:
        MissingArtefact: The checkpoint cannot be read, or not by the engine asked for.
        InvalidSettings: Engine, device or dtype are not available.
        MissingExtra: Only torch can run it, and is not installed.
    """

    def load(engine: Engine) -> Classifier:
        return engine.load_classifier(folder, options)

    return _load(folder, options, load, lambda model: _measure(model.score))


def load_vectoriser(folder: Path, options: EngineOptions) -> tuple[Vectoriser, EngineChoice]:
    """Load a vectoriser by the engine that is asked for, or the faster one.

    Raises:
        MissingArtefact: The model cannot be read, or not by the engine asked for.
        InvalidSettings: Engine, device or dtype are not available.
        MissingExtra: Only torch can run it, and is not installed.
    """

    def load(engine: Engine) -> Vectoriser:
        return engine.load_vectoriser(folder, options)

    return _load(folder, options, load, lambda model: _measure(model.compute))


def _load(
    folder: Path,
    options: EngineOptions,
    load: Callable[[Engine], M],
    measure: Callable[[M], float],
) -> tuple[M, EngineChoice]:
    choice = foresee_engine(folder, options)
    if choice is not None:
        return load(_IMPORT[choice.engine]()), choice
    possible = _list_possible(folder, options)
    wrong = {name: why for name in possible if (why := find_wrong_sums(name))}
    names = [TORCH, *(name for name in possible if name not in wrong)]
    models = {name: load(_IMPORT[name]()) for name in names}
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
    if choice.engine == TORCH_INT8:
        return Quantization.of_model(folder).name_precision("fp32", TORCH)
    from deidstream.models.neural import openvino_engine  # noqa: PLC0415  takes a moment

    return openvino_engine.foresee_precision(folder, options)


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
