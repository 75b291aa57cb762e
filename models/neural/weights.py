"""Find a model's folder, fingerprint it, and decide where and how precisely it runs."""

import hashlib
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from huggingface_hub import snapshot_download
from safetensors import SafetensorError
from transformers.utils.logging import disable_progress_bar

from deidstream.schemas.errors import InvalidSettings, MissingArtefact

DIGEST = "DIGEST"
"""File beside a checkpoint of ours that holds the fingerprint it must have."""
_DECIDING = frozenset({".json", ".model", ".safetensors", ".txt"})
_DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}
_DEVICES = ("cpu", "cuda")


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a model runs, and how precisely."""

    device: str
    dtype: torch.dtype

    @property
    def precision(self) -> str:
        """``fp32`` or ``bf16``; part of a pipeline's identity, as it may change a score."""
        return next(name for name, dtype in _DTYPES.items() if dtype is self.dtype)


def choose_placement(device: str, dtype: str) -> Placement:
    """Read ``cpu | cuda | auto`` and ``fp32 | bf16 | auto``.

    ``auto`` is CUDA where there is a device, and bf16 where the device computes it natively: on
    CUDA, and on a CPU with AVX512-BF16 or AMX, where it is two to three times as fast.

    Raises:
        InvalidSettings: Any other word, or CUDA without a device.
    """
    found = torch.cuda.is_available()
    if device == "auto":
        device = "cuda" if found else "cpu"
    if dtype == "auto":
        dtype = "bf16" if device == "cuda" or native_bf16() else "fp32"
    if device not in _DEVICES or dtype not in _DTYPES or (device == "cuda" and not found):
        msg = f"device {device} with dtype {dtype} is not to be had here"
        raise InvalidSettings(msg)
    return Placement(device, _DTYPES[dtype])


def native_bf16() -> bool:
    """Return whether this CPU multiplies bf16 natively; else bf16 is slower than fp32."""
    able = torch.cpu.get_capabilities()
    return bool(able.get("avx512_bf16") or able.get("amx_bf16"))


def locate(name_or_path: str) -> Path:
    """Find a model's folder: a path, or a hub name that was downloaded before.

    Nothing is downloaded: ``hf download NAME`` does that, before the service starts.

    Raises:
        MissingArtefact: There is no such folder, or it holds no ``*.safetensors``.
    """
    folder = Path(name_or_path)
    if not name_or_path or not folder.is_dir():
        folder = _find_download(name_or_path)
    if not any(folder.rglob("*.safetensors")):
        msg = f"model {name_or_path} has no weights in safetensors form"
        raise MissingArtefact(msg)
    return folder


def _find_download(name: str) -> Path:
    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):
        msg = f"model {name} is neither a folder nor downloaded from the hub"
        raise MissingArtefact(msg) from None


def digest(folder: Path) -> str:
    """Fingerprint every file of a folder that the model's answers depend on.

    SHA-256, in hexadecimal, over the lines that ``sha256sum`` prints for the folder's ``.json``,
    ``.model``, ``.safetensors`` and ``.txt`` files, sorted by relative path. A changed label table
    or vocabulary thus shows as well as changed weights.
    """
    files = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.suffix in _DECIDING and path.is_file()
    }
    lines = [f"{_file_digest(files[name])}  {name}\n" for name in sorted(files)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def check_digest(folder: Path, expected: str) -> str:
    """Fingerprint a folder and compare; an empty ``expected`` accepts any.

    Raises:
        MissingArtefact: The fingerprint is another one.
    """
    found = digest(folder)
    if expected not in {"", found}:
        msg = f"model {folder.name} has digest {found}, not {expected}"
        raise MissingArtefact(msg)
    return found


@contextmanager
def loading(what: str) -> Generator[None, None, None]:
    """Raise ``MissingArtefact`` where a library cannot load a broken model folder.

    Their progress bars are off from here on: a service's output is its log.
    """
    disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        msg = f"{what} cannot be loaded: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
