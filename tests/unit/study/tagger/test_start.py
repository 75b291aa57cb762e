"""A tagger begins as its encoder, and is written as a checkpoint that can be loaded."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.model_loading import LibraryClassifier
from deidstream.models.neural.torch_engine import TorchClassifier
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.models.recognizers.word_shapes import SHAPES
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.study.tagger.examples import OUTPUTS
from deidstream.study.tagger.start import has_shapes, save, set_thresholds, start
from support.checkpoints import byte_level_classifier, encoder, token_classifier

SETTINGS = TaggerOptions(
    window=32, overlap=8, run=EngineOptions(device="cpu", dtype="fp32"), threshold=0.03
)
IDS = torch.tensor([[2, 5, 9, 40, 3]])
ALIKE = torch.zeros_like(IDS)
MIXED = torch.tensor([[0, 5, 31, 12, 0]])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoder(tmp_path_factory.mktemp("encoder"))


def _answer(model: Any, shapes: Tensor) -> Tensor:
    with torch.inference_mode():
        answered: Tensor = model(input_ids=IDS, token_type_ids=shapes).logits
    return answered


def _head(model: Any) -> Tensor:
    head: Tensor = model.classifier.weight.detach()
    return head


def test_the_body_is_the_encoders_and_the_head_is_drawn_by_the_seed(folder: Path) -> None:
    one, again, other = (start(folder, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(_head(one), _head(again))
    assert not torch.equal(_head(one), _head(other))
    body = load_file(folder / "model.safetensors")
    words = one.base_model.embeddings.word_embeddings.weight
    assert torch.equal(words, body["embeddings.word_embeddings.weight"])


def test_the_outputs_are_ours(folder: Path) -> None:
    config = start(folder, seed=1).config
    assert tuple(config.id2label[at] for at in range(len(OUTPUTS))) == OUTPUTS
    assert config.num_labels == len(OUTPUTS)


def test_attention_is_never_dropped(folder: Path) -> None:
    assert start(folder, seed=1).config.attention_probs_dropout_prob == 0


def test_at_first_all_shapes_are_alike(folder: Path) -> None:
    plain, shaped = (start(folder, seed=1, shapes=shapes) for shapes in (False, True))
    assert torch.equal(_answer(shaped, MIXED), _answer(plain, ALIKE))
    assert (has_shapes(plain), has_shapes(shaped)) == (False, True)
    assert shaped.config.type_vocab_size == SHAPES


def test_each_shape_can_be_learnt_apart(folder: Path) -> None:
    shaped = start(folder, seed=1)
    with torch.no_grad():
        shaped.base_model.embeddings.token_type_embeddings.weight[31] += 1
    assert not torch.equal(_answer(shaped, MIXED), _answer(shaped, ALIKE))


def test_a_tagger_of_ours_is_taken_up_with_its_head_and_its_shapes(
    folder: Path, tmp_path: Path
) -> None:
    model = start(folder, seed=1)
    with torch.no_grad():
        model.base_model.embeddings.token_type_embeddings.weight.normal_()
    save(model, folder, tmp_path)
    again = start(tmp_path, seed=2)
    assert torch.equal(_head(again), _head(model).half().float())
    torch.testing.assert_close(_answer(again, MIXED), _answer(model, MIXED), atol=0.01, rtol=0.01)


def test_a_head_for_other_labels_is_replaced(tmp_path: Path) -> None:
    assert len(_head(start(token_classifier(tmp_path), seed=1))) == len(OUTPUTS)


def test_an_encoder_of_another_kind_is_cased_and_gets_no_shapes(tmp_path: Path) -> None:
    model = start(byte_level_classifier(tmp_path), seed=1)
    assert not has_shapes(model)
    assert model.config.type_vocab_size == 2


def test_what_is_not_there_or_could_run_code_is_refused(folder: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    for path in (copy, tmp_path / "none"):
        with pytest.raises(MissingArtefact, match="cannot be loaded"):
            start(path, seed=1)


def test_a_saved_tagger_is_loaded_and_answers_as_it_did(folder: Path, tmp_path: Path) -> None:
    model = start(folder, seed=1)
    save(model, folder, tmp_path / "new" / "tagger")
    tagger = Tagger.load(str(tmp_path / "new" / "tagger"), settings=SETTINGS)
    assert tagger.shaped
    text = "John Smith,\nseen march 1"
    _, (scores,) = tagger.score([text])
    library = TorchClassifier.of_model(LibraryClassifier(model.eval()), "cpu", "fp32")
    _, (exact,) = replace(tagger, model=library).score([text])
    assert abs(scores - exact).max() <= 2
    assert tagger.recognize([RawNote("n", "p", text)]) != [()]


def test_all_files_of_a_tagger_have_the_mode_of_new_files(folder: Path, tmp_path: Path) -> None:
    model = start(folder, seed=1)
    save(model, folder, tmp_path / "new")
    (tmp_path / "plain").touch()
    modes = {file.stat().st_mode for file in [*(tmp_path / "new").iterdir(), tmp_path / "plain"]}
    assert len(modes) == 1


def test_weights_are_halved_on_disk_alone(folder: Path, tmp_path: Path) -> None:
    model = start(folder, seed=1)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    save(model, folder, tmp_path)
    on_disk = load_file(tmp_path / "model.safetensors")
    assert set(on_disk) == set(before)
    for name, weight in model.state_dict().items():
        assert weight.dtype is torch.float32
        assert torch.equal(weight, before[name])
        assert torch.equal(on_disk[name], weight.half())


def test_whole_numbers_are_not_halved(folder: Path, tmp_path: Path) -> None:
    model = start(folder, seed=1)
    model.register_buffer("steps", torch.tensor([70_001]))
    save(model, folder, tmp_path)
    assert load_file(tmp_path / "model.safetensors")["steps"].tolist() == [70_001]


def test_thresholds_are_written_beside_what_was_there(folder: Path, tmp_path: Path) -> None:
    save(start(folder, seed=1), folder, tmp_path)
    before = json.loads((tmp_path / "config.json").read_text())
    set_thresholds(tmp_path, {PhiLabel.DATE: 0.3, "AGE": 0.25})
    after = json.loads((tmp_path / "config.json").read_text())
    assert list(after["phi_thresholds"].items()) == [("AGE", 0.25), ("DATE", 0.3)]
    assert {key: value for key, value in after.items() if key != "phi_thresholds"} == before
