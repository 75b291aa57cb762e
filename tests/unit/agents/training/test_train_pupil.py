"""``deidstream train --teacher``: a smaller checkpoint that can be loaded."""

import json
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.models.training.tagger.start import save, start
from deidstream.schemas.label import PhiLabel
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


def test_a_teacher_without_layers_is_refused(
    teacher: Path, notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["train", str(notes), "--out", str(tmp_path / "x"), *FLAGS]
    for half in (["--teacher", str(teacher)], ["--layers", "0"]):
        assert main([*flags, *half]) == 78
        said = capsys.readouterr().err
        assert "go together" in said
        assert "Okonedo" not in said


def test_layers_are_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["train", "a.jsonl", "--out", "out", "--teacher", "t", "--layers", "first"])
    assert left.value.code == 64
    assert "usage" in capsys.readouterr().err
