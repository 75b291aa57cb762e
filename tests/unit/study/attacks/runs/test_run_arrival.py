"""``deidstream attack arrival``: one shift a patient is recovered; other days are not."""

import json
import random
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from deidstream.agents.cli.main import main

DRAWS = random.Random(8)
PATIENTS = 12


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")


def text(today: date, before: date) -> str:
    return f"Vanterpool was seen {before:%m/%d/%Y}, and again on {today:%B %d, %Y}."


def write_notes(folder: Path, moved: Callable[[int], int], *, states: bool = False) -> None:
    originals: list[dict[str, object]] = []
    outputs: list[dict[str, object]] = []
    for number in range(3 * PATIENTS):
        today = date(2024, 1, 1) + timedelta(days=DRAWS.randrange(200))
        before = today - timedelta(days=DRAWS.randrange(1, 90))
        shifts = [timedelta(days=moved(number // 3)) for _ in "12"]
        ids = {"note_id": f"n{number}", "patient_id": f"p{number // 3}"}
        written = f"{today.isoformat()}T08:30:00Z"
        originals.append({**ids, "authored_at": written, "text": text(today, before)})
        stated = {"authored_at": (today + shifts[0]).isoformat()} if states else {}
        outputs.append({**ids, **stated, "text": text(today + shifts[0], before + shifts[1])})
    write(folder / "in.jsonl", originals)
    write(folder / "out.jsonl", outputs)


def run(folder: Path) -> dict[str, Any]:
    paths = [str(folder / name) for name in ("in.jsonl", "out.jsonl", "a.json", "a.svg")]
    report = ["--json", paths[2], "--plot", paths[3]]
    assert main(["attack", "arrival", *paths[:2], *report]) == 0
    return {**json.loads((folder / "a.json").read_text())}


@pytest.mark.parametrize("states", [True, False])
def test_one_shift_for_a_patient_is_given_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, states: bool
) -> None:
    shifts = [DRAWS.randrange(-365, 366) for _ in range(PATIENTS)]
    write_notes(tmp_path, shifts.__getitem__, states=states)
    record = run(tmp_path)
    shown = capsys.readouterr().out
    assert record["within_0_days"]["share"] == 1
    assert record["patients"] == PATIENTS
    assert "arrival   1.000" in shown
    plot = (tmp_path / "a.svg").read_text()
    assert ET.fromstring(plot).tag.endswith("svg")  # noqa: S314
    everything = shown + plot + (tmp_path / "a.json").read_text()
    assert not [each for each in ("Vanterpool", "2024", "p3") if each in everything]


def test_days_that_move_each_by_its_own_are_not(tmp_path: Path) -> None:
    write_notes(tmp_path, lambda _: DRAWS.randrange(-365, 366))
    assert run(tmp_path)["within_0_days"]["share"] < 0.4


def test_originals_without_arrival_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path, lambda _: 1)
    lines = (tmp_path / "in.jsonl").read_text().replace("authored_at", "authored")
    (tmp_path / "in.jsonl").write_text(lines)
    paths = [str(tmp_path / name) for name in ("in.jsonl", "out.jsonl")]
    assert main(["attack", "arrival", *paths]) == 78
    assert "no note has authored_at" in capsys.readouterr().err


def test_a_moment_that_cannot_be_read_is_named_by_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path, lambda _: 1)
    lines = (tmp_path / "in.jsonl").read_text().splitlines()
    wrong = {**json.loads(lines[2]), "authored_at": "Vanterpool"}
    (tmp_path / "in.jsonl").write_text("\n".join([*lines[:2], json.dumps(wrong), *lines[3:]]))
    paths = [str(tmp_path / name) for name in ("in.jsonl", "out.jsonl")]
    assert main(["attack", "arrival", *paths]) == 78
    said = capsys.readouterr().err
    assert "in.jsonl: line 3: " in said
    assert "authored_at" in said
    assert "Vanterpool" not in said
