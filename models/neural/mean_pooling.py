"""Read whether a folder asks for BERT and the mean of its states, and nothing else."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from deidstream.models.neural.tokenizer import read_json

_MODULES: Final = (("Transformer", "Pooling"), ("Transformer", "Pooling", "Normalize"))
_LIBRARY: Final = "sentence_transformers."
_LIMITS: Final = {"max_seq_length", "do_lower_case"}


@dataclass(frozen=True, slots=True)
class MeanPooling:
    """What is done with the last hidden states."""

    longest: int
    """Word pieces that are read at once, special ones included."""
    normalised: bool


def read_mean_pooling(folder: Path) -> MeanPooling | None:
    """Read a folder of sentence-transformers; ``None`` if it asks for more than the mean."""
    kinds, places = _read_modules(folder)
    if kinds not in _MODULES or places[0]:
        return None
    pooling = read_json(folder / places[1] / "config.json")
    limits = read_json(folder / "sentence_bert_config.json")
    longest = limits.get("max_seq_length")
    if not _is_mean(pooling) or not isinstance(longest, int) or limits.keys() - _LIMITS:
        return None
    return MeanPooling(longest, normalised=len(kinds) == len(_MODULES[-1]))


def _read_modules(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    path = folder / "modules.json"
    modules: Any = json.loads(path.read_bytes()) if path.exists() else []
    types = [str(module["type"]) for module in modules]
    if not all(name.startswith(_LIBRARY) for name in types):
        return (), ()
    names = tuple(name.rpartition(".")[-1] for name in types)
    return names, tuple(str(module["path"]) for module in modules)


def _is_mean(pooling: dict[str, Any]) -> bool:
    modes = {name for name, on in pooling.items() if name.startswith("pooling_mode") and on}
    return modes == {"pooling_mode_mean_tokens"} and pooling.get("include_prompt", True) is True
