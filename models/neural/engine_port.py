"""What an engine is to its callers: arrays in, arrays out. Importing this loads no library."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from deidstream.models.neural.passes.packing import ForwardPass, Results

TORCH: Final = "torch"
OPENVINO: Final = "openvino"
TORCH_INT8: Final = "torch-int8"
AUTO: Final = "auto"
ROUNDING: Final[tuple[str, ...]] = (OPENVINO, TORCH_INT8)
"""Engines that round to int8, the faster first; each loses something of its own."""
ENGINES: Final = (AUTO, TORCH, *ROUNDING)
IN_FLOATS: Final = f"{OPENVINO}-floats"
"""Stands for OpenVINO in a precision, where it multiplies what it rounds to int8 as fp32."""


class Classifier(Protocol):
    """Gives each word piece its probabilities."""

    @property
    def config(self) -> Mapping[str, Any]:
        """The checkpoint's configuration; ``id2label`` names the columns."""
        ...

    @property
    def precision(self) -> str:
        """How precisely it computes, and by what; part of a pipeline's identity."""
        ...

    def score(self, passes: Sequence[ForwardPass]) -> Sequence[Results]:
        """Return each pass's probabilities by position, shape ``(rows, length, columns)``."""
        ...


class Vectoriser(Protocol):
    """Turns sequences of word pieces into vectors."""

    @property
    def longest(self) -> int | None:
        """Word pieces that it reads at once, special ones included; ``None`` if unlimited."""
        ...

    @property
    def precision(self) -> str:
        """How precisely it computes, and by what; part of a pipeline's identity."""
        ...

    def compute(self, passes: Sequence[ForwardPass]) -> Sequence[Results]:
        """Return for each pass a vector a row, in fp32."""
        ...


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """How a model is to be run."""

    engine: str = TORCH
    """``torch``, ``openvino``, ``torch-int8`` or ``auto``: the fastest that is exact here."""
    device: str = AUTO
    """``cpu``, ``cuda`` or ``auto``."""
    dtype: str = AUTO
    """``fp32``, ``bf16`` or ``auto``: bf16 where the device computes it natively."""
    threads: int = 0
    """CPU threads; 0: the default of the engine."""
    in_floats: bool = False
    """Whether OpenVINO multiplies what it rounds to int8 as fp32: slower, and never overflows."""
    pins: Mapping[str, str] = field(default_factory=dict[str, str])
    """By digest of a model, or its first digits: how precisely it must compute."""
    precision: str = ""
    """How precisely the model to load must compute; empty: as engine and dtype give it."""

    def for_model(self, digest: str) -> "EngineOptions":
        """Return the options of one model, with the precision that is pinned for it."""
        pinned = (its for named, its in self.pins.items() if digest.startswith(named))
        return replace(self, precision=next(pinned, ""))


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """Which engine runs a model, and why."""

    engine: str
    why: str
    obstacles: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why faster ones could not be taken."""

    def __str__(self) -> str:
        """Return the choice for the output of ``doctor``."""
        left_out = "".join(f"; not {name}: {why}" for name, why in self.obstacles.items())
        return f"{self.engine} ({self.why}{left_out})"
