"""From raw notes through a real worker to a table: correlation, corrections, cancels, entities."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.tables.note_columns import NAMES
from deidstream.models.release_ids import note_pseudonym
from deidstream.schemas.note import NoteStatus
from support.kafka import Kafka
from support.service import Service
from support.table_sites import outputs, parquet_site

pytestmark = [pytest.mark.broker, pytest.mark.slow]


@pytest.fixture
def service(kafka: Kafka, redis_url: str, tmp_path: Path) -> Iterator[Service]:
    running = Service(kafka, redis_url, tmp_path)
    running.start_worker()
    yield running
    running.stop()


def test_each_note_has_a_row_that_its_sender_finds(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third, fourth = sample_notes()[:4]
    messages = [
        replace(first, correlation="feed-1:0001"),
        second,
        replace(third, correlation="feed-1:0003"),
        replace(fourth, correlation=fourth.patient_id),
        replace(first, correlation="feed-1:0005", status=NoteStatus.CORRECTED),
        replace(third, text="", status=NoteStatus.CANCELLED),
    ]
    service.send(messages)
    service.wait(lambda: service.count("risk") == 5 and service.count("quarantine") == 1, 120)
    for name, value in service.environment().items():
        monkeypatch.setenv(name, value)
    site = parquet_site(tmp_path / "table")
    assert main(["export", *site.words, "--entities"]) == 0
    keyring = service.keyring()
    rows = {row["note_id"]: row for row in (dict(zip(NAMES, r, strict=True)) for r in site.read())}
    assert set(rows) == {note_pseudonym(keyring, note.note_id) for note in (first, second)}
    corrected = rows[note_pseudonym(keyring, first.note_id)]
    assert (corrected["correlation"], corrected["status"]) == ("feed-1:0005", "corrected")
    assert corrected["entities"]
    assert rows[note_pseudonym(keyring, second.note_id)]["correlation"] is None
    (letter,) = service.records("quarantine")
    assert (letter["reason"], letter["field"]) == ("IDENTIFYING_CORRELATION", "correlation")
    # All is sent again, and de-identified again.
    digest, made = site.digest(), outputs(site.read())
    service.send(messages)
    service.wait(lambda: service.count("risk") == 10, 120)
    assert main(["export", *site.words, "--entities"]) == 0
    assert site.digest() == digest
    assert outputs(site.read()) == made
