"""A command that reaches no Kafka or Redis says which address it tried, and what failed there."""

import asyncio
from pathlib import Path

import pytest

from deidstream.agents.cli.main import AWAY, main
from deidstream.agents.doctor.examination import Finding, examine
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.runtime.surroundings import check_surroundings
from deidstream.agents.settings import (
    HttpSettings,
    KafkaSettings,
    KeySettings,
    RedisSettings,
    Settings,
)
from deidstream.schemas.errors import Unavailable
from support.ports import LOOPBACK, free_port

Said = pytest.CaptureFixture[str]
UNKNOWN, NOBODY = "the host name is not known", "nothing listens there"
COMMANDS = (
    "topics create",
    "consume",
    "produce {0}/notes.jsonl",
    "probe",
    "quarantine list",
    "export parquet {0}/table",
    "ingest mllp",
    "ingest fhir {0}/notes.jsonl",
)


@pytest.fixture(params=[UNKNOWN, NOBODY])
def away(request: pytest.FixtureRequest) -> tuple[str, str]:
    """An address at which nothing answers, and why."""
    at = "nowhere.invalid:9092" if request.param == UNKNOWN else f"{LOOPBACK}:{free_port()}"
    return at, request.param


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_names_the_address_of_kafka_and_what_failed(
    words: str,
    away: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Said,
) -> None:
    at, why = away
    monkeypatch.setenv("DEIDSTREAM_KAFKA_BROKERS", at)
    monkeypatch.setenv("DEIDSTREAM_HTTP_PORT", "0")
    monkeypatch.setenv("DEIDSTREAM_MLLP_PORT", "0")
    note = '{"note_id": "1", "patient_id": "2", "text": "quiet"}\n'
    (tmp_path / "notes.jsonl").write_text(note)
    assert main(words.format(tmp_path).split()) == AWAY
    said = capsys.readouterr().err
    assert f"cannot reach kafka: {at}: {why}; start Kafka, or set DEIDSTREAM_KAFKA_BROKERS" in said


@pytest.fixture
def settings(away: tuple[str, str], tmp_path: Path) -> Settings:
    """Settings whose Kafka and Redis do not answer."""
    write_key(tmp_path / "key")
    at, _ = away
    return Settings(
        key=KeySettings(file=str(tmp_path / "key")),
        kafka=KafkaSettings(brokers=at),
        redis=RedisSettings(url=f"redis://user:secret@{at}/0"),
        http=HttpSettings(port=0),
    )


def test_a_worker_names_the_address_of_redis(settings: Settings, away: tuple[str, str]) -> None:
    with pytest.raises(Unavailable) as raised:
        asyncio.run(check_surroundings(settings))
    at, why = away
    said = f"cannot reach redis: {at}: {why}; start Redis, or set DEIDSTREAM_REDIS_URL"
    assert str(raised.value) == said


def test_the_doctor_names_both(settings: Settings, away: tuple[str, str]) -> None:
    async def findings() -> dict[str, Finding]:
        found = dict[str, Finding]()
        async for finding in examine(settings):
            found[finding.name] = finding
            if finding.name == "topics":
                break
        return found

    found, (at, why) = asyncio.run(findings()), away
    for name in ("redis", "vault", "broker", "topics"):
        assert f": {at}: {why}; start " in found[name].message, name
        assert found[name].code == AWAY
        assert "secret" not in found[name].message
