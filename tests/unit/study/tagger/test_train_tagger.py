"""``deidstream train``: from labelled notes to a checkpoint that can be loaded."""

import json
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import torch

from deidstream.agents.cli.main import main
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.model_loading import choose_placement
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.weights import DIGEST, digest
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.build_corpus import CORPUS, CorpusPlan, make_corpus
from deidstream.study.corpus.read_notes import read_labelled_notes
from deidstream.study.scoring.totals import Headline
from deidstream.study.tagger.examples import examples
from deidstream.study.tagger.fit import FitPlan, fit
from deidstream.study.tagger.start import start
from deidstream.study.tagger.train_tagger import STATE, TrainingRun, write_card
from support.checkpoints import encoder

pytestmark = pytest.mark.usefixtures("one_thread")

NAMES = ("Quillfeather", "Brightwater", "Vanterpool", "Okonedo")
PATIENTS, NOTES_EACH = 8, 5
SECRETS = (*NAMES, "Zellbridge", "patient-", "note-")
PLAN = FitPlan(epochs=2, learning_rate=1e-3, batch_pieces=256, average=0.9, seed=1, save_steps=1)
FLAGS = (
    *("--epochs", "2", "--learning-rate", "1e-3", "--average", "0.9"),
    *("--window", "32", "--batch-windows", "8", "--device", "cpu", "--held-out-share", "0.3"),
)


def _record(patient: int, number: int) -> dict[str, object]:
    name = NAMES[(patient + number) % len(NAMES)]
    text = f"Seen {name} of Zellbridge" + " x" * number
    spans = [{"start": 5, "end": 5 + len(name), "type": "PATIENT"}]
    return {
        "note_id": f"note-{patient}-{number}",
        "patient_id": f"patient-{patient}",
        "text": text,
        "spans": spans,
    }


