"""Keep what was measured of engines on this machine, so that a start need not measure again.

A cache only: where it cannot be read or written, the next start measures.
"""

import hashlib
import os
import platform
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Self

import orjson

from deidstream.models.neural.bert_weights import WEIGHTS
from deidstream.models.neural.engine_port import OPENVINO, TORCH, EngineOptions
from deidstream.models.neural.weights import file_digest

_ENGINES: Final = {TORCH, OPENVINO}


@dataclass(frozen=True, slots=True)
class MeasuredEngines:
    """The file of one model, under one set of options, on one machine."""

    path: Path

    @classmethod
    def for_model(cls, folder: Path, options: EngineOptions) -> Self:
        """Name the file by all that the speed depends on: weights, versions, processor, threads."""
        facts = (
            file_digest(folder / WEIGHTS),
            *(f"{name} {metadata.version(name)}" for name in sorted(_ENGINES)),
            _processor(),
            os.cpu_count(),
            options.threads,
            options.dtype,
        )
        name = hashlib.sha256(orjson.dumps(facts)).hexdigest()[:32]
        return cls(_cache_folder(options.cache) / f"engine-{name}.json")

    def read(self) -> dict[str, float]:
        """Return the word pieces a second by engine; an empty record if none are kept."""
        with suppress(OSError, ValueError, TypeError, AttributeError):
            content: Any = orjson.loads(self.path.read_bytes())
            rates = {str(name): float(rate) for name, rate in content.items()}
            if set(rates) == _ENGINES and all(0 < rate < float("inf") for rate in rates.values()):
                return rates
        return {}

    def write(self, rates: Mapping[str, float]) -> None:
        """Keep what was measured, if the folder can be written."""
        part = self.path.with_suffix(f".{os.getpid()}.part")
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(orjson.dumps(dict(rates)))
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
