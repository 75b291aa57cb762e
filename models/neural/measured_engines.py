"""Keep what was measured of engines on this machine, so that a start need not measure again.

A cache only: where it cannot be read or written, the next start measures.
"""

import hashlib
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Self

import orjson

from deidstream.models.neural.bert_weights import WEIGHTS
from deidstream.models.neural.engine_port import OPENVINO, TORCH, EngineOptions
from deidstream.models.neural.weights import file_digest

_LIBRARIES: Final = (OPENVINO, TORCH)


@dataclass(frozen=True, slots=True)
class EngineMeasurements:
    """What was found of the engines that could run a model."""

    rates: Mapping[str, float]
    """Word pieces a second by engine."""
    obstacles: Mapping[str, str] = field(default_factory=dict[str, str])
    """Why those that have no rate cannot run on this machine."""


@dataclass(frozen=True, slots=True)
class MeasuredEngines:
    """The file of one model, under one set of options, on one machine."""

    path: Path

    @classmethod
    def for_model(cls, folder: Path, options: EngineOptions, engines: Sequence[str]) -> Self:
        """Name the file by all that the speed depends on: weights, versions, processor, threads.

        Args:
            folder: The model.
            options: How it is to be run.
            engines: Those that may run it; no other is measured.
        """
        facts = (
            file_digest(folder / WEIGHTS),
            *engines,
            *(f"{name} {metadata.version(name)}" for name in _LIBRARIES),
            _processor(),
            os.cpu_count(),
            options.threads,
            options.dtype,
        )
        name = hashlib.sha256(orjson.dumps(facts)).hexdigest()[:32]
        return cls(_cache_folder(options.cache) / f"engine-{name}.json")

    def read(self) -> EngineMeasurements | None:
        """Return what was measured; ``None`` if nothing is kept."""
        with suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
            content: Any = orjson.loads(self.path.read_bytes())
            rates = {str(name): float(rate) for name, rate in content["rates"].items()}
            obstacles = {str(name): str(why) for name, why in content["obstacles"].items()}
            if TORCH in rates and all(0 < rate < float("inf") for rate in rates.values()):
                return EngineMeasurements(rates, obstacles)
        return None

    def write(self, measured: EngineMeasurements) -> None:
        """Keep what was measured, if the folder can be written."""
        part = self.path.with_suffix(f".{os.getpid()}.part")
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(orjson.dumps(asdict(measured)))
            part.replace(self.path)


def _cache_folder(named: str) -> Path:
    if named:
        return Path(named)
    with suppress(RuntimeError):  # raised where a user has no home
        kept = os.environ.get("XDG_CACHE_HOME")
        return (Path(kept) if kept else Path.home() / ".cache") / "deidstream"
    return Path(os.devnull)


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith(("model name", "flags")):
                return f"{platform.machine()} {line}"
    return f"{platform.machine()} {platform.processor()}"
