"""Begin a tagger from an encoder, and write it as a checkpoint that ``Tagger`` loads."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import torch
from torch import Tensor, nn
from transformers import (
    AutoConfig,
    AutoModelForTokenClassification,
    AutoTokenizer,
    BertPreTrainedModel,
)
from transformers.utils.logging import set_verbosity_error

from deidstream.models.neural.bert_weights import WEIGHTS
from deidstream.models.neural.model_loading import silence_library
from deidstream.models.neural.weights import loading
from deidstream.models.recognizers.word_shapes import SHAPES
from deidstream.study.tagger.examples import OUTPUTS

_TOKENIZER = "tokenizer.json"
_TOKENIZER_FILES = (_TOKENIZER, "tokenizer_config.json", "special_tokens_map.json")
_ATTENTION_DROPOUTS = ("attention_probs_dropout_prob", "attention_dropout")
"""Names of the setting: in BERT and RoBERTa; in DistilBERT and ModernBERT."""


def start(folder: Path, *, seed: int, shapes: bool = True) -> Any:  # noqa: ANN401  its class is the encoder's
    """Put a fresh head on an encoder, or take up a tagger whose outputs are ours.

    Args:
        folder: An encoder or token classifier in Hugging Face form, safetensors only.
        seed: Seed of the new weights.
        shapes: Whether an encoder of BERT's kind is given the shapes of words: a token type for
            each shape, all alike at first. Other kinds of encoder are cased and need none.

    Raises:
        MissingArtefact: The folder cannot be read.
    """
    set_verbosity_error()  # type: ignore[no-untyped-call]
    silence_library()
    torch.manual_seed(seed)
    with loading(f"encoder {folder.name}"):
        model = AutoModelForTokenClassification.from_pretrained(
            str(folder),
            config=_config(folder),
            dtype=torch.float32,
            ignore_mismatched_sizes=True,
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
        )
    if shapes and isinstance(model, BertPreTrainedModel) and not has_shapes(model):
        _give_shapes(model)
    return model


def _config(folder: Path) -> Any:  # noqa: ANN401  as above
    names = dict(enumerate(OUTPUTS))
    config = AutoConfig.from_pretrained(
        str(folder),
        id2label=names,
        label2id={name: at for at, name in names.items()},
        local_files_only=True,
        trust_remote_code=False,
    )
    # Attention drop-out rules out the fused kernels: three times as slow on a CPU.
    for name in _ATTENTION_DROPOUTS:
        if hasattr(config, name):
            setattr(config, name, 0.0)
    return config


def has_shapes(model: Any) -> bool:  # noqa: ANN401  as above
    """Return whether a model reads the shapes of words."""
    return bool(getattr(model.config, "word_shapes", False))


def _give_shapes(model: Any) -> None:  # noqa: ANN401  as above
    embeddings = model.base_model.embeddings
    first = embeddings.token_type_embeddings.weight.detach()[0]
    wider = nn.Embedding(SHAPES, len(first))
    with torch.no_grad():
        wider.weight.copy_(first.expand(SHAPES, -1))
    embeddings.token_type_embeddings = wider
    model.config.type_vocab_size = SHAPES
    model.config.word_shapes = True


def save(model: Any, encoder: Path, folder: Path) -> None:  # noqa: ANN401  as above
    """Write a checkpoint: fp16 safetensors, configuration, and the encoder's tokenizer.

    fp16 halves the file and keeps three more bits of each weight than bf16; what loads it may
    still run it in fp32 or bf16. ``model`` itself is left as it is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    half = {name: _to_half(weight.detach()).cpu() for name, weight in model.state_dict().items()}
    model.save_pretrained(folder, state_dict=half)
    # The library writes weights for their owner alone, and all else as the user's mask says.
    shutil.copymode(folder / "config.json", folder / WEIGHTS)
    if folder.resolve() != encoder.resolve():
        _copy_tokenizer(encoder, folder)


def _copy_tokenizer(encoder: Path, folder: Path) -> None:
    if not (encoder / _TOKENIZER).exists():
        # Older encoders hold a vocabulary alone, of which the library makes the whole.
        own = AutoTokenizer.from_pretrained(
            str(encoder), local_files_only=True, trust_remote_code=False
        )
        own.save_pretrained(str(folder))
        return
    for name in _TOKENIZER_FILES:
        if (encoder / name).exists():
            shutil.copyfile(encoder / name, folder / name)


def _to_half(weight: Tensor) -> Tensor:
    return weight.half() if weight.is_floating_point() else weight


def set_thresholds(folder: Path, thresholds: Mapping[str, float]) -> None:
    """Write the calibrated thresholds into a checkpoint's configuration."""
    path = folder / "config.json"
    said = {str(label): value for label, value in sorted(thresholds.items())}
    config = orjson.loads(path.read_bytes()) | {"phi_thresholds": said}
    path.write_bytes(orjson.dumps(config, option=orjson.OPT_INDENT_2) + b"\n")
