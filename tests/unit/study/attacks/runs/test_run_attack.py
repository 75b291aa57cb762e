"""``deidstream attack``: its table, JSON and plot, and what it refuses."""

import json
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime import load_embedder
from support.embedding import HashEmbedder

NAME = "Vanterpool"
TEXTS = (
    f"{NAME} has a cough. Lungs are clear.",
    "Left knee pain. No fever.",
    "Chest pain since Monday. He smokes.",
    "Rash of both hands. Stable.",
)
LIKENESSES = ("jaccard", "tfidf", "dense", "align")


@pytest.fixture(autouse=True)
def _small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_settings: object) -> HashEmbedder:
        return HashEmbedder()

    monkeypatch.setattr(load_embedder, "load_embedder", load)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "in.jsonl", TEXTS, "n")
    write(tmp_path / "out.jsonl", TEXTS, "pseudonym-")
    return tmp_path


def write(path: Path, texts: Sequence[str], prefix: str) -> None:
    notes = [
        {"note_id": f"{prefix}{number}", "patient_id": "P", "text": text}
        for number, text in enumerate(texts)
    ]
    path.write_text("\n".join(map(json.dumps, notes)) + "\n")


def run(folder: Path, *flags: str, likeness: str = "jaccard") -> int:
    return main(["attack", likeness, str(folder / "in.jsonl"), str(folder / "out.jsonl"), *flags])


@pytest.mark.parametrize("likeness", LIKENESSES)
def test_table_json_and_plot_agree(
    folder: Path, likeness: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "out.jsonl", [TEXTS[0], *TEXTS[2:0:-1], TEXTS[3]], "pseudonym-")
    record, plot = folder / "a.json", folder / "a.svg"
    assert run(folder, "--json", str(record), "--plot", str(plot), likeness=likeness) == 0
    shown = capsys.readouterr().out
    figures = json.loads(record.read_text())
    assert (figures["attack"], figures["pairing"]) == (likeness, "line order")
    assert figures["ranks"][0] == figures["ranks"][3] == 1
    found = figures["found_at_1"]
    assert (found["outputs"], found["share"]) == (2, 0.5)
    assert f"0.500  {found['low']:.3f}-{found['high']:.3f}" in shown
    assert f"{figures['mean_reciprocal_rank']:.3f}" in shown
    assert (figures["embedder"] == "hash-embedder") == (likeness in ("dense", "align"))
    assert ET.fromstring(plot.read_text()).tag.endswith("svg")  # noqa: S314
    assert NAME not in shown + record.read_text() + plot.read_text()


def test_pairs_name_the_originals(folder: Path) -> None:
    write(folder / "out.jsonl", [*TEXTS[::-1], TEXTS[1]], "pseudonym-")
    lines = [f"pseudonym-{number}\tn{original}" for number, original in enumerate((3, 2, 1, 0, 1))]
    (folder / "pairs").write_text("\n".join(lines[::-1]))
    flags = ("--pairs", str(folder / "pairs"), "--json", str(folder / "a.json"))
    assert run(folder, *flags) == 0
    record = json.loads((folder / "a.json").read_text())
    assert (record["ranks"], record["pairing"]) == ([1] * 5, "pairs")


def test_further_candidates_count_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder / "more.jsonl", [*TEXTS, "Seen for a fall."], "n")
    flags = ("--candidates", str(folder / "more.jsonl"), "--json", str(folder / "a.json"))
    assert run(folder, *flags) == 0
    assert "4 of the further candidates are originals" in capsys.readouterr().err
    record = json.loads((folder / "a.json").read_text())
    assert record["counts"] == {"outputs": 4, "originals": 4, "candidates": 5}
    assert record["tied"] == 0


def test_other_counts_without_pairs_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "out.jsonl", TEXTS[1:], "pseudonym-")
    assert run(folder) == 78
    said = capsys.readouterr().err
    assert "holds 4 notes" in said
    assert "--pairs" in said


@pytest.mark.parametrize("name", ["in.jsonl", "out.jsonl"])
@pytest.mark.parametrize("line", [f'{{"text": "{NAME}"}}', f'{{"{NAME}', f'["{NAME}"]'])
def test_a_bad_line_is_named_without_its_text(
    folder: Path, name: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (folder / name).read_text().splitlines()
    (folder / name).write_text("\n".join([*lines[:2], line, *lines[2:]]))
    assert run(folder) == 78
    said = capsys.readouterr().err
    assert f"{name}: line 3: " in said
    assert NAME not in said


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ("pseudonym-0 n0", "line 1: must be two note ids"),
        ("pseudonym-0\tn0\n\nVanterpool\tn1", "line 3: its first id is not one of"),
        ("pseudonym-0\tVanterpool", "line 1: its second id is not one of"),
        ("pseudonym-0\tn0\npseudonym-0\tn1", "line 2: its first id is repeated"),
        ("pseudonym-0\tn0", "3 notes of"),
    ],
)
def test_wrong_pairs_are_refused(
    folder: Path, pairs: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "pairs").write_text(pairs)
    assert run(folder, "--pairs", str(folder / "pairs")) == 78
    said = capsys.readouterr().err
    assert why in said
    assert NAME not in said


def test_ids_that_pairs_cannot_tell_apart_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (folder / "in.jsonl").read_text()
    (folder / "in.jsonl").write_text(text.replace('"n1"', '"n0"'))
    (folder / "pairs").write_text("pseudonym-0\tn0")
    assert run(folder, "--pairs", str(folder / "pairs")) == 78
    assert "1 note ids are repeated" in capsys.readouterr().err


def test_what_cannot_be_read_or_written_is_refused(folder: Path) -> None:
    assert run(folder, "--json", str(folder / "none" / "a.json")) == 78
    assert run(folder, "--candidates", str(folder / "none.jsonl")) == 78
    (folder / "out.jsonl").write_text("\n")
    assert run(folder) == 78


def test_an_unknown_attack_is_wrong_usage(folder: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        run(folder, likeness="guess")
    assert caught.value.code == 64


def test_sentences_are_compared_by_words_too(folder: Path) -> None:
    flags = ("--by", "words", "--json", str(folder / "a.json"))
    assert run(folder, *flags, likeness="align") == 0
    record = json.loads((folder / "a.json").read_text())
    assert (record["attack"], record["embedder"]) == ("align-words", None)
    assert record["ranks"] == [1] * 4
