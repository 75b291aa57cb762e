"""``deidstream attack aware-words``: word KNEO is undone with its vectors, and only with them."""

import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from deidstream.agents.cli.main import main
from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.word_vectors import (
    WordFacts,
    WordModel,
    WordVectors,
    build_word_vectors,
    save_word_vectors,
)

DRAWS = random.Random(11)
# Unlike letters at every place, so that no word is a spelling variant of another.
WORDS = tuple("".join(DRAWS.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(300))
TEXTS = [" ".join(DRAWS.choices(WORDS, k=40)) for _ in range(12)]
DEGREE = 3


def vectors(seed: int) -> WordVectors:
    rows = np.random.default_rng(seed).normal(size=(len(WORDS), 16)).astype(np.float32)
    facts = WordFacts(WordModel.WORD2VEC, 16, len(WORDS), 0, 0, 0, {})
    return build_word_vectors(facts, WORDS, rows, np.zeros((0, 16), np.float32))


def write(path: Path, texts: Sequence[str]) -> None:
    notes = [
        {"note_id": f"n{number}", "patient_id": "P", "text": text}
        for number, text in enumerate(texts)
    ]
    path.write_text("\n".join(map(json.dumps, notes)) + "\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    near = NearWords(vectors(0))
    drawn = [
        " ".join(DRAWS.choice(near.of(word)[:DEGREE]) for word in text.split()) for text in TEXTS
    ]
    write(tmp_path / "in.jsonl", TEXTS)
    write(tmp_path / "out.jsonl", drawn)
    for seed in (0, 1):
        save_word_vectors(vectors(seed), tmp_path / f"v{seed}")
    return tmp_path


def run(folder: Path, *flags: str, vectors: str = "v0") -> int:
    paths = [str(folder / name) for name in ("in.jsonl", "out.jsonl")]
    degrees = ["--degree", str(DEGREE), "--degree-to", str(DEGREE)]
    named = ["--vectors", str(folder / vectors)]
    return main(["attack", "aware-words", *paths, *degrees, *named, *flags])


def read(folder: Path, vectors: str) -> dict[str, object]:
    record = folder / "a.json"
    assert run(folder, "--json", str(record), vectors=vectors) == 0
    return {**json.loads(record.read_text())}


def test_the_vectors_undo_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = read(folder, "v0")
    assert record["ranks"] == [1] * len(TEXTS)
    assert (record["degree"], record["degree_to"]) == (DEGREE, DEGREE)
    assert "aware-words    1.000" in capsys.readouterr().out


def test_other_vectors_do_not(folder: Path) -> None:
    ranks = read(folder, "v1")["ranks"]
    assert isinstance(ranks, list)
    assert ranks.count(1) < 6


def test_wrong_vectors_and_degrees_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, vectors="none") == 78
    assert run(folder, "--degree-to", "2") == 78
    assert "--degree-to must not be below --degree" in capsys.readouterr().err
