"""A fit learns, is the same again, and loses nothing where it is stopped."""

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.tagger.examples import IGNORED, Example, collate, examples
from deidstream.study.tagger.fit import FRESH_FACTOR, FitPlan, Step, fit
from deidstream.study.tagger.start import save, start
from support.checkpoints import encoder

pytestmark = pytest.mark.usefixtures("one_thread")

NAMES = ("John", "Smith", "Miller")
FEW = FitPlan(epochs=2, learning_rate=1e-3, batch_pieces=64, save_steps=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoder(tmp_path_factory.mktemp("encoder"))


@pytest.fixture(scope="module")
def windows(folder: Path) -> list[Example]:
    return list(examples(_notes(40), Pieces.load(folder), window=32, overlap=8))


def _notes(count: int) -> list[LabelledNote]:
    """Each names a patient with a capital, and has the same word without one, which is no name."""
    return [_note(NAMES[at % 3], NAMES[at // 3 % 3].lower(), at % 4) for at in range(count)]


def _note(name: str, word: str, blanks: int) -> LabelledNote:
    text = f"seen {word}" + " x" * blanks + f" {name} march"
    start = text.index(name)
    return LabelledNote(
        RawNote("n", "p", text), (Span(start, start + len(name), PhiLabel.PATIENT),)
    )


def _run(
    model: Any, windows: list[Example], plan: FitPlan, state: Path, most: int | None = None
) -> list[Step]:
    steps = fit(model, windows, plan, pad_id=0, state=state)
    return list(islice(steps, most))


def _weights(model: Any) -> dict[str, Tensor]:
    return {name: weight.clone() for name, weight in model.state_dict().items()}


def _same(one: dict[str, Tensor], other: dict[str, Tensor]) -> bool:
    return all(torch.equal(weight, other[name]) for name, weight in one.items())


@pytest.mark.slow
def test_a_rule_is_learnt(folder: Path, windows: list[Example], tmp_path: Path) -> None:
    model = start(folder, seed=1)
    plan = FitPlan(epochs=20, learning_rate=5e-3, batch_pieces=128, average=0.9)
    taken = _run(model, windows, plan, tmp_path / "state.pt")
    assert [step.number for step in taken] == list(range(1, len(taken) + 1))
    assert {step.of for step in taken} == {len(taken)}
    assert taken[-1].loss < taken[0].loss / 10
    save(model, folder, tmp_path / "tagger")
    how = TaggerOptions(window=32, overlap=8, run=EngineOptions(device="cpu", dtype="fp32"))
    tagger = Tagger.load(str(tmp_path / "tagger"), settings=how)
    text = "x seen miller x Smith march"
    (spans,) = tagger.recognize([RawNote("n", "p", text)])
    assert [(text[s.start : s.end], s.label) for s in spans] == [("Smith", PhiLabel.PATIENT)]


def test_a_run_that_was_taken_up_again_ends_as_one_that_was_not(
    folder: Path, windows: list[Example], tmp_path: Path
) -> None:
    whole, stopped, again = (start(folder, seed=1) for _ in range(3))
    every = _run(whole, windows, FEW, tmp_path / "whole.pt")
    _run(stopped, windows, FEW, tmp_path / "state.pt", most=5)
    rest = _run(again, windows, FEW, tmp_path / "state.pt")
    assert rest == every[3:]
    assert _same(_weights(again), _weights(whole))
    assert not _same(_weights(stopped), _weights(whole))


def test_a_run_that_ended_takes_no_more_steps(
    folder: Path, windows: list[Example], tmp_path: Path
) -> None:
    model, again = start(folder, seed=1), start(folder, seed=1)
    _run(model, windows, FEW, tmp_path / "state.pt")
    assert [path.name for path in tmp_path.iterdir()] == ["state.pt"]
    assert _run(again, windows, FEW, tmp_path / "state.pt") == []
    assert _same(_weights(again), _weights(model))
    assert not again.training


@pytest.mark.parametrize(
    "other",
    [replace(FEW, epochs=3), replace(FEW, learning_rate=1e-4), replace(FEW, seed=2)],
    ids=["epochs", "rate", "seed"],
)
def test_the_state_of_a_run_with_other_settings_is_refused(
    folder: Path, windows: list[Example], tmp_path: Path, other: FitPlan
) -> None:
    _run(start(folder, seed=1), windows, FEW, tmp_path / "state.pt", most=4)
    with pytest.raises(InvalidSettings, match=r"state\.pt is of a run with other"):
        _run(start(folder, seed=1), windows, other, tmp_path / "state.pt")


def test_the_state_of_a_run_on_other_notes_or_another_model_is_refused(
    folder: Path, windows: list[Example], tmp_path: Path
) -> None:
    _run(start(folder, seed=1), windows, FEW, tmp_path / "state.pt", most=4)
    with pytest.raises(InvalidSettings):
        _run(start(folder, seed=1), [*windows[1:], windows[0]], FEW, tmp_path / "state.pt")
    with pytest.raises(InvalidSettings):
        _run(start(folder, seed=1, shapes=False), windows, FEW, tmp_path / "state.pt")


def test_how_often_the_state_is_saved_changes_nothing(
    folder: Path, windows: list[Example], tmp_path: Path
) -> None:
    model, often = start(folder, seed=1), start(folder, seed=1)
    _run(model, windows, FEW, tmp_path / "state.pt", most=4)
    rest = _run(often, windows, replace(FEW, save_steps=1), tmp_path / "state.pt")
    assert rest[0].number == 4


def test_another_seed_is_another_run(folder: Path, windows: list[Example], tmp_path: Path) -> None:
    one, other = start(folder, seed=1), start(folder, seed=1)
    _run(one, windows, FEW, tmp_path / "one.pt")
    _run(other, windows, replace(FEW, seed=2), tmp_path / "other.pt")
    assert not _same(_weights(one), _weights(other))


def test_the_running_mean_of_the_weights_is_what_is_kept(
    folder: Path, windows: list[Example], tmp_path: Path
) -> None:
    plan = replace(FEW, epochs=1, batch_pieces=10_000, average=0.0)
    last, mean = start(folder, seed=1), start(folder, seed=1)
    before = _weights(last)
    assert len(_run(last, windows, plan, tmp_path / "last.pt")) == 1
    _run(mean, windows, replace(plan, average=0.9), tmp_path / "mean.pt")
    # After the first step the mean is one part the start and ten parts what was learnt.
    for name, weight in _weights(mean).items():
        expected = before[name] / 11 + last.state_dict()[name] * 10 / 11
        torch.testing.assert_close(weight, expected, atol=1e-6, rtol=1e-4)
    assert not _same(_weights(mean), _weights(last))


def test_a_share_of_the_start_is_kept(folder: Path, windows: list[Example], tmp_path: Path) -> None:
    plan = replace(FEW, epochs=1, batch_pieces=10_000, average=0.0)
    learnt, mixed = start(folder, seed=1), start(folder, seed=1)
    before = _weights(learnt)
    _run(learnt, windows, plan, tmp_path / "learnt.pt")
    _run(mixed, windows, replace(plan, kept=0.75), tmp_path / "mixed.pt")
    for name, weight in _weights(mixed).items():
        expected = before[name] * 0.75 + learnt.state_dict()[name] * 0.25
        torch.testing.assert_close(weight, expected, atol=1e-6, rtol=1e-4)
    assert not _same(_weights(mixed), before)


def test_the_rate_rises_and_falls_and_is_greater_for_what_is_fresh(
    folder: Path, windows: list[Example], tmp_path: Path
) -> None:
    state, model = tmp_path / "state.pt", start(folder, seed=1)
    plan = replace(FEW, epochs=4, warmup=0.25, save_steps=1)
    rates: list[tuple[float, float]] = []
    for _ in fit(model, windows, plan, pad_id=0, state=state):
        groups = torch.load(state, weights_only=True)["optimizer"]["param_groups"]
        rates.append((groups[0]["lr"], groups[1]["lr"]))
    body = [slow for slow, _ in rates]
    rising = round(0.25 * len(body))
    assert rising > 1
    assert body[:rising] == pytest.approx([1e-3 * (at + 1) / rising for at in range(rising)])
    assert body[rising:] == sorted(body[rising:], reverse=True)
    assert 0 < body[-1] < 1e-3 / rising
    assert [fast / slow for slow, fast in rates] == pytest.approx([FRESH_FACTOR] * len(rates))


def test_the_loss_is_the_mean_over_pieces_and_not_over_padding(
    folder: Path, windows: list[Example], tmp_path: Path
) -> None:
    model = start(folder, seed=1)
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    expected = _mean_loss(model, windows)
    (step,) = _run(model, windows, replace(FEW, epochs=1, batch_pieces=10_000), tmp_path / "s.pt")
    assert step.loss == pytest.approx(expected, abs=1e-5)
    assert step.pieces == sum(len(window.pieces) for window in windows)


def _mean_loss(model: Any, windows: list[Example]) -> float:
    total, count = 0.0, 0
    for window in windows:
        batch = collate([window], 0, "cpu")
        with torch.inference_mode():
            logits = model(
                input_ids=batch.ids, attention_mask=batch.mask, token_type_ids=batch.shapes
            ).logits
        learnt = batch.targets[0] != IGNORED
        chances = logits[0, learnt].log_softmax(dim=-1)
        total -= float(chances.gather(1, batch.targets[0, learnt, None]).sum())
        count += int(learnt.sum())
    return total / count
