"""``deidstream attack partial``: a few sentences find an unchanged note, and no other text."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main

DRAWS = random.Random(2)
WORDS = [f"w{number}" for number in range(500)]


def notes() -> list[str]:
    return [
        "\n\n".join(" ".join(DRAWS.choices(WORDS, k=6)).capitalize() + "." for _ in range(10))
        for _ in range(30)
    ]


ORIGINALS = notes()


def write(path: Path, texts: Sequence[str], prefix: str) -> None:
    rows = [
        {"note_id": f"{prefix}{number}", "patient_id": "P", "text": text}
        for number, text in enumerate(texts)
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")


def run(folder: Path, outputs: Sequence[str], *flags: str) -> dict[str, object]:
    write(folder / "in.jsonl", ORIGINALS, "n")
    write(folder / "out.jsonl", outputs, "o")
    paths = [str(folder / name) for name in ("in.jsonl", "out.jsonl", "a.json", "a.svg")]
    report = ["--json", paths[2], "--plot", paths[3]]
    assert main(["attack", "partial", *paths[:2], *report, *flags]) == 0
    return {**json.loads((folder / "a.json").read_text())}


def test_what_kept_its_words_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = run(tmp_path, ["\n\n".join(text.split("\n\n")[::-1]) for text in ORIGINALS])
    assert record["ranks"] == [1] * 30
    assert (record["sentences"], record["with_fewer_sentences"]) == (3, 0)
    shown = capsys.readouterr().out
    assert "from 3 sentences each" in shown
    everything = shown + (tmp_path / "a.json").read_text() + (tmp_path / "a.svg").read_text()
    assert not [word for word in ORIGINALS[0].split() if word in everything.split()]


def test_other_texts_are_not(tmp_path: Path) -> None:
    ranks = run(tmp_path, notes())["ranks"]
    assert isinstance(ranks, list)
    assert ranks.count(1) < 10


def test_the_seed_draws_other_sentences(tmp_path: Path) -> None:
    outputs = [text.split("\n\n", 1)[0] for text in ORIGINALS]
    ranks = [run(tmp_path, outputs, "--seed", seed, "--sentences", "2") for seed in "0123"]
    assert len({str(record["ranks"]) for record in ranks}) > 1
    assert run(tmp_path, outputs, "--seed", "0", "--sentences", "2") == ranks[0]


def test_a_note_that_is_shorter_is_counted(tmp_path: Path) -> None:
    assert run(tmp_path, ORIGINALS, "--sentences", "11")["with_fewer_sentences"] == 30


def test_pairs_name_the_originals(tmp_path: Path) -> None:
    write(tmp_path / "in.jsonl", ORIGINALS, "n")
    (tmp_path / "pairs").write_text("\n".join(f"o{n}\tn{29 - n}" for n in range(30)))
    assert run(tmp_path, ORIGINALS[::-1], "--pairs", str(tmp_path / "pairs"))["ranks"] == [1] * 30
