"""A pupil begins as layers of its teacher, and comes to answer like it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.tagger.distill import TeacherLesson, begin_pupil
from deidstream.study.tagger.examples import Batch, Example, collate, examples
from deidstream.study.tagger.fit import FitPlan, fit
from deidstream.study.tagger.lesson import run_model
from deidstream.study.tagger.start import save, start
from support.checkpoints import encoder, token_classifier

pytestmark = pytest.mark.usefixtures("one_thread")

TEXT = "seen John march 1/2 smith Jo miller"


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tagger with random weights; its answers are arbitrary, and differ from piece to piece."""
    plain, folder = (tmp_path_factory.mktemp(name) for name in ("plain", "teacher"))
    model = start(encoder(plain), seed=3)
    with torch.no_grad():
        model.classifier.weight.normal_()
    save(model, plain, folder)
    return folder


@pytest.fixture(scope="module")
def windows(teacher: Path) -> list[Example]:
    note = LabelledNote(RawNote("n", "p", TEXT), (Span(5, 9, PhiLabel.PATIENT),))
    return list(examples([note] * 8, Pieces.load(teacher), window=32, overlap=2))


@pytest.fixture(scope="module")
def batch(windows: list[Example]) -> Batch:
    return collate(windows, 0, "cpu")


def _weight(model: Any, name: str) -> Tensor:
    weight: Tensor = model.state_dict()[name]
    return weight


def test_a_pupil_begins_as_layers_of_its_teacher(teacher: Path) -> None:
    whole, pupil = start(teacher, seed=1), begin_pupil(teacher, [1], seed=1)
    assert pupil.config.num_hidden_layers == len(pupil.base_model.encoder.layer) == 1
    name = "bert.encoder.layer.{}.output.dense.weight"
    assert torch.equal(_weight(pupil, name.format(0)), _weight(whole, name.format(1)))
    for same in ("classifier.weight", "bert.embeddings.token_type_embeddings.weight"):
        assert torch.equal(_weight(pupil, same), _weight(whole, same))


@pytest.mark.parametrize("layers", [[], [2], [-1], [1, 0], [0, 0]])
def test_layers_that_the_teacher_lacks_are_refused(teacher: Path, layers: list[int]) -> None:
    with pytest.raises(InvalidSettings, match="some of 0 to 1"):
        begin_pupil(teacher, layers, seed=1)


def test_a_tagger_with_other_outputs_cannot_teach(tmp_path: Path) -> None:
    other = token_classifier(tmp_path / "other", labels=("no", "yes"))
    # Read as ours its head would be drawn at random.
    with pytest.raises(InvalidSettings, match="neither teach nor learn"):
        begin_pupil(other, [0], seed=1)


def test_a_pupil_with_every_layer_has_no_more_to_learn_than_the_labels(
    teacher: Path, batch: Batch
) -> None:
    pupil = begin_pupil(teacher, [0, 1], seed=1).eval()
    lesson = TeacherLesson.of(teacher, pupil, seed=1)
    loss = lesson.loss(pupil, batch, bf16=False, done=0.0)
    labels = torch.nn.functional.cross_entropy(
        run_model(pupil, batch, bf16=False).logits.flatten(0, 1),
        batch.targets.flatten(),
        ignore_index=-1,
    )
    assert loss.item() == pytest.approx(0.3 * labels.item(), rel=1e-3)


def test_what_the_layers_compute_counts_at_first_only(teacher: Path, batch: Batch) -> None:
    pupil = begin_pupil(teacher, [0], seed=1).eval()
    lesson = TeacherLesson.of(teacher, pupil, seed=1)
    assert lesson.imitated == (1,)
    first, later, last = (
        lesson.loss(pupil, batch, bf16=False, done=done).item() for done in (0.0, 0.7, 1.0)
    )
    assert first > later == last
    settled = TeacherLesson.of(teacher, pupil, seed=1, states_until=0)
    assert settled.loss(pupil, batch, bf16=False, done=0.0).item() == last
    assert settled.name != lesson.name


def test_a_pupil_comes_to_answer_like_its_teacher(
    teacher: Path, windows: list[Example], batch: Batch, tmp_path: Path
) -> None:
    pupil = begin_pupil(teacher, [1], seed=1)
    with torch.no_grad():
        pupil.classifier.weight.zero_()
    words = _weight(pupil, "bert.embeddings.word_embeddings.weight").clone()
    lesson = TeacherLesson.of(teacher, pupil, seed=1)
    windows = [_labelled_by(lesson.teacher, window) for window in windows]
    before = _distance(pupil, lesson, batch)
    plan = FitPlan(epochs=30, learning_rate=3e-3, batch_pieces=128, average=0.5)
    state = tmp_path / "state.pt"
    losses = [s.loss for s in fit(pupil, windows, plan, pad_id=0, state=state, lesson=lesson)]
    assert losses[-1] < losses[0] / 2
    assert _distance(pupil, lesson, batch) < before / 2
    assert torch.equal(_weight(pupil, "bert.embeddings.word_embeddings.weight"), words)
    save(pupil, teacher, tmp_path / "pupil")
    how = TaggerOptions(window=32, overlap=2, run=EngineOptions(device="cpu", dtype="fp32"))
    Tagger.load(str(tmp_path / "pupil"), settings=how).recognize([RawNote("n", "p", TEXT)])


def test_a_run_with_another_lesson_is_not_taken_up(
    teacher: Path, windows: list[Example], tmp_path: Path
) -> None:
    plan, state = FitPlan(epochs=1, batch_pieces=64, save_steps=1), tmp_path / "state.pt"
    pupil = begin_pupil(teacher, [1], seed=1)
    lesson = TeacherLesson.of(teacher, pupil, seed=1)
    list(fit(pupil, windows, plan, pad_id=0, state=state, lesson=lesson))
    with pytest.raises(InvalidSettings, match="of a run with other notes"):
        list(fit(begin_pupil(teacher, [1], seed=1), windows, plan, pad_id=0, state=state))


def _labelled_by(teacher: Any, window: Example) -> Example:
    one = collate([window], 0, "cpu")
    likely = run_model(teacher, one, bf16=False).logits[0].argmax(-1).numpy()
    labels = np.where(window.targets < 0, window.targets, likely[: len(window.targets)])
    return Example(window.pieces, labels.astype(np.int8))


def _distance(pupil: Any, lesson: TeacherLesson, batch: Batch) -> float:
    pupil.eval()
    with torch.no_grad():
        said = run_model(pupil, batch, bf16=False).logits.softmax(-1)
        right = run_model(lesson.teacher, batch, bf16=False).logits.softmax(-1)
    text = batch.mask.bool()
    return float((said - right)[text].abs().sum(-1).mean())
