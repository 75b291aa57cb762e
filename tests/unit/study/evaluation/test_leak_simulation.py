"""``deidstream simulate leaks``: its tables and JSON, which hold no text of a note."""

import json
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote, encode_labelled
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span

NAME = "Vanterpool"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    text = f"{NAME} came. {NAME} left."
    spans = tuple(Span(at, at + len(NAME), PhiLabel.PATIENT) for at in (0, 17))
    made = [LabelledNote(RawNote(f"n{n}", f"P{n}", text), spans) for n in range(20)]
    path.write_bytes(b"\n".join(map(encode_labelled, made)))
    return path


def test_tables_and_json_agree(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = notes.parent / "out.json"
    flags = ["--misses", "0.5,0.1", "--rounds", "3", "--seed", "4", "--json", str(out)]
    assert main(["simulate", "leaks", str(notes), *flags]) == 0
    shown = capsys.readouterr().out
    assert "20 documents of 20 patients, 40 mentions" in shown
    assert "10.0%" in shown
    assert max(map(len, shown.splitlines())) <= 80
    record = json.loads(out.read_text())
    assert (record["misses"], record["rounds"], record["seed"]) == ([0.1, 0.5], 3, 4)
    assert NAME not in shown + out.read_text()
    figure = next(
        share
        for share in record["shares"]
        if (share["sweep"], share["miss"], share["reading"], share["scope"], share["label"])
        == (False, 0.5, "document", "patient", None)
    )
    share, low, high = (100 * figure[name] for name in ("share", "low", "high"))
    assert f"{share:.1f} ({low:.1f}-{high:.1f})" in shown
    assert figure["low"] <= figure["told"] / 20 <= figure["high"]


def test_lines_that_cannot_be_read_are_told(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes.write_bytes(notes.read_bytes() + b'\n{"text": "' + NAME.encode() + b'"}\n')
    assert main(["simulate", "leaks", str(notes), "--rounds", "1"]) == 1
    said = capsys.readouterr().err
    assert "1 x MISSING_FIELD" in said
    assert NAME not in said


def test_nothing_to_simulate_is_refused(notes: Path) -> None:
    assert main(["simulate", "leaks", str(notes), "--label", "SSN"]) == 78
    assert main(["simulate", "leaks", str(notes.parent / "none.jsonl")]) == 78


@pytest.mark.parametrize("flags", [["--misses", "2"], ["--misses", "x"], ["--rounds", "0"]])
def test_wrong_figures_are_wrong_usage(notes: Path, flags: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["simulate", "leaks", str(notes), *flags])
    assert caught.value.code == 64


def test_a_wrong_label_is_told_with_those_there_are(
    notes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "leaks", str(notes), "--label", "FOO"])
    said = capsys.readouterr().err
    assert "'FOO' (choose from 'PATIENT', 'DOCTOR'," in said
    assert "PhiLabel" not in said
