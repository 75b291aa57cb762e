"""What keeps an engine that rounds to int8 from running a model."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from deidstream.models.neural.engine_port import (
    AUTO,
    OPENVINO,
    ROUNDING,
    TORCH,
    TORCH_INT8,
    EngineOptions,
)
from deidstream.models.neural.exact_sums import find_wrong_sums
from deidstream.models.neural.quantization import Quantization
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, MissingExtra
from deidstream.schemas.extras import Extra

_GPU_FILES: Final = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")
"""One of these is there where torch may find a device; so it needs no import to be ruled out."""
NO_TORCH: Final = "torch is not installed"
_ABSENT: Final = "there is no quantization.json; 'deidstream quantize' makes it"


def refuse_engine(engine: str, folder: Path, options: EngineOptions) -> None:
    """Refuse an engine where it cannot run a model, or loses too much.

    Raises:
        MissingArtefact: The file of ranges is broken, or belongs to other weights.
        InvalidSettings: It runs on another device, or the model must not run in int8.
        MissingExtra: It is of torch, which is not installed.
    """
    if engine == TORCH_INT8 and not is_torch_installed():
        what = f"model.engine {engine}"
        raise MissingExtra(what, Extra.TORCH)
    why = "the device is cuda" if options.device == "cuda" else ""
    why = why or find_fault(engine, options, Quantization.find(folder))
    if why := why or ("" if options.in_floats else find_wrong_sums(engine)):
        msg = f"model.engine {engine} cannot be used: {why}"
        raise InvalidSettings(msg)


def find_obstacle(folder: Path, options: EngineOptions) -> str:
    """Return why ``auto`` considers no engine that rounds; empty if it does."""
    if options.device == "cuda" or (options.device == AUTO and _has_gpu()):
        return "the device is cuda"
    if options.dtype == "fp32":
        return "dtype is fp32"
    try:
        return "" if Quantization.find(folder) else _ABSENT
    except MissingArtefact as wrong:
        return str(wrong)


def list_faults(folder: Path, options: EngineOptions) -> dict[str, str]:
    """Return for each engine that rounds why it cannot run a model; empty if it may.

    Raises:
        MissingArtefact: The file of ranges is broken, or belongs to other weights.
    """
    found = Quantization.find(folder)
    return {engine: find_fault(engine, options, found) for engine in ROUNDING}


def find_fault(engine: str, options: EngineOptions, quantization: Quantization | None) -> str:
    """Return why an engine cannot run a model, as far as is known without its library."""
    if quantization is None:
        return _ABSENT
    if engine == OPENVINO and find_spec(OPENVINO) is None:
        return "openvino is not installed"
    if engine == TORCH_INT8 and not is_torch_installed():
        return NO_TORCH
    if engine == TORCH_INT8 and options.dtype == "bf16":
        return "what is not int8 is computed in fp32"
    excess = quantization.find_excess(engine)
    return f"int8 loses too much: {excess}" if excess else ""


def is_torch_installed() -> bool:
    """Return whether torch can be imported; it is not imported."""
    return find_spec(TORCH) is not None


def _has_gpu() -> bool:
    if not is_torch_installed() or not any(Path(name).exists() for name in _GPU_FILES):
        return False
    import torch  # noqa: PLC0415  only where there may be one

    return torch.cuda.is_available()
