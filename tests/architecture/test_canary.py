"""A canary in every field of every message is in no sink but the input topic.

Sinks: both streams of the process at DEBUG, every HTTP page, keys, headers and values of all output
topics, names of topics and groups, names, values, files and slow log of Redis, temporary files, and
the command line and environment of the process.
"""

import asyncio
import json
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson
import pytest
from confluent_kafka import Message

from deidstream.schemas.note import KnownIdentifiers, RawNote
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.kafka import Kafka
from support.redis_server import Redis, running_redis
from support.service import Service

NAMES = ["Zyxwvutson", "Qwertzuiop", "Plokmijnuh", "Xcvbnmasdf", "Hgfdsapoiu"]
IDS = ["MZ9934177", "KQ5512873"]
SINKS = ("log", "http/metrics", "anonymized", "redis", "tmp/x", "kafka")
PATHS = ("/metrics", "/livez", "/readyz", "/", "/nothing-here")
PROCESS = ("cmdline", "environ", "comm")
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
    (tmp_path / "tmp").mkdir()
    settings = {
        "DEIDSTREAM_WORKER_LOG_LEVEL": "debug",
        "PYTHONASYNCIODEBUG": "1",
        "TMPDIR": str(tmp_path / "tmp"),
    }
    service = Service(kafka, redis.url, tmp_path, settings)
    service.send([*notes(), *poison(), *notes()[:3]])
    worker = service.start_worker()
    try:
        service.wait_for(20 + len(poison()), 300)
        content = _read_running(service, worker.pid, tmp_path / "tmp")
        content["redis"] = asyncio.run(_read_redis(redis.url))
    finally:
        worker.send(signal.SIGTERM)
        assert worker.wait(30) == 0
    content["log"] = service.logs().encode()
    for kind in ("anonymized", "risk", "quarantine", "audit"):
        content[kind] = b"".join(map(repr_bytes, service.whole_messages(kind)))
    content["kafka"] = _read_names(kafka)
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


def repr_bytes(message: Message) -> bytes:
    headers = repr(message.headers()).encode()
    return b"\n".join([message.key() or b"", message.value() or b"", headers])


def _read_running(service: Service, pid: int, temporary: Path) -> dict[str, bytes]:
    """Read what can be read only while the worker runs."""
    started = [json.loads(line) for line in service.logs().splitlines() if "ops-server" in line]
    address = started[0]["address"]
    pages = {f"http{path}": _get(f"{address}{path}") for path in PATHS}
    process = {f"proc/{name}": Path(f"/proc/{pid}/{name}").read_bytes() for name in PROCESS}
    files = {f"tmp/{p.name}": p.read_bytes() for p in temporary.rglob("*") if p.is_file()}
    names = {"tmp names": "\n".join(map(str, temporary.rglob("*"))).encode()}
    return pages | process | files | names


def _get(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:  # noqa: S310 - a page of the worker
            return bytes(answer.read())
    except urllib.error.HTTPError as refused:
        return refused.read()


async def _read_redis(url: str) -> bytes:
    client = RedisSurrogateStore.connect(url).client
    found: list[object] = []
    async for name in client.scan_iter():
        found += [name, await client.dump(name)]
    found += [await client.slowlog_get(1000), await client.client_list()]
    await client.aclose()
    return repr(found).encode()


def _read_names(kafka: Kafka) -> bytes:
    admin = kafka.admin()
    groups = admin.list_consumer_groups().result(10.0).valid
    return repr(
        (sorted(admin.list_topics(timeout=10.0).topics), [g.group_id for g in groups])
    ).encode()


@pytest.mark.parametrize("sink", SINKS)
def test_a_leak_in_any_one_sink_is_seen(sink: str) -> None:
    clean: dict[str, bytes] = dict.fromkeys(SINKS, b"nothing")
    leaking = clean | {sink: f"…{NAMES[0].upper()}…".encode()}
    assert Sinks(clean).holding(NAMES[0]) == []
    assert Sinks(leaking).holding(NAMES[0]) == [sink]
