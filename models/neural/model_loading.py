"""Load models, BERT in plain torch and any other by its library; decide where they run, and how.

To import transformers takes four seconds of processor time, and sentence-transformers six. Only
what loads a model of another kind than BERT imports them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, Self

import torch
from torch import Tensor
from torch.nn import functional

from deidstream.models.neural.bert import Bert, read_bert
from deidstream.models.neural.mean_pooling import read_mean_pooling
from deidstream.models.neural.weights import loading
from deidstream.schemas.errors import InvalidSettings, MissingArtefact

_TINY: Final = 1e-9
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


class TensorClassifier(Protocol):
    """Gives each word piece its logits."""

    @property
    def config(self) -> Mapping[str, Any]:
        """The checkpoint's configuration; ``id2label`` names the columns."""
        ...

    def classify(self, ids: Tensor, mask: Tensor, types: Tensor | None) -> Tensor:
        """Return the logits of each position.

        Args:
            ids: Shape ``(rows, length)``, int64.
            mask: The same shape; 0 for padding, else 1.
            types: Token types of the same shape; all 0 when not given.
        """
        ...


def load_classifier(folder: Path, placement: Placement) -> TensorClassifier:
    """Load the classifier of a folder.

    Raises:
        MissingArtefact: It is absent, incomplete, or not in safetensors form.
    """
    with loading(f"tagger {folder.name}"):
        bert = read_bert(folder, placement.device, placement.dtype)
        if bert is not None and bert.names_columns:
            return bert
        return LibraryClassifier.load(folder, placement.device, placement.dtype)


class TensorVectoriser(Protocol):
    """Turns sequences of word pieces into vectors."""

    @property
    def longest(self) -> int | None:
        """Word pieces that it reads at once, special ones included; ``None`` if unlimited."""
        ...

    def compute(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return a vector for each row, in fp32."""
        ...


@dataclass(frozen=True, slots=True)
class PooledBert:
    """BERT, of whose last hidden states the mean is taken, as sentence-transformers does it."""

    bert: Bert = field(repr=False)
    longest: int
    normalised: bool

    def compute(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return a vector for each row, in fp32."""
        states = self.bert.encode(ids, mask).float()
        weights = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=_TINY)
        return functional.normalize(mean, p=2, dim=-1) if self.normalised else mean


def load_vectoriser(folder: Path, placement: Placement) -> TensorVectoriser:
    """Load the model of a folder.

    Raises:
        MissingArtefact: It cannot be loaded, or is not in safetensors form.
    """
    with loading(f"embedder {folder.name}"):
        pooled = _read_pooled_bert(folder, placement)
        if pooled is not None:
            return pooled
        return LibraryVectors.load(folder, placement.device, placement.dtype)


def _read_pooled_bert(folder: Path, placement: Placement) -> PooledBert | None:
    """Read a folder; ``None`` if it asks for anything but BERT and the mean."""
    pooling = read_mean_pooling(folder)
    if pooling is None:
        return None
    bert = read_bert(folder, placement.device, placement.dtype)
    if bert is None or pooling.longest > len(bert.positions):
        return None
    return PooledBert(bert, pooling.longest, pooling.normalised)


@dataclass(frozen=True, slots=True)
class LibraryClassifier:
    """A model that transformers has loaded."""

    model: Any = field(repr=False)

    @classmethod
    def load(cls, folder: Path, device: str, dtype: torch.dtype) -> Self:
        """Load a folder: safetensors alone, no code of the checkpoint, nothing from the network.

        Raises:
            MissingArtefact: The checkpoint lacks weights.
        """
        from transformers import AutoModelForTokenClassification  # noqa: PLC0415  takes seconds

        silence_library()
        model, report = AutoModelForTokenClassification.from_pretrained(
            str(folder),
            dtype=dtype,
            local_files_only=True,
            output_loading_info=True,
            trust_remote_code=False,
            use_safetensors=True,
        )
        # A plain encoder loads too, with a head of random numbers.
        if report["missing_keys"] or report["mismatched_keys"]:
            msg = f"tagger {folder.name} lacks weights; is it a token classifier?"
            raise MissingArtefact(msg)
        return cls(model.to(device).eval())

    @property
    def config(self) -> Mapping[str, Any]:
        """The checkpoint's configuration, with the library's defaults."""
        config: dict[str, Any] = self.model.config.to_dict()
        return config

    def classify(self, ids: Tensor, mask: Tensor, types: Tensor | None) -> Tensor:
        """Return the logits of each position."""
        given = {} if types is None else {"token_type_ids": types}
        logits: Tensor = self.model(input_ids=ids, attention_mask=mask, **given).logits
        return logits


@dataclass(frozen=True, slots=True)
class LibraryVectors:
    """A model that sentence-transformers has loaded; prompts are not applied."""

    model: Any = field(repr=False)

    @classmethod
    def load(cls, folder: Path, device: str, dtype: torch.dtype) -> Self:
        """Load a folder: safetensors alone, no code of the model, nothing from the network."""
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415  takes seconds

        silence_library()
        model = SentenceTransformer(
            str(folder),
            device=device,
            local_files_only=True,
            model_kwargs={"dtype": dtype, "use_safetensors": True},
            trust_remote_code=False,
        )
        return cls(model.eval())

    @property
    def longest(self) -> int | None:
        """Word pieces that it reads at once, special ones included."""
        longest: int | None = self.model.max_seq_length
        return longest

    def compute(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return a vector for each row; pooling is always done in fp32."""
        transformer, *others = self.model
        features = transformer({"input_ids": ids, "attention_mask": mask})
        features["token_embeddings"] = features["token_embeddings"].float()
        for module in others:
            features = module(features)
        vectors: Tensor = features["sentence_embedding"]
        return vectors


def silence_library() -> None:
    """Show no progress of loading weights: a service's output is its log."""
    from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415  as above

    disable_progress_bar()  # type: ignore[no-untyped-call]
