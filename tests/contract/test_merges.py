"""A merge and its undoing on a real Kafka and Redis, with notes in flight and a worker killed."""

import json
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import pytest
import redis as blocking

from deidstream.schemas.note import LinkType, PatientLink, RawNote
from support.echo_site import KINDS, EchoSite
from support.kafka import Kafka
from support.processes import Process, start, wait_until

pytestmark = [pytest.mark.broker, pytest.mark.slow, pytest.mark.timeout(600)]

RETIRED, SURVIVOR = "4410773^^^GH", "8812904^^^GH"
ORIGINALS = ("4410773", "8812904", "Zyxwvan", "Lindiwe", "Quellmar")
POLICY = """\
extends = "surrogate"
recognizers = ["rules", "dictionary", "known"]
"""


def note(number: int, patient: str) -> RawNote:
    text = (
        f"MRN {patient.partition('^')[0]}. Mrs. Lindiwe Zyxwvan was seen on 2/3/2024 by "
        "Dr. Folasade Quellmar and is well."
    )
    return RawNote(f"note-{number}", patient, text)


def linking(name: str, link_type: LinkType) -> RawNote:
    link = PatientLink(link_type, RETIRED)
    return replace(note(0, SURVIVOR), note_id=name, links=(link,))


@pytest.fixture
def site(kafka: Kafka, redis_url: str, tmp_path: Path) -> EchoSite:
    (tmp_path / "merges.toml").write_text(POLICY)
    return EchoSite(kafka, redis_url, tmp_path)


@pytest.fixture
def workers(site: EchoSite) -> Iterator[list[Process]]:
    topics = {f"DEIDSTREAM_KAFKA_{kind.upper()}_TOPIC": site.topic(kind) for kind in KINDS}
    settings = {
        "OMP_NUM_THREADS": "1",
        "DEIDSTREAM_BATCH_NOTES": "8",
        "DEIDSTREAM_KAFKA_BROKERS": site.kafka.bootstrap,
        "DEIDSTREAM_KAFKA_GROUP": site.group,
        "DEIDSTREAM_KAFKA_CREATE_TOPICS": "false",
        "DEIDSTREAM_KAFKA_SESSION_SECONDS": "6",
        "DEIDSTREAM_KAFKA_TRANSACTION_SECONDS": "5",
        "DEIDSTREAM_REDIS_URL": site.redis_url,
        "DEIDSTREAM_REDIS_DEPLOYMENT": site.run,
        "DEIDSTREAM_KEY_FILE": str(site.folder / "key"),
        "DEIDSTREAM_POLICY": str(site.folder / "merges.toml"),
        "DEIDSTREAM_HTTP_PORT": "0",
    }
    command = [sys.executable, "-m", "deidstream.agents", "worker"]
    running = [
        start(command, log=site.folder / f"merges-{number}.log", env=settings | topics)
        for number in range(2)
    ]
    yield running
    for worker in running:
        worker.stop(40)


def records(site: EchoSite, kind: str = "anonymized") -> list[dict[str, Any]]:
    return [json.loads(value) for _, value in site.values(kind)]


@dataclass(slots=True)
class Stream:
    """Notes of both numbers in turns, and their outputs."""

    site: EchoSite
    sent: int = 0
    seen: set[str] = field(default_factory=set[str])

    def make(self, count: int) -> list[RawNote]:
        made = [note(self.sent + n, (RETIRED, SURVIVOR)[n % 2]) for n in range(count)]
        self.sent += count
        return made

    def outputs(self, count: int) -> list[dict[str, Any]]:
        """Wait for so many outputs in all, each once; return those that are new."""
        wait_until(lambda: len(records(self.site)) >= count, seconds=240)
        found = records(self.site)
        assert len({one["note_id"] for one in found}) == len(found) == count
        new = [one for one in found if one["note_id"] not in self.seen]
        self.seen |= {one["note_id"] for one in new}
        return new

    def record_of(self, name: str, link_type: LinkType) -> dict[str, Any]:
        """Say what the numbers are to each other; wait for the record that says so."""
        known = len(records(self.site, "patients"))
        self.site.send([linking(name, link_type)])
        wait_until(lambda: len(records(self.site, "patients")) > known, seconds=120)
        return records(self.site, "patients")[-1]


def patients(outputs: list[dict[str, Any]]) -> set[str]:
    return {one["patient_id"] for one in outputs}


def test_one_pseudonym_after_the_merge_with_notes_in_flight_and_two_after_it_is_undone(
    site: EchoSite, workers: list[Process]
) -> None:
    stream = Stream(site)
    site.send(stream.make(2))
    both = patients(stream.outputs(2))
    assert len(both) == 2

    # Notes of both are in flight while the merge comes, and a worker is killed among them.
    flying = threading.Thread(target=site.send, args=(stream.make(60),))
    flying.start()
    workers[0].kill9()
    merged = stream.record_of("merge", LinkType.REPLACES)
    flying.join()
    assert {merged["patient_id"], merged["other_id"]} == both
    assert patients(stream.outputs(63)) <= both
    site.send(stream.make(20))
    later = stream.outputs(83)
    assert patients(later) == {merged["patient_id"]}
    assert len({one["text"].partition(". ")[2] for one in later}) == 1

    parted = stream.record_of("unmerge", LinkType.APART)
    assert parted["type"] == "apart"
    site.send(stream.make(2))
    assert patients(stream.outputs(86)) == both
    assert not records(site, "quarantine")
    assert find_originals(site) == []


def find_originals(site: EchoSite) -> list[str]:
    """Return the originals that an output topic, or anything in Redis, has."""
    kept = [value for kind in KINDS if kind != "raw" for _, value in site.values(kind)]
    of_patients = f"{site.run}:of:".encode()
    with blocking.Redis.from_url(site.redis_url) as client:
        names = cast("list[bytes]", [*client.scan_iter(f"{site.run}:*")])
        kept += names
        for name in names:
            if name.startswith(of_patients):
                held = cast("dict[bytes, bytes]", client.hgetall(name))
                kept += [part for pair in held.items() for part in pair]
    assert any(one.startswith(of_patients) for one in kept)
    return [one for one in ORIGINALS if any(one.encode() in part for part in kept)]
