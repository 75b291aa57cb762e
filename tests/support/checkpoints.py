"""Tiny checkpoints, as real ones lie in a folder."""

import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForTokenClassification,
    BertModel,
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForTokenClassification,
)

BIO = ("O", "B-PATIENT", "I-PATIENT", "B-DATE", "I-DATE", "B-PHONE", "I-PHONE")
WORDS = ("john", "smith", "miller", "jo", "##hn", "seen", "march")
"""Words the BERT vocabulary knows besides single letters, digits and marks."""

_SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
_BERT_SPECIAL = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}
_ROBERTA_ENTRIES = ("<s>", "<pad>", "</s>", "<unk>")
_ROBERTA_SPECIAL = {
    "bos_token": "<s>",
    "cls_token": "<s>",
    "eos_token": "</s>",
    "sep_token": "</s>",
    "pad_token": "<pad>",
    "unk_token": "<unk>",
}


def token_classifier(
    folder: Path, *, labels: Sequence[str] = BIO, seed: int = 0, positions: int = 512
) -> Path:
    """Write a BERT token classifier with random weights: its answers are arbitrary."""
    tokenizer = _bert_tokenizer(positions)
    model = _bert_classifier(tokenizer, labels, seed)
    with torch.no_grad():
        model.classifier.weight.normal_()
    return _write(folder, model, tokenizer)


def lexical_classifier(
    folder: Path, meanings: Mapping[str, str], *, labels: Sequence[str] = BIO
) -> Path:
    """Write a BERT token classifier that answers by the word piece alone.

    ``meanings`` gives the label of a piece; every other piece is the first of ``labels``.
    """
    tokenizer = _bert_tokenizer(512)
    model = _bert_classifier(tokenizer, labels, seed=0)
    columns = torch.zeros(len(tokenizer), dtype=torch.long)
    for piece, label in meanings.items():
        columns[tokenizer.convert_tokens_to_ids(piece)] = labels.index(label)
    width = model.config.hidden_size
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "LayerNorm" not in name:
                weight.zero_()
        words = model.bert.embeddings.word_embeddings.weight
        words.copy_(torch.nn.functional.one_hot(columns, width))
        model.classifier.weight.copy_(torch.eye(len(labels), width))
    return _write(folder, model, tokenizer)


def byte_level_classifier(folder: Path, *, labels: Sequence[str] = BIO) -> Path:
    """Write a RoBERTa token classifier with random weights, whose pieces are single bytes."""
    torch.manual_seed(0)
    tokenizer = _roberta_tokenizer()
    config = RobertaConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=514,
        pad_token_id=_ROBERTA_ENTRIES.index("<pad>"),
        **_SIZES,
        **_names(labels),
    )
    model = RobertaForTokenClassification(config)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        model.classifier.weight.normal_()
    return _write(folder, model, tokenizer)


def encoder(folder: Path, *, positions: int = 64) -> Path:
    """Write a plain BERT encoder, without head and without ``modules.json``."""
    torch.manual_seed(0)
    tokenizer = _bert_tokenizer(positions)
    config = BertConfig(vocab_size=len(tokenizer), max_position_embeddings=positions, **_SIZES)
    model = BertModel(config)  # type: ignore[no-untyped-call]
    return _write(folder, model, tokenizer)


def _bert_classifier(
    tokenizer: PreTrainedTokenizerFast, labels: Sequence[str], seed: int
) -> BertForTokenClassification:
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=tokenizer.model_max_length,
        **_SIZES,
        **_names(labels),
    )
    return BertForTokenClassification(config)  # type: ignore[no-untyped-call]


def _names(labels: Sequence[str]) -> dict[str, Any]:
    return {
        "id2label": dict(enumerate(labels)),
        "label2id": {label: place for place, label in enumerate(labels)},
    }


def _write(folder: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast) -> Path:
    model.save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))
    return folder


def _bert_tokenizer(positions: int) -> PreTrainedTokenizerFast:
    letters = string.ascii_lowercase + string.digits
    entries = [
        *_BERT_SPECIAL.values(),
        *letters,
        *("##" + letter for letter in letters),
        *string.punctuation,
        *WORDS,
    ]
    vocabulary = {entry: place for place, entry in enumerate(dict.fromkeys(entries))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token=_BERT_SPECIAL["unk_token"]))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ends = [("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"])]
    tokenizer.post_processor = processors.BertProcessing(*ends)
    # As many published ones do, it asks for truncation and padding; neither may happen.
    tokenizer.enable_truncation(16)
    tokenizer.enable_padding(length=16)
    return _fast(tokenizer, positions, _BERT_SPECIAL)


def _roberta_tokenizer() -> PreTrainedTokenizerFast:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    entries = [*_ROBERTA_ENTRIES, *alphabet]
    vocabulary = {entry: place for place, entry in enumerate(entries)}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    return _fast(tokenizer, 512, _ROBERTA_SPECIAL)


def _fast(
    tokenizer: Tokenizer, positions: int, special: Mapping[str, str]
) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer, model_max_length=positions, **special
    )
