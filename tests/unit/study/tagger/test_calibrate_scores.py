"""``deidstream calibrate``: weights beside the tagger, from notes that are given."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.models.detection.calibration import CALIBRATION, Calibration
from deidstream.models.neural.weights import DIGEST, digest
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.tagger import calibrate_scores

RIGHT, WRONG = "Seen by [[DOCTOR|Quillon]] here.", "Seen by Quillon here."


@dataclass(frozen=True, slots=True)
class Finds:
    """Finds the same name in every note."""

    name: str = "tagger"

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        return [(Span(8, 15, PhiLabel.DOCTOR, 0.99, "tagger"),) for _ in notes]


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def load(*_: object) -> tuple[tuple[Finds], None]:
        return (Finds(),), None

    monkeypatch.setattr(calibrate_scores, "load_recognizers", load)
    folder = tmp_path / "marked"
    folder.mkdir()
    for place in range(40):
        (folder / f"{place:02}.txt").write_text(WRONG if place % 4 < 2 else RIGHT)
    return folder


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    (folder / DIGEST).write_text(digest(folder) + "\n")
    (folder / "README.md").write_text(f"Digest `{digest(folder)}`.\n")
    return folder


def test_weights_are_written_and_the_digest_follows(
    notes: Path, checkpoint: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(notes), "--out", str(checkpoint)]) == 0
    span = Finds().recognize([RawNote("", "", "")])[0]
    (calibrated,) = Calibration.read(checkpoint).calibrate("2 May 2025", span, span)
    assert calibrated.score == pytest.approx(0.5, abs=0.02)
    assert (checkpoint / DIGEST).read_text().strip() == digest(checkpoint)
    assert digest(checkpoint) in (checkpoint / "README.md").read_text()
    made = json.loads((checkpoint / CALIBRATION).read_text())
    assert (made["notes"], made["spans"]) == (40, 40)
    assert "before 0.490, after 0.0" in capsys.readouterr().err


def test_a_span_is_judged_where_the_note_has_it_as_it_is_written(
    notes: Path, checkpoint: Path
) -> None:
    for file in notes.iterdir():
        # Read as "Seen by Quillon here.", which is so much shorter that no name is where it was.
        file.write_text(file.read_text().replace("Se", "&#83;&#101;"))
    assert main(["calibrate", str(notes), "--out", str(checkpoint)]) == 0
    span = Finds().recognize([RawNote("", "", "")])[0]
    (calibrated,) = Calibration.read(checkpoint).calibrate("2 May 2025", span, span)
    assert calibrated.score == pytest.approx(0.5, abs=0.02)


def test_notes_of_one_kind_are_refused(
    notes: Path, checkpoint: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in notes.iterdir():
        file.write_text(RIGHT)
    assert main(["calibrate", str(notes), "--out", str(checkpoint)]) == 78
    assert "too few notes" in capsys.readouterr().err
    assert not (checkpoint / CALIBRATION).exists()


def test_labelled_lines_are_read_too(notes: Path, checkpoint: Path, tmp_path: Path) -> None:
    lines = tmp_path / "notes.jsonl"
    spans = [{"start": 8, "end": 15, "type": "DOCTOR"}]
    record = {"patient_id": "p", "text": WRONG, "spans": spans}
    numbered = [json.dumps(record | {"note_id": str(place)}) for place in range(9)]
    lines.write_text("\n".join(numbered) + "\n")
    assert main(["calibrate", str(notes), str(lines), "--out", str(checkpoint)]) == 0
    assert json.loads((checkpoint / CALIBRATION).read_text())["notes"] == 49
