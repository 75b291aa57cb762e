"""``deidstream index build``: the whole way, with recognizers of our own and a hash embedder."""

from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest

from deidstream.agents.cli.main import main
from deidstream.models.kneo import index
from deidstream.models.recognizers.rules.recognizer import RulesRecognizer
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.pools import build_index
from support.embedding import HashEmbedder

TEXTS = [
    "PLAN\nSeen by Dr. Quillfeather on 3/4/2019 in the clinic. She sleeps well at night now.",
    "She sleeps well at night now. Her pain was worse on the left side.",
    "The wound was clean and dry. Call 212-555-0149 with questions about this.",
]


class Counted(RulesRecognizer):
    """Counts the texts that it reads."""

    read = 0

    def recognize(self, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
        Counted.read += len(notes)
        return RulesRecognizer.recognize(self, notes)


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    def load_recognizers(*_: object) -> tuple[tuple[Counted], None]:
        return (Counted(),), None

    def load_embedder(_: object) -> HashEmbedder:
        return HashEmbedder()

    monkeypatch.setattr(build_index, "load_recognizers", load_recognizers)
    monkeypatch.setattr(build_index, "load_embedder", load_embedder)
    path = tmp_path / "notes.jsonl"
    records = [
        {"note_id": f"n{n}", "patient_id": f"p{n}", "text": text} for n, text in enumerate(TEXTS)
    ]
    path.write_bytes(b"\n".join([*map(orjson.dumps, records), b"{"]))
    return path


def build(notes: Path, out: Path, *flags: str) -> int:
    return main(["index", "build", str(notes), "--out", str(out), *flags])


def test_an_index_is_built_and_says_how(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "index"
    assert build(notes, out) == 0
    made = index.load(out, HashEmbedder().digest)
    assert list(made.texts) == [
        "Seen by Dr. [DOCTOR] on [DATE] in the clinic.",
        "She sleeps well at night now.",
        "Her pain was worse on the left side.",
        "The wound was clean and dry.",
    ]
    assert made.donors.of(1) == ("p0", "p1")
    record = made.facts.build
    assert record["unreadable"] == {"BAD_JSON": 1}
    assert (record["notes"], record["with_slots"], record["same"]) == (3, 1, 1)
    shown = capsys.readouterr()
    assert "line 4: BAD_JSON" in shown.err
    assert "sentences admitted" in shown.out
    assert not any(word in shown.out + shown.err for word in ("Quillfeather", "sleeps"))


def test_a_second_build_gives_the_same_and_reads_what_was_kept(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "index"

    def stop(*_: object) -> HashEmbedder:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(build_index, "load_embedder", stop)
        assert build(notes, out) == 130
    Counted.read = 0
    assert build(notes, out) == 0
    assert Counted.read == 0
    again = tmp_path / "again"
    assert build(notes, again) == 0
    assert (out / "DIGEST").read_bytes() == (again / "DIGEST").read_bytes()
    assert {path.name for path in out.iterdir()} == {path.name for path in again.iterdir()}


def test_few_patients_leave_little(notes: Path, tmp_path: Path) -> None:
    assert build(notes, tmp_path / "index", "--min-donors", "2") == 0
    made = index.load(tmp_path / "index", HashEmbedder().digest)
    assert list(made.texts) == ["She sleeps well at night now."]
    assert build(notes, tmp_path / "none", "--min-donors", "3") == 78


def test_strict_refuses_bad_lines(
    notes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(notes, tmp_path / "index", "--strict") == 78
    assert "line 4" in capsys.readouterr().err
