"""A small study from the command line to its page: it goes on, and shows no text of notes."""

import json
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.models.neural.weights import shipped_tagger, shipped_tagger_digest
from deidstream.study.techniques.mask_numbers import MaskNumbers

pytestmark = pytest.mark.slow
FLAGS = ["--notes", "24", "--techniques", "plain", "MNr", "ShS", "Ag 2"]


def _run(out: Path, *more: str) -> None:
    assert main(["study", "--out", str(out), *FLAGS, *more]) == 0


def test_a_study_is_written_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "study"
    _run(out, "--measures", "SMR", "F1")
    cells = json.loads((out / "cells.json").read_bytes())
    learnt = ("F1", "F1 of outputs", "F1 vectors", "F1 vectors of outputs")
    expected = [name for one in learnt for name in (one, f"{one} change")]
    assert list(cells["figures"]["plain"]) == ["SMR", *expected]
    assert cells["figures"]["plain"]["SMR"]["value"] == 0
    # What is there is not made again.
    with monkeypatch.context() as patch:
        patch.setattr(MaskNumbers, "anonymize", None)
        _run(out, "--measures", "SMR", "F1")
    _run(out)
    record = json.loads((out / "study.json").read_bytes())
    by_name = {each["name"]: each for each in record["techniques"]}
    assert list(by_name) == ["plain", "MNr", "ShS", "Ag 2"]
    assert by_name["plain"]["figures"]["found, words"]["value"] == 1
    assert by_name["ShS"]["figures"]["a-o"]["value"] == 1
    assert by_name["Ag 2"]["outputs"] < 13
    # Nothing was recognized, so everything was overlooked; one that is a part of a word is lost.
    survivors = {name: each["figures"]["survivors"]["value"] for name, each in by_name.items()}
    assert min(survivors["plain"], survivors["Ag 2"]) > 0.98
    assert 0 < survivors["MNr"] < 0.9
    assert 0 < by_name["MNr"]["figures"]["SMR"]["value"] < 1
    page = (out / "study.html").read_text()
    assert page.count("<svg") == 4
    assert "<script" not in page
    for held in (page, (out / "study.json").read_text(), (out / "cells.json").read_text()):
        assert "Achterberg" not in held


def test_another_seed_is_another_study(tmp_path: Path) -> None:
    out = tmp_path / "study"
    _run(out, "--measures", "SMR")
    before = json.loads((out / "study.json").read_bytes())
    _run(out, "--measures", "SMR", "--seed", "2")
    after = json.loads((out / "study.json").read_bytes())
    assert before["settings"]["corpus"] != after["settings"]["corpus"]


def test_a_second_tagger_is_named_beside_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "study"
    monkeypatch.setenv("DEIDSTREAM_TAGGER_SECOND", str(shipped_tagger("fast")))
    wanted = ["--notes", "4", "--techniques", "plain", "--measures", "SMR"]
    assert main(["study", "--out", str(out), *wanted]) == 0
    models = json.loads((out / "study.json").read_bytes())["settings"]["models"]
    assert models["second tagger"] == shipped_tagger_digest("fast") != models["tagger"]


def test_an_unknown_technique_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "--out", str(tmp_path / "study"), "--techniques", "magic"]) == 78
    assert "--techniques: magic is not one of plain, DeI" in capsys.readouterr().err
    assert not (tmp_path / "study").exists()


def test_the_folder_of_the_study_must_have_a_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "--out", str(tmp_path / "absent" / "study")]) == 78
    assert "cannot be made" in capsys.readouterr().err
