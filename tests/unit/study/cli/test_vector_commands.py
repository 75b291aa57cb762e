import argparse
from pathlib import Path

import orjson
import pytest

from deidstream.agents.cli.main import REFUSED, USAGE, main, parser
from deidstream.models.checked_folder import DIGEST
from deidstream.models.kneo.words.word_vectors import WordModel, load_word_vectors
from deidstream.study.cli.vector_commands import choose_plan
from deidstream.study.vectors.fit_vectors import VectorPlan

SMALL = ("--dimension", "8", "--epochs", "2", "--min-count", "1")


def parsed(*flags: str) -> argparse.Namespace:
    return parser().parse_args(["vectors", "train", "a.jsonl", "--out", "out", *flags])


def test_the_default_is_that_of_the_paper() -> None:
    assert choose_plan(parsed()) == VectorPlan(256, 15, 1, 5, 100, skip_gram=False)


def test_the_other_preset_is_that_of_the_other_paper() -> None:
    plan = choose_plan(parsed("--preset", "abdalla"))
    assert (plan.dimension, plan.window, plan.negative, plan.skip_gram) == (100, 5, 5, False)


@pytest.mark.parametrize("preset", ["alves", "abdalla"])
def test_a_flag_outweighs_the_preset(preset: str) -> None:
    flags = ("--dimension", "7", "--window", "2", "--min-count", "9", "--negative", "3")
    more = ("--epochs", "4", "--skip-gram", "--seed", "5", "--ngrams", "11")
    plan = choose_plan(parsed("--preset", preset, *flags, *more))
    assert plan == VectorPlan(7, 2, 9, 3, 4, skip_gram=True, ngrams=11, seed=5)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "notes.jsonl"
    lines = [
        {"note_id": "1", "patient_id": "a", "text": "[PATIENT] denies chest pain and cough"},
        {"note_id": "2", "patient_id": "b", "text": "she denies pain and cough today"},
    ]
    path.write_bytes(b"\n".join(map(orjson.dumps, lines)))
    return path


@pytest.mark.parametrize("kind", WordModel)
def test_vectors_are_learnt_from_notes(
    notes: Path, tmp_path: Path, kind: WordModel, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        flags = ("--out", str(folder), "--kind", kind, *SMALL)
        assert main(["vectors", "train", str(notes), *flags]) == 0
    made = load_word_vectors(folders[0])
    assert sorted(made.words) == ["and", "cough", "denies", "pain"]
    assert (made.facts.model, made.facts.dimension) == (kind, 8)
    assert (folders[0] / DIGEST).read_text() == (folders[1] / DIGEST).read_text()
    assert made.digest[:12] in capsys.readouterr().err


def test_a_folder_of_marked_notes_is_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in "ab":
        (tmp_path / "in" / f"{name}.txt").write_text("\n[[PATIENT|Bo]] denies pain and cough")
    arguments = [str(tmp_path / "in"), "--out", str(tmp_path / "out"), *SMALL]
    assert main(["vectors", "train", *arguments]) == 0
    assert "bo" not in load_word_vectors(tmp_path / "out").words


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"text": 1, "patient_id": "a"}', b'{"text": "x"}'])
def test_a_line_that_is_no_note_is_refused(
    notes: Path, tmp_path: Path, line: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    notes.write_bytes(notes.read_bytes() + b"\n" + line)
    assert main(["vectors", "train", str(notes), "--out", str(tmp_path / "out")]) == REFUSED
    said = capsys.readouterr().err
    assert "line 3" in said
    assert "denies" not in said


def test_notes_without_common_words_are_refused(notes: Path, tmp_path: Path) -> None:
    flags = ("--out", str(tmp_path / "out"), "--min-patients", "3")
    assert main(["vectors", "train", str(notes), *flags]) == REFUSED


def test_an_unknown_kind_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as raised:
        parsed("--kind", "glove", "--out", str(tmp_path))
    assert raised.value.code == USAGE
