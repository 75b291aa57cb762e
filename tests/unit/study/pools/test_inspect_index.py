"""``deidstream index inspect``: checks an index, shows its figures, and no sentence unasked."""

from pathlib import Path

import orjson
import pytest

from deidstream.agents.cli.main import main
from deidstream.models.kneo import index
from support.embedding import HashEmbedder

TEXTS = [
    *(f"the quagga sleeps with complaint number {n}" for n in range(30)),
    "Seen by [DOCTOR] and [DOCTOR] in the clinic on [DATE] for the pain of his left foot",
    "Seen by [DOCTOR] and [DOCTOR] in the clinic on [DATE] for pain of his left foot",
    "seen by doctor and doctor in the clinic on date for the pain of his left foot",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    embedder = HashEmbedder()
    rows = embedder.embed(TEXTS)
    donors = [("a", "b") if n % 2 else "a" for n in range(len(TEXTS))]
    index.save(index.build(rows, TEXTS, donors, rows[:2], ("hash", "d")), tmp_path / "index")
    return tmp_path / "index"


def test_figures_are_shown_and_no_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record, plot = folder.parent / "figures.json", folder.parent / "plot.svg"
    assert main(["index", "inspect", str(folder), "--json", str(record), "--plot", str(plot)]) == 0
    shown = capsys.readouterr()
    assert "quagga" not in shown.out + shown.err + record.read_text() + plot.read_text()
    figures = orjson.loads(record.read_bytes())["figures"]
    assert (figures["with_slots"], figures["slots"]) == (2, {"DATE": 2, "DOCTOR": 4})
    assert (figures["donors"], figures["several"]) == (2, 16)
    assert (figures["same"], figures["similar"]) == (1, 1)
    assert sum(figures["lengths"]) == sum(figures["nearest"]) == figures["sampled"] == len(TEXTS)
    assert plot.read_text().startswith("<svg")


def test_sentences_are_shown_when_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["index", "inspect", str(folder), "--show", "3"]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("quagga") >= 2
    assert "de-identified text of patients" in shown.err


def test_a_damaged_index_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = bytearray((folder / "features.npy").read_bytes())
    content[-1] ^= 1
    (folder / "features.npy").write_bytes(content)
    assert main(["index", "inspect", str(folder)]) == 78
    assert "features.npy" in capsys.readouterr().err
