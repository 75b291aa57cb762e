"""``deidstream attack kneo-average``: releases give away what one hides, replays give no more."""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime import load_embedder
from support.embedding import HashEmbedder

DRAWS = random.Random(21)
WORDS = [f"w{number}" for number in range(400)]
ORIGINALS = [" ".join(DRAWS.choices(WORDS, k=30)) for _ in range(40)]


@pytest.fixture(autouse=True)
def _small_embedder(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_settings: object) -> HashEmbedder:
        return HashEmbedder()

    monkeypatch.setattr(load_embedder, "load_embedder", load)


def write(path: Path, texts: Sequence[str]) -> None:
    rows = [
        {"note_id": f"n{number}", "patient_id": "P", "text": text}
        for number, text in enumerate(texts)
    ]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n")


def write_releases(folder: Path, become: Callable[[str], str], releases: int) -> None:
    write(folder / "in.jsonl", ORIGINALS)
    for number in range(releases):
        outputs = [" ".join(map(become, text.split())) for text in ORIGINALS]
        write(folder / f"out{number}.jsonl", outputs)


def some_words(word: str) -> str:
    return word if DRAWS.random() < 0.12 else DRAWS.choice(WORDS)


def other_words(_word: str) -> str:
    return DRAWS.choice(WORDS)


def run(folder: Path, outputs: Sequence[int], by: str) -> dict[str, Any]:
    paths = [str(folder / f"out{number}.jsonl") for number in outputs]
    report = ["--json", str(folder / "a.json"), "--plot", str(folder / "a.svg")]
    given = [str(folder / "in.jsonl"), *paths, "--by", by, *report]
    assert main(["attack", "kneo-average", *given]) == 0
    return {**json.loads((folder / "a.json").read_text())}


def shares(record: dict[str, Any]) -> list[float]:
    return [row["found_at_1"]["share"] for row in record["rows"]]


@pytest.mark.parametrize("by", ["tfidf", "dense"])
def test_more_releases_give_more_away(
    tmp_path: Path, by: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write_releases(tmp_path, some_words, 8)
    record = run(tmp_path, range(8), by)
    assert [row["releases"] for row in record["rows"]] == [1, 2, 4, 8]
    assert record["rows"][3]["distinct_outputs"] == 8
    found = shares(record)
    assert found[0] < 0.7
    assert found[3] > found[0] + 0.25
    plot = (tmp_path / "a.svg").read_text()
    assert ET.fromstring(plot).tag.endswith("svg")  # noqa: S314
    everything = capsys.readouterr().out + plot + (tmp_path / "a.json").read_text()
    assert not [word for word in ORIGINALS[0].split() if word in everything.split()]


def test_what_every_release_keeps_gives_it_away(tmp_path: Path) -> None:
    kept = set(DRAWS.sample(WORDS, 120))
    write_releases(tmp_path, lambda word: word if word in kept else DRAWS.choice(WORDS), 4)
    assert shares(run(tmp_path, range(4), "common"))[-1] > 0.9


@pytest.mark.parametrize("by", ["tfidf", "dense", "common"])
def test_other_texts_give_nothing_away(tmp_path: Path, by: str) -> None:
    write_releases(tmp_path, other_words, 4)
    assert max(shares(run(tmp_path, range(4), by))) < 0.3


def test_replays_give_no_more_than_one(tmp_path: Path) -> None:
    write_releases(tmp_path, some_words, 1)
    record = run(tmp_path, [0, 0, 0, 0], "dense")
    assert [row["distinct_outputs"] for row in record["rows"]] == [1, 1, 1]
    assert len(set(shares(record))) == 1
    assert record["rows"][0]["ranks"] == record["rows"][2]["ranks"]


def test_one_release_and_one_that_lacks_a_note_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_releases(tmp_path, some_words, 2)
    paths = [str(tmp_path / name) for name in ("in.jsonl", "out0.jsonl", "out1.jsonl")]
    assert main(["attack", "kneo-average", *paths[:2]]) == 78
    assert "two files of outputs" in capsys.readouterr().err
    lines = (tmp_path / "out1.jsonl").read_text().splitlines()
    (tmp_path / "out1.jsonl").write_text("\n".join(lines[1:]))
    assert main(["attack", "kneo-average", *paths]) == 78
    assert "line n of one must be line n of the other" in capsys.readouterr().err
    (tmp_path / "out1.jsonl").write_text("\n".join([lines[0], "Vanterpool", *lines[2:]]))
    assert main(["attack", "kneo-average", *paths]) == 78
    said = capsys.readouterr().err
    assert "out1.jsonl: line 2: " in said
    assert "Vanterpool" not in said
