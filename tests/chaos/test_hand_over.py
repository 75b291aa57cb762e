"""The feed starts, the archive follows and overlaps, both are killed: one table, the newest of all.

The lines are those of docs/archive.md, as they are written there.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from deidstream.agents.archive.job_folder import JobFolder
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.note import NoteStatus, RawNote
from support.archives import SURNAMES, TEXT, write_parquet
from support.kafka import Kafka
from support.service import Service
from support.tenants import RULES

pytestmark = [pytest.mark.broker, pytest.mark.chaos, pytest.mark.slow]
PAGE = Path(__file__).parents[2] / "docs/archive.md"
NOTES, OLD, OVERLAP = 1_200, 1_000, 1_100
"""All notes; those from before the feed; those that the archive has, some of which the feed has."""
Rows = dict[str, tuple[str, str, str]]
"""Output, patient and text by the pseudonym of the note."""


def blocks_of(language: str) -> list[str]:
    """Return the blocks of the part of the page about the hand-over."""
    _, _, part = PAGE.read_text("utf-8").partition("\n## Beside the feed\n")
    found = re.findall(rf"^( *)```{language}\n(.*?)^ *```", part, re.MULTILINE | re.DOTALL)
    return [
        "".join(line.removeprefix(indent) for line in block.splitlines(keepends=True))
        for indent, block in found
    ]


def make_note(number: int, version: int, status: NoteStatus | None = None) -> RawNote:
    """A version of a note, of which three are about one patient."""
    patient = number // 3
    words = (SURNAMES[patient % 6], patient, number % 28 + 1, SURNAMES[number % 5])
    text = f"{TEXT.format(*words)} Revision {version}."
    when = f"2024-04-01T00:00:0{version}Z"
    gone = status is NoteStatus.CANCELLED
    return RawNote(
        f"note-{number}",
        f"patient-{patient}",
        "" if gone else text,
        status=status,
        source_time=when,
    )


@dataclass(frozen=True, slots=True)
class Hospital:
    """What the feed sends, before and after the archive was read, and what the archive has."""

    before: Sequence[RawNote]
    after: Sequence[RawNote]
    archive: Sequence[RawNote]

    @classmethod
    def make(cls) -> "Hospital":
        """Every fourth note is corrected, and some taken back: half of them before the archive is
        read, half of them while it runs."""

        def correct(first: int) -> list[RawNote]:
            return [make_note(n, 1, NoteStatus.CORRECTED) for n in range(first, OLD, 8)]

        def take_back(first: int) -> list[RawNote]:
            return [make_note(n, 2, NoteStatus.CANCELLED) for n in range(first, OLD, 20)]

        overlap = [make_note(number, 0) for number in range(OLD, OVERLAP)]
        early, late = correct(0), correct(4)
        corrected = {note.note_id: note for note in early}
        gone = {note.note_id for note in take_back(5)}
        has = [make_note(number, 0) for number in range(OLD)]
        has = [corrected.get(note.note_id, note) for note in has if note.note_id not in gone]
        new = [make_note(number, 0) for number in range(OVERLAP, NOTES)]
        return cls([*overlap, *early, *take_back(5)], [*late, *take_back(12), *new], has + overlap)

    def newest(self) -> dict[str, int]:
        """Return the version that each note should have in the end, by its id."""
        found: dict[str, int] = {}
        for note in [*self.archive, *self.before, *self.after]:
            if note.cancelled:
                found.pop(note.note_id, None)
            else:
                found[note.note_id] = int("Revision 1" in note.text)
        return found


@pytest.fixture
def service(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[Service]:
    (tmp_path / "rules.toml").write_text(RULES.format("surrogate"))
    settings = {"DEIDSTREAM_POLICY": str(tmp_path / "rules.toml")}
    running = Service(kafka, redis_url, tmp_path, settings)
    yield running
    running.stop()


@dataclass(frozen=True, slots=True)
class Shell:
    """Runs lines of the page with the settings of the feed."""

    folder: Path
    environment: Mapping[str, str]

    def start(self, line: str) -> subprocess.Popen[bytes]:
        """Start a line."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        named = {**os.environ, **self.environment, "PATH": path}
        words = ("sh", "-c", line)
        return subprocess.Popen(words, cwd=self.folder, env=named, start_new_session=True)  # noqa: S603 - our page

    def run(self, line: str) -> int:
        """Run a line; return how it ended."""
        return self.start(line).wait(300)

    def kill(self, line: str, job: JobFolder) -> None:
        """Run a line, and kill it when it has committed something."""
        running = self.start(line)
        while running.poll() is None and not any(job.records()):
            time.sleep(0.02)
        assert running.poll() is None
        os.killpg(running.pid, signal.SIGKILL)
        running.wait(30)

    def read(self, table: str, prepared: str = "") -> Rows:
        """Read a table of the database of the feed."""
        with duckdb.connect(str(self.folder / "feed.duckdb")) as database:
            database.execute(f"SET file_search_path = '{self.folder}'; {prepared}")
            rows = database.table(table).project("note_id, output_id, patient_id, text")
            return {row[0]: row[1:] for row in rows.fetchall()}


