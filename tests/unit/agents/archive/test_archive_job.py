"""An archive from rows to rows: every row once, whatever it is, and nothing of two kinds."""

import errno
import os
from pathlib import Path

import pytest

from deidstream.agents.archive import file_sinks
from deidstream.agents.archive.job_folder import JobFolder
from deidstream.agents.runtime.root_keys import write_key
from deidstream.models.text.word_files import split_list
from support.archives import (
    ArchiveSite,
    make_rows,
    read_notes,
    read_others,
    write_csv,
    write_parquet,
)

pytestmark = pytest.mark.slow
NOTES = 24


@pytest.fixture
def site(tmp_path: Path) -> ArchiveSite:
    return ArchiveSite.make(tmp_path)


def do(site: ArchiveSite, notes: Path, *more: str) -> None:
    assert site.plan(notes, "--shard-notes", "6", *more) == 0
    assert site.run_here() == 0


def test_rows_of_all_kinds_come_out_once(
    site: ArchiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    rows: list[dict[str, object]] = [{**row} for row in make_rows(NOTES)]
    rows += [rows[3], rows[4] | {"text": "Another text."}, rows[5] | {"text": None}]
    rows += [rows[6] | {"note_id": None}, rows[7] | {"note_id": "note-7b", "patient_id": "p"}]
    do(site, write_parquet(site.folder / "notes.parquet", rows))
    assert len(read_notes(site.out)) == NOTES + 1
    assert read_others(site.out) == [
        (NOTES + 1, "superseded", None),
        (NOTES + 2, "quarantined", "DUPLICATE_ID"),
        (NOTES + 3, "quarantined", "DUPLICATE_ID"),
        (NOTES + 4, "quarantined", "MISSING_FIELD"),
    ]
    assert site.verify() == 0
    said = capsys.readouterr().err
    assert f"whole: each of {NOTES + 5} notes once" in said
    assert "Achterberg" not in said


def test_one_command_makes_an_archive(
    site: ArchiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    rows: list[dict[str, object]] = [{**row} for row in make_rows(NOTES)]
    rows[5]["text"] = None
    notes = write_parquet(site.folder / "notes.parquet", rows)
    assert site.make_all(notes, "--shard-notes", "6", "--processes", "1") == 1
    assert f"whole: each of {NOTES} notes once" in capsys.readouterr().err
    assert len(read_notes(site.out)) == NOTES - 1


def test_the_same_command_goes_on_where_it_was_cut_off(site: ArchiveSite) -> None:
    notes = write_parquet(site.folder / "notes.parquet", make_rows(NOTES))
    assert site.plan(notes, "--shard-notes", "6") == 0
    assert site.run_here("--shards", "0/2") == 0
    assert site.verify() == 1
    notes.unlink()
    assert site.make_all(notes, "--processes", "1") == 0
    assert len(read_notes(site.out)) == NOTES


def test_the_form_of_the_input_and_the_number_of_shards_change_no_output(
    site: ArchiveSite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = make_rows(NOTES)
    do(site, write_csv(site.folder / "notes.csv", rows))
    other = ArchiveSite(tmp_path_factory.mktemp("other"))
    for name in ("rules.toml", "root.key"):
        (other.folder / name).write_bytes((site.folder / name).read_bytes())
    (other.folder / "root.key").chmod(0o600)
    notes = write_parquet(other.folder / "notes.parquet", rows)
    assert other.plan(notes, "--shard-notes", "100") == 0
    assert other.run_here() == 0
    assert read_notes(other.out) == read_notes(site.out)


def test_the_order_of_the_rows_changes_no_output(
    site: ArchiveSite, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # So many names with one initial that some draw the same surrogate.
    names = split_list("Keith Kevin Kyle Kurt Karl Kent Kirk Ken Kelvin Kasey")
    rows = [
        {"note_id": name, "patient_id": "p", "text": f"He was seen by Dr. {name} Achterberg."}
        for name in names
    ]
    do(site, write_parquet(site.folder / "notes.parquet", rows))
    other = ArchiveSite(tmp_path_factory.mktemp("other"))
    for name in ("rules.toml", "root.key"):
        (other.folder / name).write_bytes((site.folder / name).read_bytes())
    (other.folder / "root.key").chmod(0o600)
    do(other, write_parquet(other.folder / "notes.parquet", rows[::-1]))
    texts = read_notes(site.out)
    assert read_notes(other.out) == texts
    assert len(set(texts.values())) == len(names)


def test_a_share_of_the_shards_and_then_the_others_are_all(site: ArchiveSite) -> None:
    notes = write_parquet(site.folder / "notes.parquet", make_rows(NOTES))
    assert site.plan(notes, "--shard-notes", "6") == 0
    assert site.run_here("--shards", "1/2") == 0
    assert site.verify() == 1
    assert site.run_here("--shards", "0/2") == 0
    assert site.verify() == 0


def test_what_waits_is_sealed_and_goes_when_it_is_done(site: ArchiveSite) -> None:
    notes = write_parquet(site.folder / "notes.parquet", make_rows(NOTES))
    assert site.plan(notes) == 0
    waiting = list((site.job / "notes").iterdir())
    assert waiting
    assert not any(b"Achterberg" in path.read_bytes() for path in waiting)
    assert site.run_here() == 0
    assert not [*(site.job / "notes").iterdir()]


def test_a_full_disk_commits_nothing_of_the_shard(
    site: ArchiveSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = write_parquet(site.folder / "notes.parquet", make_rows(NOTES))
    assert site.plan(notes) == 0

    def fail(path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(file_sinks, "_force", fail)
        assert site.run_here() == 70
    assert "No space left" in capsys.readouterr().err
    assert not [*JobFolder(site.job).records()]
    assert not [*(site.out / "notes").iterdir()]
    assert site.run_here() == 0
    assert site.verify() == 0


def test_another_key_is_refused(site: ArchiveSite, capsys: pytest.CaptureFixture[str]) -> None:
    notes = write_parquet(site.folder / "notes.parquet", make_rows(6))
    assert site.plan(notes) == 0
    write_key(site.folder / "other.key")
    assert site.run_here("--key-file", str(site.folder / "other.key")) == 78
    assert "the key" in capsys.readouterr().err


def test_another_policy_is_refused_and_seen(
    site: ArchiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    do(site, write_parquet(site.folder / "notes.parquet", make_rows(6)))
    with (site.folder / "rules.toml").open("a") as file:
        file.write('redact_style = "xxx"\n')
    assert site.verify() == 1
    assert "another policy" in capsys.readouterr().err


def test_an_output_that_is_lost_or_changed_is_seen(
    site: ArchiveSite, capsys: pytest.CaptureFixture[str]
) -> None:
    do(site, write_parquet(site.folder / "notes.parquet", make_rows(NOTES)))
    first, second, *_ = sorted((site.out / "notes").iterdir())
    first.unlink()
    second.write_bytes(second.read_bytes()[:-9])
    assert site.verify() == 1
    said = capsys.readouterr().err
    assert "neither in the outputs nor in quarantine" in said
    assert "cannot be read" in said


def test_a_schema_that_cannot_be_mapped_ends_with_64_and_writes_nothing(
    site: ArchiveSite,
) -> None:
    notes = write_csv(site.folder / "notes.csv", [{"a": "1", "b": "2"}])
    assert site.plan(notes) == 64
    assert not site.job.exists()
    assert not site.out.exists()


def test_a_plan_is_not_made_twice(site: ArchiveSite) -> None:
    notes = write_parquet(site.folder / "notes.parquet", make_rows(6))
    assert site.plan(notes) == 0
    assert site.plan(notes) == 78


def test_no_record_and_no_plan_has_text_or_an_id(site: ArchiveSite) -> None:
    do(site, write_parquet(site.folder / "notes.parquet", make_rows(6)))
    for path in site.job.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert b"note-" not in content
            assert b"patient-" not in content
            assert b"Rosalind" not in content
