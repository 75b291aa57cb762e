"""``deidstream attack parrot``: by gold spans and by audit, and what it refuses."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from deidstream.agents.cli.main import main
from deidstream.study.attacks.parrot import FEWEST

PATIENTS = 2 * FEWEST
NAMES = random.Random(7)

AUDIT = (
    '{"note_id": "n0", "text": "Vane", "replacements": [{"start": 4, "end": 5, "label": "DOCTOR", '
    '"out_start": %d, "out_end": %d}]}'
)


def names(letters: str) -> list[str]:
    return ["".join(NAMES.choices(letters, k=8)).title() for _ in range(PATIENTS)]


REAL = names("aeiourst")


def text(name: str) -> str:
    return f"Dr. {name} saw the patient again."


def write(path: Path, rows: Sequence[object]) -> None:
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")


def write_files(folder: Path, surrogates: Sequence[str]) -> None:
    pairs = list(enumerate(zip(REAL, surrogates, strict=True)))
    ids = [{"note_id": f"n{n}", "patient_id": f"p{n}"} for n, _ in pairs]
    gold = [[{"start": 4, "end": 4 + len(real), "type": "DOCTOR"}] for real in REAL]
    write(
        folder / "in.jsonl",
        [{**i, "text": text(r), "spans": g} for i, r, g in zip(ids, REAL, gold, strict=True)],
    )
    write(
        folder / "out.jsonl",
        [{**i, "text": text(s)} for i, s in zip(ids, surrogates, strict=True)],
    )
    ends = [
        {"start": 4, "end": 4 + len(r), "label": "DOCTOR", "out_start": 4, "out_end": 4 + len(s)}
        for r, s in zip(REAL, surrogates, strict=True)
    ]
    audits = [
        {"note_id": f"n{n}", "text": text(s), "replacements": [ends[n]]} for n, (_, s) in pairs
    ]
    write(folder / "audit.jsonl", audits[::-1])


def run(folder: Path, outputs: str = "out.jsonl", *flags: str) -> dict[str, float]:
    record = folder / "a.json"
    paths = [str(folder / name) for name in ("in.jsonl", outputs)]
    assert main(["attack", "parrot", *paths, "--json", str(record), *flags]) == 0
    label = json.loads(record.read_text())["labels"]["DOCTOR"]
    return {**label, **(label["told_apart"] or {})}


def test_surrogates_of_other_letters_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, names("aeioukzw"))
    found = run(tmp_path, "out.jsonl", "--plot", str(tmp_path / "a.svg"))
    shown = capsys.readouterr().out
    assert found["auc"] > 0.9
    assert found["exchanged"] == PATIENTS
    (row,) = (line.split() for line in shown.splitlines() if line.startswith("DOCTOR"))
    assert float(row[1]) == pytest.approx(found["auc"], abs=0.001)
    assert row[3:] == [str(PATIENTS), "0", "0", "0"]
    plot = (tmp_path / "a.svg").read_text()
    assert ET.fromstring(plot).tag.endswith("svg")  # noqa: S314
    everything = shown + plot + (tmp_path / "a.json").read_text()
    assert not [name for name in REAL if name in everything]
    assert "p17" not in everything


def test_surrogates_of_the_same_letters_are_not(tmp_path: Path) -> None:
    write_files(tmp_path, names("aeiourst"))
    found = run(tmp_path)
    assert found["low"] < 0.5 < found["high"]


def test_the_audit_says_the_same_as_the_gold(tmp_path: Path) -> None:
    write_files(tmp_path, names("aeiokstu"))
    assert run(tmp_path, "audit.jsonl", "--audit") == run(tmp_path)


def test_what_is_no_surrogate_is_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, [REAL[0], *["[DOCTOR]"] * (PATIENTS - 2), ""])
    found = run(tmp_path)
    assert (found["exchanged"], found["kept"], found["labelled"]) == (0, 1, PATIENTS - 1)
    assert found["told_apart"] is None
    assert "DOCTOR    -     -          0     1        39     0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("in.jsonl", '{"note_id": "n", "text": "Vanterpool"}'),
        ("out.jsonl", '["Vanterpool"]'),
        ("audit.jsonl", '{"note_id": "Vanterpool", "text": "a", "replacements": []}'),
        ("audit.jsonl", '{"note_id": "n0", "text": "Vanterpool"}'),
        ("audit.jsonl", AUDIT % (9, 4)),
        ("audit.jsonl", AUDIT % (0, 5)),
        (
            "audit.jsonl",
            '{"note_id": "n0", "text": "a", "replacements": [{"start": 0, "end": 1}]}',
        ),
        ("audit.jsonl", "Vanterpool"),
    ],
)
def test_a_bad_line_is_named_without_its_text(
    tmp_path: Path, name: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_files(tmp_path, REAL)
    lines = (tmp_path / name).read_text().splitlines()
    (tmp_path / name).write_text("\n".join([*lines[:2], line, *lines[2:]]))
    audit = name == "audit.jsonl"
    paths = [str(tmp_path / "in.jsonl"), str(tmp_path / ("audit.jsonl" if audit else "out.jsonl"))]
    assert main(["attack", "parrot", *paths, *["--audit"] * audit]) == 78
    said = capsys.readouterr().err
    assert f"{name}: line 3: " in said
    assert "Vanterpool" not in said


def test_an_audit_needs_no_pairs(tmp_path: Path) -> None:
    write_files(tmp_path, REAL)
    with pytest.raises(SystemExit) as caught:
        run(tmp_path, "audit.jsonl", "--audit", "--pairs", str(tmp_path / "pairs"))
    assert caught.value.code == 64
