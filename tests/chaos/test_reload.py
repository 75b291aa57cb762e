"""A real worker whose policy changes while notes flow."""

import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from deidstream.agents.runtime.policy_files import find_policy
from support.kafka import Kafka
from support.service import Service, judge, many_notes

NOTES = 40
SECONDS = 300
pytestmark = [pytest.mark.broker, pytest.mark.chaos, pytest.mark.slow]

POLICY = """\
technique = "surrogate"
recognizers = ["rules", "dictionary", "known"]
[dictionaries]
HOSPITAL = ["wards.txt"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "wards.txt").write_text("Quillfeather\n")
    path = tmp_path / "site.toml"
    path.write_text(POLICY)
    return path


@pytest.fixture
def service(kafka: Kafka, redis_url: str, tmp_path: Path, file: Path) -> Iterator[Service]:
    settings = {
        "DEIDSTREAM_POLICY": str(file),
        "DEIDSTREAM_POLICY_RELOAD_SECONDS": "0.5",
        "DEIDSTREAM_BATCH_NOTES": "8",
    }
    made = Service(kafka, redis_url, tmp_path, settings)
    yield made
    made.stop()


def policies(service: Service) -> Counter[str]:
    """How many notes each policy has made."""
    return Counter(str(record["policy"]["sha256"]) for record in service.records("anonymized"))  # type: ignore[index]


def page(service: Service, path: str) -> tuple[int, str]:
    line = next(line for line in service.logs().splitlines() if '"ops-server"' in line)
    address = line.partition('"address":"')[2].partition('"')[0]
    with urllib.request.urlopen(f"{address}{path}", timeout=5) as answer:  # noqa: S310 - our own server
        return answer.status, answer.read().decode()


def test_policies_change_and_no_note_is_lost(service: Service, file: Path) -> None:
    notes = many_notes(3 * NOTES)
    service.start_worker()
    first = find_policy(str(file)).sha256
    service.send(notes[:NOTES])
    service.wait_for(1, SECONDS)

    (file.parent / "wards.txt").write_text("Quillfeather\nOldwick Unit\n")
    second = find_policy(str(file)).sha256
    service.wait(lambda: "policy-applied" in service.logs(), SECONDS)
    service.send(notes[NOTES : 2 * NOTES])
    service.wait_for(2 * NOTES, SECONDS)
    assert second in page(service, "/metrics")[1]
    assert first not in page(service, "/metrics")[1]

    (file.parent / "wards.txt").write_text("\xff\n", encoding="latin-1")
    service.wait(lambda: "policy-refused" in service.logs(), SECONDS)
    service.send(notes[2 * NOTES :])
    service.wait_for(3 * NOTES, SECONDS)
    assert page(service, "/readyz")[0] == 200
    exposed = page(service, "/metrics")[1]
    assert 'deid_policy_reloads_total{result="refused"} 1.0' in exposed
    assert "deid_policy_refused 1.0" in exposed

    made = policies(service)
    assert set(made) == {first, second}
    assert made[second] >= 2 * NOTES
    verdict = judge(service, notes)
    assert (verdict.lost, verdict.differing, verdict.unpaired, verdict.duplicates) == (0, 0, 0, 0)
    assert (verdict.emitted, verdict.quarantined) == (3 * NOTES, 0)
    assert "wards.txt:1" in service.logs()
