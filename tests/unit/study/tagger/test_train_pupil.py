"""``deidstream train --teacher``: a smaller checkpoint that can be loaded."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from deidstream.agents.cli.main import main
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.label import PhiLabel
from deidstream.study.tagger.distill import begin_pupil
from deidstream.study.tagger.start import save, start
from support.checkpoints import encoder

pytestmark = pytest.mark.usefixtures("one_thread")

FLAGS = (
    *("--epochs", "1", "--learning-rate", "1e-3", "--window", "32", "--batch-windows", "8"),
    *("--device", "cpu", "--held-out-share", "0.3"),
)


@pytest.fixture(scope="module")
def teacher(tmp_path_factory: pytest.TempPathFactory) -> Path:
    plain = encoder(tmp_path_factory.mktemp("plain"))
    folder = tmp_path_factory.mktemp("models") / "large"
    save(start(plain, seed=3), plain, folder)
    return folder


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    lines = [
        json.dumps(
            {
                "note_id": f"note-{at}",
                "patient_id": f"patient-{at}",
                "text": "Seen Okonedo today",
                "spans": [{"start": 5, "end": 12, "type": "PATIENT"}],
            }
        )
        for at in range(12)
    ]
    path = tmp_path / "notes.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_smaller_tagger_learns_from_a_larger_one(
    teacher: Path, notes: Path, tmp_path: Path
) -> None:
    out = tmp_path / "small"
    taught = ("--teacher", str(teacher), "--layers", "1")
    assert main(["train", str(notes), "--out", str(out), *FLAGS, *taught]) == 0
    config = json.loads((out / "config.json").read_text())
    assert config["num_hidden_layers"] == 1
    assert config["phi_thresholds"].keys() == set(PhiLabel)
    assert "layers 1 of large, and taught by it" in (out / "README.md").read_text()
    assert Tagger.load(
        str(out),
        settings=TaggerOptions(window=32, overlap=2, run=EngineOptions(device="cpu", dtype="fp32")),
    ).shaped


def test_a_tagger_that_was_taught_is_taught_further(
    teacher: Path, notes: Path, tmp_path: Path
) -> None:
    small, out = tmp_path / "small", tmp_path / "better"
    pupil = begin_pupil(teacher, [1], seed=1)
    pupil.config.phi_thresholds = dict.fromkeys(PhiLabel, 0.2)
    save(pupil, teacher, small)
    taught = ("--teacher", str(teacher), "--pupil", str(small))
    assert main(["train", str(notes), "--out", str(out), *FLAGS, *taught]) == 0
    assert "small, and taught further by large" in (out / "README.md").read_text()
    before, after = (load_file(folder / "model.safetensors") for folder in (small, out))
    assert before.keys() == after.keys()
    words, head = "bert.embeddings.word_embeddings.weight", "classifier.weight"
    assert torch.equal(before[words], after[words])
    assert not torch.equal(before[head], after[head])


def test_a_teacher_without_layers_is_refused(
    teacher: Path, notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["train", str(notes), "--out", str(tmp_path / "x"), *FLAGS]
    layers, pupil = ["--layers", "0"], ["--pupil", str(teacher)]
    for part in (
        *(["--teacher", str(teacher)], layers, pupil, [*layers, *pupil]),
        ["--teacher", str(teacher), *layers, *pupil],
    ):
        assert main([*flags, *part]) == 78
        said = capsys.readouterr().err
        assert "a teacher goes with the layers" in said
        assert "Okonedo" not in said


def test_layers_are_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["train", "a.jsonl", "--out", "out", "--teacher", "t", "--layers", "first"])
    assert left.value.code == 64
    assert "usage" in capsys.readouterr().err
