"""Notes that wait: sealed, in their order, and read under the same key and job alone."""

from pathlib import Path

import pytest

from deidstream.agents.archive import sealed_notes
from deidstream.agents.archive.sealed_notes import BucketWriter, Seal, read_bucket
from deidstream.agents.note_files.note_source import InputNote
from deidstream.schemas.documents.attachment import AttachmentFault
from deidstream.schemas.errors import MissingArtefact, NoteField, Reason, Stage
from deidstream.schemas.outcome import Failed

SEAL = Seal.of(bytes(range(32)), 1, "job")
UNREAD = Failed(Reason.UNSCANNABLE_ATTACHMENT, Stage.DECODE, fault=AttachmentFault.UNKNOWN_TYPE)
TORN = Failed(Reason.WRONG_TYPE, Stage.DECODE, field=NoteField.TEXT)
READ = [InputNote(n, b'{"text": "Achterberg %d"}' % n) for n in range(50)]
NOTES = [
    *READ,
    InputNote(50, UNREAD),
    InputNote(51, TORN),
    InputNote(1 << 40, b"\xff not UTF-8"),
]


def write(path: Path, seal: Seal = SEAL) -> None:
    writer = BucketWriter(seal)
    for note in NOTES:
        writer.add(3, path, note)
    writer.flush()
    assert writer.sizes[3] > 0


@pytest.fixture(autouse=True)
def _short_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed_notes, "_FRAME_BYTES", 200)


def test_notes_and_failures_come_back_in_their_order(tmp_path: Path) -> None:
    write(tmp_path / "bucket")
    assert [*read_bucket(tmp_path / "bucket", 3, SEAL)] == NOTES


def test_the_file_shows_no_text_and_is_its_owners(tmp_path: Path) -> None:
    write(tmp_path / "bucket")
    assert b"Achterberg" not in (tmp_path / "bucket").read_bytes()
    assert (tmp_path / "bucket").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "seal", [Seal.of(bytes(range(1, 33)), 1, "job"), Seal.of(bytes(range(32)), 1, "other")]
)
def test_another_key_or_job_opens_nothing(tmp_path: Path, seal: Seal) -> None:
    write(tmp_path / "bucket")
    with pytest.raises(MissingArtefact, match="damaged"):
        next(read_bucket(tmp_path / "bucket", 3, seal))


def test_a_bucket_in_the_place_of_another_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "bucket")
    with pytest.raises(MissingArtefact, match="damaged"):
        next(read_bucket(tmp_path / "bucket", 4, SEAL))


def test_what_was_cut_off_is_damaged(tmp_path: Path) -> None:
    write(tmp_path / "bucket")
    content = (tmp_path / "bucket").read_bytes()
    (tmp_path / "bucket").write_bytes(content[:-5])
    with pytest.raises(MissingArtefact, match="damaged"):
        list(read_bucket(tmp_path / "bucket", 3, SEAL))
