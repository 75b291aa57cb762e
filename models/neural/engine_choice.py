"""Choose the engine of a model: by the settings, or by what its processor adds exactly."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol

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
    ROUNDING,
    TORCH,
    TORCH_INT8,
    Classifier,
    EngineChoice,
    EngineOptions,
    Vectoriser,
)
from deidstream.models.neural.exact_sums import find_wrong_sums
from deidstream.models.neural.pinned_precision import explain_other, run_as_pinned
from deidstream.schemas.errors import InvalidSettings, MissingExtra
from deidstream.schemas.extras import Extra, needing


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


PINNED: Final = "as all of this deployment"
"""Why an engine is taken that was pinned."""
_IMPORT: Final[Mapping[str, Callable[[], Engine]]] = {
    TORCH: _import_torch,
    OPENVINO: _import_openvino,
    TORCH_INT8: _import_torch_int8,
}
"""By name; the library of an engine is imported when it loads its first model."""


def load_classifier(folder: Path, options: EngineOptions) -> tuple[Classifier, EngineChoice]:
    """Load a token classifier by the engine that is asked for, or that ``auto`` is here.

    Raises:
        MissingArtefact: The checkpoint cannot be read, or not by the engine asked for.
        InvalidSettings: Engine, device or dtype are not available, or give another precision than
            the pinned one.
        MissingExtra: Only torch can run it, and is not installed.
    """
    run, choice = _settle(folder, options)
    model = _IMPORT[choice.engine]().load_classifier(folder, run)
    _refuse_other(model.precision, options.precision)
    return model, choice


def load_vectoriser(folder: Path, options: EngineOptions) -> tuple[Vectoriser, EngineChoice]:
    """Load a vectoriser by the engine that is asked for, or that ``auto`` is here.

    Raises:
        MissingArtefact: The model cannot be read, or not by the engine asked for.
        InvalidSettings: Engine, device or dtype are not available, or give another precision than
            the pinned one.
        MissingExtra: Only torch can run it, and is not installed.
    """
    run, choice = _settle(folder, options)
    model = _IMPORT[choice.engine]().load_vectoriser(folder, run)
    _refuse_other(model.precision, options.precision)
    return model, choice


def _settle(folder: Path, options: EngineOptions) -> tuple[EngineOptions, EngineChoice]:
    """Return how a model is run, and by which engine: the pinned one if there is one."""
    try:
        run = run_as_pinned(options)
        choice = foresee_engine(folder, run)
    except (InvalidSettings, MissingExtra) as refused:
        if not options.precision:
            raise
        raise explain_other(options.precision, refused) from None
    pinned = run.engine != options.engine
    return run, EngineChoice(choice.engine, PINNED) if pinned else choice


def _refuse_other(precision: str, pinned: str) -> None:
    if pinned not in {"", precision}:
        raise explain_other(pinned, f"by the settings here it is computed as {precision}")


def foresee_engine(folder: Path, options: EngineOptions) -> EngineChoice:
    """Return which engine runs a model.

    ``auto`` is the first of :data:`ROUNDING` that may run the model and adds int8 products exactly
    on this processor, else torch: the order of their speed on machines that were quiet. It is no
    measurement, for the engine is part of ``output_id``: a start on a busy machine must not give
    every output another one (ADR 69).

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
    faults = list_faults(folder, options)
    if not is_torch_installed() and not faults[OPENVINO]:
        return EngineChoice(OPENVINO, NO_TORCH)
    left_out: dict[str, str] = {}
    for engine in ROUNDING:
        why = faults[engine] or find_wrong_sums(engine)
        if not why:
            return EngineChoice(engine, "the fastest that is exact here", left_out)
        left_out[engine] = why
    return EngineChoice(TORCH, "no other can run it", left_out)
