"""Encoders of other kinds than ours are learnt from, written and calibrated as ours are."""

import json
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import processors
from transformers import DistilBertConfig, DistilBertModel

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.recognizers.label_scores import (
    COLUMNS,
)
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.tagger.calibrate import judge
from deidstream.study.tagger.examples import examples, targets_of
from deidstream.study.tagger.fit import FitPlan, fit
from deidstream.study.tagger.start import save, start
from support.checkpoints import byte_level_classifier, encoder

TEXT = "John seen Smith\n12 May"
NOTE = LabelledNote(RawNote("n", "p", TEXT), (Span(10, 15, PhiLabel.PATIENT),))
PLAN = FitPlan(epochs=2, batch_pieces=64, save_steps=1)
SETTINGS = TaggerOptions(window=32, overlap=8, run=EngineOptions(device="cpu", dtype="fp32"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoder(tmp_path_factory.mktemp("encoder"))


def _fit(model: Any, pieces: Pieces, state: Path, plan: FitPlan = PLAN) -> int:
    windows = list(examples([NOTE] * 4, pieces, window=32, overlap=8))
    return sum(1 for _ in fit(model, windows, plan, pad_id=pieces.pad_id, state=state))


def test_an_encoder_that_names_its_drop_out_otherwise_is_learnt_from(
    folder: Path, tmp_path: Path
) -> None:
    distilled = Path(shutil.copytree(folder, tmp_path / "distilled"))
    vocabulary = Pieces.load(folder).tokenizer.get_vocab_size()
    size: dict[str, Any] = {"vocab_size": vocabulary, "max_position_embeddings": 64}
    shape: dict[str, Any] = {"n_layers": 1, "n_heads": 4, "dim": 32, "hidden_dim": 64}
    DistilBertModel(DistilBertConfig(**size, **shape)).save_pretrained(str(distilled))
    model = start(distilled, seed=1)
    assert model.config.attention_dropout == 0
    assert _fit(model, Pieces.load(distilled), tmp_path / "state.pt")
    save(model, distilled, tmp_path / "tagger")
    assert not Tagger.load(str(tmp_path / "tagger"), settings=SETTINGS).shaped


def test_a_tokenizer_that_is_a_vocabulary_alone_is_written_whole(
    folder: Path, tmp_path: Path
) -> None:
    older = Path(shutil.copytree(folder, tmp_path / "older"))
    vocabulary = json.loads((older / "tokenizer.json").read_text())["model"]["vocab"]
    words = sorted(vocabulary, key=vocabulary.__getitem__)
    (older / "vocab.txt").write_text("".join(f"{word}\n" for word in words))
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
        (older / name).unlink(missing_ok=True)
    save(start(older, seed=1), older, tmp_path / "tagger")
    ours = Tagger.load(str(tmp_path / "tagger"), settings=SETTINGS).pieces
    assert ours.encode([TEXT])[0].ids == Pieces.load(folder).encode([TEXT])[0].ids


def test_a_tagger_may_be_written_where_it_came_from(folder: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    save(start(own, seed=1), own, own)
    assert Tagger.load(str(own), settings=SETTINGS).shaped


def test_words_count_though_their_white_space_is_theirs(tmp_path: Path) -> None:
    tokenizer = Pieces.load(byte_level_classifier(tmp_path)).tokenizer
    specials: Any = [("<s>", 0), ("</s>", 2)]
    tokenizer.post_processor = processors.TemplateProcessing("<s> $A </s>", None, specials)
    encoding = tokenizer.encode(TEXT, add_special_tokens=False)
    assert (4, 5) in encoding.offsets
    scores = np.zeros((len(encoding.ids), COLUMNS), dtype=np.int16)
    judged = judge([(TEXT, encoding, scores)], [NOTE.spans])
    assert judged.is_phi.tolist() == [False, False, True, False, False]


def test_a_state_is_not_taken_up_by_an_encoder_with_other_weights(
    folder: Path, tmp_path: Path
) -> None:
    pieces, other = Pieces.load(folder), start(folder, seed=1)
    _fit(start(folder, seed=1), pieces, tmp_path / "state.pt")
    other.base_model.embeddings.word_embeddings.weight.data.zero_()
    with pytest.raises(InvalidSettings, match="of a run with other"):
        _fit(other, pieces, tmp_path / "state.pt")


def test_a_loss_that_is_no_number_ends_the_run(folder: Path, tmp_path: Path) -> None:
    model = start(folder, seed=1)
    model.classifier.weight.data[0, 0] = float("nan")
    with pytest.raises(InvalidSettings, match="loss of step 1"):
        _fit(model, Pieces.load(folder), tmp_path / "state.pt")


def test_the_targets_of_a_long_note_take_linear_time(folder: Path) -> None:
    text = "john seen " * 15_000
    (encoding,) = Pieces.load(folder).encode([text])
    began = time.process_time()
    targets = targets_of(encoding, [Span(len(text) - 5, len(text) - 1, PhiLabel.DATE)])
    assert time.process_time() - began < 5
    assert sum(map(bool, targets)) == 1
