"""``deidstream vault`` on a real Redis: a patient is forgotten, and the others are not."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import redis as blocking

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.root_keys import fresh_key, read_key, seal_canary
from deidstream.models.keyring import Keyring
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Outcome
from deidstream.schemas.wire import encode_note
from deidstream.stream.redis.surrogate_store import RedisSurrogateStore
from support.pipeline import pipeline, service
from support.redis_server import Redis, running_redis

pytestmark = pytest.mark.broker
TEXT = "Patient: Vanterpool, Quentin. MRN: 5512873. Seen by Dr. Odalys Brightwater."


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """A Redis that keeps everything, a key, and the settings that name them."""
    (tmp_path / "redis").mkdir()
    assert main(["keys", "new", str(tmp_path / "key")]) == 0
    options = ("--appendfsync", "always")
    with running_redis(tmp_path / "redis", appendonly=True, options=options) as running:
        monkeypatch.setenv("DEIDSTREAM_REDIS_URL", running.url)
        monkeypatch.setenv("DEIDSTREAM_KEY_FILE", str(tmp_path / "key"))
        yield running


def deidentified(
    server: Redis, key: Path, patients: list[str], *, at_random: bool = False
) -> list[Outcome]:
    """Put a note of each patient through the service."""
    made = pipeline("surrogate", read_key(str(key)))
    if at_random:
        made = replace(made, replacer=replace(made.replacer, fresh_seed=fresh_key))

    async def body() -> list[Outcome]:
        store = RedisSurrogateStore.connect(server.url)
        try:
            values = [encode_note(RawNote(f"n-{one}", one, TEXT)) for one in patients]
            return await service(made, store).run(values)
        finally:
            await store.close()

    return asyncio.run(body())


def texts(outcomes: list[Outcome]) -> list[str]:
    return [each.note.permit.text for each in outcomes if isinstance(each, Anonymized)]


def held(server: Redis, key: Path, patient: str) -> int:
    """How many values Redis keeps of a patient."""
    owner = Keyring(read_key(str(key)), 1, "default").owner(patient)
    with blocking.Redis.from_url(server.url) as client:
        return int(client.hlen(b"deid:of:" + owner))


@pytest.mark.slow
def test_a_forgotten_patient_is_gone_and_the_other_is_not(
    server: Redis, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, ids = tmp_path / "key", tmp_path / "ids"
    first = deidentified(server, key, ["p-1", "p-2"])
    assert held(server, key, "p-1") > 0
    before = held(server, key, "p-2")
    ids.write_text("p-1\r\n\nnobody\n")
    assert main(["vault", "forget", "--patient-id-file", str(ids)]) == 0
    said = capsys.readouterr().err
    assert "2 patients: 0 values" not in said
    assert "p-1" not in said
    assert "still gives the same" in " ".join(said.split())
    assert (held(server, key, "p-1"), held(server, key, "p-2")) == (0, before)
    # As it is said: in mode prf the key brings the same back.
    again = deidentified(server, key, ["p-1", "p-2"])
    assert texts(again) == texts(first)
    assert len(texts(again)) == 2


@pytest.mark.slow
def test_in_mode_random_nothing_brings_a_forgotten_patient_back(
    server: Redis,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DEIDSTREAM_REDIS_MODE", "random")
    monkeypatch.setenv("DEIDSTREAM_REDIS_STATE", str(tmp_path / "state"))
    key, ids = tmp_path / "key", tmp_path / "ids"
    first = texts(deidentified(server, key, ["p-1", "p-2"], at_random=True))
    assert texts(deidentified(server, key, ["p-1", "p-2"], at_random=True)) == first
    ids.write_text("p-1\n")
    assert main(["vault", "forget", "--patient-id-file", str(ids)]) == 0
    assert "cannot be made again" in " ".join(capsys.readouterr().err.split())
    assert held(server, key, "p-1") == 0
    again = texts(deidentified(server, key, ["p-1", "p-2"], at_random=True))
    assert again[0] != first[0]
    assert again[1] == first[1]


def filled(server: Redis, root: bytes, version: int) -> None:
    """Leave a canary, as a worker does."""

    async def body() -> None:
        store = RedisSurrogateStore.connect(server.url)
        await store.canary(version, seal_canary(root, version))
        await store.close()

    asyncio.run(body())


def test_under_another_key_nothing_is_called_forgotten(
    server: Redis,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key, ids = tmp_path / "key", tmp_path / "ids"
    ids.write_text("p-1\n")
    deidentified(server, key, ["p-1"])
    filled(server, read_key(str(key)), 1)
    before = held(server, key, "p-1")
    assert main(["keys", "new", str(tmp_path / "other")]) == 0
    monkeypatch.setenv("DEIDSTREAM_KEY_FILE", str(tmp_path / "other"))
    forget = ["vault", "forget", "--patient-id-file", str(ids)]
    assert main([*forget, "--lost-keys"]) == 78
    assert "another key of the same version" in " ".join(capsys.readouterr().err.split())
    monkeypatch.setenv("DEIDSTREAM_KEY_VERSION", "2")
    assert main(forget) == 78
    assert "key version 1" in " ".join(capsys.readouterr().err.split())
    assert main(["vault", "check"]) == 0
    assert "key version 1" in " ".join(capsys.readouterr().err.split())
    assert main([*forget, "--lost-keys"]) == 0
    assert "has nothing of them" in " ".join(capsys.readouterr().err.split())
    assert held(server, key, "p-1") == before > 0


def test_ids_of_a_spreadsheet_are_forgotten_in_mode_random_without_a_state_folder(
    server: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEIDSTREAM_REDIS_MODE", "random")
    key, ids = tmp_path / "key", tmp_path / "ids"
    deidentified(server, key, ["p-1", "p-2", "p-3 "], at_random=True)
    ids.write_bytes(b"\xef\xbb\xbfp-1\r\n   \r\np-2 \r\np-3 \r\n")
    assert main(["vault", "forget", "--patient-id-file", str(ids)]) == 0
    assert [held(server, key, patient) for patient in ("p-1", "p-2", "p-3 ")] == [0, 0, 0]


def test_a_url_that_is_none_of_redis_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["keys", "new", str(tmp_path / "key")]) == 0
    monkeypatch.setenv("DEIDSTREAM_KEY_FILE", str(tmp_path / "key"))
    monkeypatch.setenv("DEIDSTREAM_REDIS_URL", "nonsense")
    assert main(["vault", "check"]) == 78
    assert "DEIDSTREAM_REDIS_URL" in capsys.readouterr().err


@pytest.mark.slow
def test_notes_of_a_file_count_in_the_epoch_too(
    server: Redis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes, out = tmp_path / "notes.jsonl", tmp_path / "out.jsonl"
    notes.write_bytes(b"\n".join(encode_note(RawNote(f"n{n}", "p", TEXT)) for n in range(3)))
    monkeypatch.setenv("DEIDSTREAM_KEY_EPOCH_NOTES", "2")
    run = ["deidentify", str(notes), "--out", str(out), "--redis", server.url]
    assert main(run) == 0
    with blocking.Redis.from_url(server.url) as client:
        assert client.hget("deid:epochs", "1") == b"3"
    assert main(run) == 78


@pytest.mark.parametrize("content", ["", "\n\n", None, b"\xff\xfe"])
def test_a_file_without_ids_is_refused(
    server: Redis, tmp_path: Path, content: str | bytes | None
) -> None:
    assert server.url
    path = tmp_path / "ids"
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    assert main(["vault", "forget", "--patient-id-file", str(path)]) == 78


def test_check_says_what_is_wrong_and_refuses_in_mode_random(
    server: Redis,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert main(["vault", "check"]) == 0
    assert "no faults" in capsys.readouterr().err
    with blocking.Redis.from_url(server.url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
    assert main(["vault", "check"]) == 0
    assert "noeviction" in capsys.readouterr().err
    monkeypatch.setenv("DEIDSTREAM_REDIS_MODE", "random")
    assert main(["vault", "check"]) == 78
    assert "REDIS_STATE" in capsys.readouterr().err
    monkeypatch.setenv("DEIDSTREAM_REDIS_STATE", str(tmp_path / "state"))
    assert main(["vault", "check"]) == 78
    assert "noeviction" in capsys.readouterr().err