def _put(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def _written(folder: Path, patients: int = PATIENTS) -> Path:
    each = range(NOTES_EACH)
    records = [_record(patient, number) for patient in range(patients) for number in each]
    return _put(folder / "notes.jsonl", *records)


def _train(notes: Path, out: Path, model: Path, *flags: str) -> int:
    return main(["train", str(notes), "--out", str(out), "--encoder", str(model), *FLAGS, *flags])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return encoder(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def trained(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    assert _train(_written(folder), folder / "tagger", tiny) == 0
    return folder / "tagger"


def _config(folder: Path) -> dict[str, Any]:
    config: dict[str, Any] = json.loads((folder / "config.json").read_text())
    return config


def _details(folder: Path) -> dict[str, Any]:
    text = (folder / "README.md").read_text()
    details: dict[str, Any] = json.loads(text.split("```json\n")[1].split("```")[0])
    return details


def _refused(capsys: pytest.CaptureFixture[str], code: int) -> str:
    assert code == 78
    said = capsys.readouterr().err
    assert not any(secret in said for secret in SECRETS)
    return said


def test_a_checkpoint_is_loaded_under_its_digest(trained: Path) -> None:
    expected = (trained / DIGEST).read_text().strip()
    settings = TaggerOptions(
        window=32, overlap=8, run=EngineOptions(device="cpu"), expected_digest=expected
    )
    tagger = Tagger.load(str(trained), settings=settings)
    assert tagger.digest == expected
    assert tagger.shaped
    assert f"`{expected}`" in (trained / "README.md").read_text()


def test_the_configuration_has_a_threshold_for_each_label(trained: Path) -> None:
    thresholds = _config(trained)["phi_thresholds"]
    assert thresholds.keys() == set(PhiLabel)
    assert all(0.05 <= threshold <= 0.5 for threshold in thresholds.values())
    assert _config(trained)["word_shapes"] is True


def test_the_training_state_is_gone(trained: Path) -> None:
    assert not list(trained.glob("training*"))
    assert (trained / STATE).parent == trained


def test_nothing_of_a_note_is_in_the_checkpoint(trained: Path) -> None:
    for path in trained.iterdir():
        content = path.read_bytes()
        assert not any(secret.encode() in content for secret in SECRETS), path.name


def test_the_card_says_what_was_learnt_and_how(trained: Path) -> None:
    text = (trained / "README.md").read_text()
    assert "`notes.jsonl`" in text
    assert "word shapes as token types: yes" in text
    how = _details(trained)["fit"]
    assert how == {**_as_dict(PLAN), "save_steps": how["save_steps"], "bf16": how["bf16"]}


def _as_dict(plan: FitPlan) -> dict[str, object]:
    return {each.name: getattr(plan, each.name) for each in fields(plan)}


def test_a_patients_notes_are_learnt_from_or_kept_apart_together(trained: Path) -> None:
    card_text = (trained / "README.md").read_text()
    learnt = int(card_text.split("Learnt from ")[1].split()[0])
    apart = int(card_text.split("measured on ")[1].split()[0])
    assert learnt + apart == PATIENTS * NOTES_EACH
    assert learnt % NOTES_EACH == apart % NOTES_EACH == 0
    assert apart


@pytest.mark.slow
def test_what_a_corpus_left_to_learn_from_is_parted_in_the_same_share(
    tiny: Path, tmp_path: Path
) -> None:
    written = _put(tmp_path / "written.jsonl", *(_record(patient, 0) for patient in range(200)))
    (tmp_path / "marked").mkdir()
    plan = CorpusPlan(tmp_path / "marked", (written,), None, tmp_path, 0, 0, 0, held_out_share=0.3)
    left, _ = make_corpus(plan)
    out = tmp_path / "out"
    assert _train(tmp_path / CORPUS, out, tiny, "--epochs", "1") == 0
    apart = int((out / "README.md").read_text().split("measured on ")[1].split()[0])
    assert apart / left == pytest.approx(0.3, abs=0.1)


@pytest.mark.slow
def test_a_run_that_was_stopped_ends_with_the_same_checkpoint(
    trained: Path, tiny: Path, tmp_path: Path
) -> None:
    notes, apart = _written(tmp_path), tmp_path / "apart.jsonl"
    _put(apart, _record(90, 0), _record(91, 1))
    whole, again = tmp_path / "whole", tmp_path / "again"
    assert _train(notes, whole, tiny, "--held-out", str(apart)) == 0
    _stopped(tiny, notes, again)
    assert _train(notes, again, tiny, "--held-out", str(apart)) == 0
    assert digest(again) == digest(whole) != digest(trained)
    assert (again / "README.md").read_bytes() == (whole / "README.md").read_bytes()


def _stopped(tiny: Path, notes: Path, out: Path) -> None:
    """Leave what a run leaves that was stopped after two steps."""
    out.mkdir()
    bf16 = choose_placement("cpu", "auto").dtype is torch.bfloat16
    windows = list(examples(read_labelled_notes(notes), Pieces.load(tiny), window=32, overlap=8))
    run = fit(start(tiny, seed=1), windows, replace(PLAN, bf16=bf16), pad_id=0, state=out / STATE)
    assert [step.number for step in islice(run, 2)] == [1, 2]
    assert (out / STATE).exists()


@pytest.mark.slow
def test_a_state_of_other_settings_is_not_taken_up(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, apart = _written(tmp_path), _put(tmp_path / "apart.jsonl", _record(90, 0))
    _stopped(tiny, notes, tmp_path / "out")
    flags = ("--held-out", str(apart), "--epochs", "3")
    said = _refused(capsys, _train(notes, tmp_path / "out", tiny, *flags))
    assert f"{STATE} is of a run with other notes or settings" in said


@pytest.mark.slow
def test_without_shapes_the_checkpoint_reads_none(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert _train(_written(tmp_path), out, tiny, "--no-shapes", "--epochs", "1") == 0
    assert "word_shapes" not in _config(out)
    assert "token types: no" in (out / "README.md").read_text()


def test_a_line_that_is_no_labelled_note_is_refused_by_its_number(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = {"note_id": "note-1", "text": "Quillfeather", "spans": [{"start": 0, "end": 90}]}
    notes = _put(tmp_path / "notes.jsonl", _record(1, 1), bad)
    assert "notes.jsonl: line 2: MISSING_FIELD" in _refused(
        capsys, _train(notes, tmp_path / "out", tiny)
    )


def test_absent_notes_and_encoders_are_refused(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, out = _written(tmp_path), tmp_path / "out"
    assert "cannot be read" in _refused(capsys, _train(tmp_path / "none.jsonl", out, tiny))
    assert "neither a folder" in _refused(capsys, _train(notes, out, tmp_path / "none"))
    assert not out.exists()


def test_a_window_that_the_encoder_cannot_read_is_refused(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = _train(_written(tmp_path), tmp_path / "out", tiny, "--window", "256")
    assert "does not fit this model" in _refused(capsys, code)


def test_one_patient_is_too_few(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = _train(_written(tmp_path, patients=1), tmp_path / "out", tiny)
    assert "too few patients" in _refused(capsys, code)


@pytest.mark.parametrize("empty", ["learnt", "kept apart"])
def test_no_notes_are_too_few(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], empty: str
) -> None:
    nothing, notes = _put(tmp_path / "empty.jsonl"), _written(tmp_path)
    learnt, apart = (nothing, notes) if empty == "learnt" else (notes, nothing)
    code = _train(learnt, tmp_path / "out", tiny, "--held-out", str(apart))
    assert "too few patients" in _refused(capsys, code)


def test_a_patient_is_either_learnt_from_or_held_out(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = _written(tmp_path)
    code = _train(notes, tmp_path / "out", tiny, "--held-out", str(notes))
    assert "both learnt from and held out" in _refused(capsys, code)


def test_no_epoch_is_refused(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = _train(_written(tmp_path), tmp_path / "out", tiny, "--epochs", "0")
    assert "at least one epoch" in _refused(capsys, code)


def test_notes_without_words_are_nothing_to_learn_from(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blank = {"note_id": "n", "patient_id": "nobody", "text": " \n", "spans": []}
    learnt, apart = _put(tmp_path / "blank.jsonl", blank), _written(tmp_path)
    code = _train(learnt, tmp_path / "out", tiny, "--held-out", str(apart))
    assert "hold no words" in _refused(capsys, code)


def test_the_card_depends_on_what_was_trained_alone() -> None:
    none = Headline(**{each.name: None for each in fields(Headline)})
    figures = replace(none, redact_recall=0.98765)
    facts = TrainingRun(
        encoder="e",
        files=("a", "b"),
        notes=1234,
        spans=5,
        held_out_notes=6,
        held_out_spans=7,
        window=8,
        shapes=False,
        how=FitPlan(),
        figures=figures,
        digest="d" * 64,
    )
    text = write_card(facts)
    assert write_card(facts) == text
    assert "1,234 notes with 5 spans in `a`, `b`" in text
    assert "recall 0.988, of direct identifiers none" in text
    assert "d" * 64 in text
    assert "token types: no" in text
