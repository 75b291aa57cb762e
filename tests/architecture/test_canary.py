"""A canary in every field of every message is in no sink but the input topic."""

import json
import signal
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson
import pytest

from deidstream.schemas.note import KnownIdentifiers, RawNote
from support.kafka import Kafka
from support.redis_server import Redis, running_redis
from support.service import Service

NAMES = ["Zyxwvutson", "Qwertzuiop", "Plokmijnuh", "Xcvbnmasdf", "Hgfdsapoiu"]
IDS = ["MZ9934177", "KQ5512873"]
pytestmark = [pytest.mark.broker, pytest.mark.slow]


@dataclass(frozen=True, slots=True)
class Sinks:
    """What could have been read by somebody."""

    content: dict[str, bytes]

    def holding(self, canary: str) -> list[str]:
        folded = canary.casefold().encode()
        return [name for name, content in self.content.items() if folded in content.lower()]


def notes() -> list[RawNote]:
    text = (
        f"Patient: {NAMES[0]}, Tom. Seen by Dr. {NAMES[1]} on 03/04/2024. "
        f"Mr. {NAMES[0]} lives at 12 {NAMES[2]} Street. MRN: {IDS[0]}."
    )
    known = KnownIdentifiers(names=(NAMES[3],), identifiers=(IDS[1],))
    return [
        RawNote(f"{NAMES[4]}-{number}", IDS[0], f"{text} {NAMES[3]} agrees.", known=known)
        for number in range(20)
    ]


def poison() -> list[bytes]:
    name = NAMES[0].encode()
    whole = {"note_id": NAMES[4], "patient_id": IDS[0], "text": NAMES[0]}
    return [
        b'{"text": "' + name,
        b'{"text": "' + name + b'\xff"}',
        json.dumps(whole | {"text": NAMES[0] + "\ud800"}).encode(),
        orjson.dumps(whole | {"text": NAMES[0] + "\0"}),
        orjson.dumps(whole | {"schema": 99}),
        orjson.dumps(whole | {"known": NAMES[0]}),
        orjson.dumps({"note_id": NAMES[0]}),
        orjson.dumps(whole | {"text": " "}),
        orjson.dumps(whole | {"text": NAMES[0] * 95_000}),
    ]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    (tmp_path / "redis").mkdir()
    with running_redis(tmp_path / "redis", appendonly=True) as server:
        yield server


def test_no_sink_holds_a_canary(kafka: Kafka, redis: Redis, tmp_path: Path) -> None:
    settings = {"DEIDSTREAM_WORKER_LOG_LEVEL": "debug", "PYTHONASYNCIODEBUG": "1"}
    service = Service(kafka, redis.url, tmp_path, settings)
    service.send([*notes(), *poison(), *notes()[:3]])
    worker = service.start_worker()
    try:
        service.wait_for(20 + len(poison()), 120)
        exposed = _exposed(service)
    finally:
        worker.send(signal.SIGTERM)
        assert worker.wait(30) == 0
    content = {"metrics": exposed, "log": service.logs().encode()}
    for kind in ("anonymized", "risk", "quarantine", "audit"):
        content[kind] = b"".join((key or b"") + value for key, value in service.messages(kind))
    for path in (tmp_path / "redis").rglob("*"):
        if path.is_file():
            content[f"redis/{path.name}"] = path.read_bytes()
    sinks = Sinks(content)
    assert {canary: sinks.holding(canary) for canary in (*NAMES, *IDS)} == {
        canary: [] for canary in (*NAMES, *IDS)
    }
    assert service.keyring().root.hex().encode() not in b"".join(content.values())
    reasons = sorted(str(record["reason"]) for record in service.records("quarantine"))
    assert reasons == sorted(
        [
            "BAD_JSON",
            "BAD_UTF8",
            "BAD_UNICODE",
            "BAD_UNICODE",
            "UNKNOWN_SCHEMA",
            "WRONG_TYPE",
            "MISSING_FIELD",
            "EMPTY_TEXT",
            "TOO_LARGE",
        ]
    )


def _exposed(service: Service) -> bytes:
    started = [json.loads(line) for line in service.logs().splitlines() if "ops-server" in line]
    pages = (f"{started[0]['address']}/{page}" for page in ("metrics", "livez", "readyz"))
    return b"".join(urllib.request.urlopen(page, timeout=5).read() for page in pages)  # noqa: S310