def write_archive(folder: Path, mapping: str, notes: Sequence[RawNote]) -> None:
    """Write notes under the columns of the page's mapping, and the mapping."""
    (folder / "columns.txt").write_text(mapping)
    named = [line.split("=") for line in mapping.splitlines() if not line.startswith("#")]
    rows = [{column: getattr(note, name) for name, column in named} for note in notes]
    write_parquet(folder / "archive.parquet", rows)


def test_feed_and_archive_end_in_one_table(service: Service, tmp_path: Path) -> None:
    hospital, shell = Hospital.make(), Shell(tmp_path, service.environment())
    mapping, commands, produce = blocks_of("text")
    (views,) = blocks_of("sql")
    plan, run, verify, export = commands.splitlines()
    write_archive(tmp_path, mapping, hospital.archive)

    worker = service.start_worker()
    service.send(hospital.before)
    assert shell.run(f"{plan} --shard-notes 40") == 0
    shell.kill(run, JobFolder(tmp_path / "job"))
    assert shell.run(verify) == 1
    service.send(hospital.after)
    worker.kill9()
    service.start_worker()
    assert [shell.run(line) for line in (run, verify)] == [0, 0]
    sent = len(hospital.before) + len(hospital.after)
    service.wait(lambda: service.count("risk") >= sent, 120)
    assert shell.run(export) == 0

    merged, fed = shell.read("all_notes", views), shell.read("notes")
    expect_newest(hospital, merged, service)
    expect_one_name(merged)
    expect_equal_overlap(shell.read("archive_notes"), fed)

    # The workers do the archive: the table of the feed alone comes to the same.
    assert shell.run(produce.strip()) == 0
    service.wait(lambda: service.count("risk") >= sent + len(hospital.archive), 120)
    assert shell.run(export) == 0
    assert shell.read("notes") == merged


def expect_newest(hospital: Hospital, rows: Rows, service: Service) -> None:
    """Check that each note has its newest version, and that none is there that was taken back."""
    keyring = service.keyring()
    wanted = {note_pseudonym(keyring, name): v for name, v in hospital.newest().items()}
    assert {name: int("Revision 1" in text) for name, (*_, text) in rows.items()} == wanted


def expect_one_name(rows: Rows) -> None:
    """Check that both ways have given each patient one name."""
    names: dict[str, set[str]] = {}
    for _, patient, text in rows.values():
        names.setdefault(patient, set()).update(re.findall(r"^\w+\. (.+?) \(", text))
    assert {len(found) for found in names.values()} == {1}


def expect_equal_overlap(archived: Rows, fed: Rows) -> None:
    """Check that what came by both ways has the same bytes."""
    outputs = {output for output, *_ in fed.values()}
    both = {name: row for name, row in archived.items() if row[0] in outputs}
    assert len(both) >= OVERLAP - OLD
    assert {name: fed[name] for name in both} == both
