"""The worker's half of re-identification on a real Redis: it writes what it cannot read."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
import redis
from redis.exceptions import NoPermissionError

from deidstream.agents.runtime.reversible_access import reversible_keys
from deidstream.agents.runtime.reversible_writer import ReversibleWriter
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.observing.health import Health
from deidstream.stream.redis.reversible_store import GRACE_SECONDS, KEYS, PREFIX, PROBE
from support.redis_server import missing
from support.reversible_site import Site, command, running_site, surrogate_of

pytestmark = pytest.mark.skipif(missing() is not None, reason="no redis-server")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with running_site(tmp_path) as made:
        for name, value in made.environment("reader").items():
            monkeypatch.setenv(name, value)
        yield made


def test_neither_role_of_the_worker_can_decode(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = site.kept()
    tokens = site.tokens(outcome, surrogate_of(outcome, "5512873"))
    key = next(iter(site.names()))
    for user in ("writer", "surrogates"):
        client = redis.Redis.from_url(site.url(user))
        for words in (
            ("GET", key),
            ("MGET", key),
            ("GETDEL", key),
            ("GETEX", key),
            ("DUMP", key),
            ("STRLEN", key),
            ("COPY", key, b"deid:rv:x"),
            ("SET", key, b"", "GET"),
            ("SCAN", "0"),
            ("EVAL", "return redis.call('get', KEYS[1])", "1", key),
        ):
            with pytest.raises(NoPermissionError):
                command(client)(*words)
    monkeypatch.setenv("DEIDSTREAM_REVERSE_REDIS_URL", site.url("writer"))
    assert site.reidentify(tokens) == 78
    assert "may not do this" in capsys.readouterr().err
    assert not (site.folder / "out.jsonl").exists()


def test_the_reader_cannot_write(site: Site) -> None:
    with pytest.raises(NoPermissionError):
        redis.Redis.from_url(site.url("reader")).set(PREFIX + b"x", b"")
    with pytest.raises(InvalidSettings):
        asyncio.run(ReversibleWriter.connect(site.settings("reader"), Health(60)))


def test_redis_holds_no_original_and_not_for_ever(site: Site) -> None:
    site.kept()
    admin = site.admin()
    keys = site.names() | site.lists() | {KEYS}
    assert keys == {key for key in cast("list[bytes]", admin.keys()) if PROBE not in key}
    stored = b"".join(key + cast("bytes", admin.dump(key)) for key in keys)
    assert len(keys) >= 6
    for word in (b"Vanterpool", b"Quentin", b"5512873", b"Brightwater", b"PATIENT", b"mercy"):
        assert word not in stored
    month = 30 * 86_400
    assert all(month - 60 < admin.ttl(key) <= month + GRACE_SECONDS for key in keys)


@pytest.mark.parametrize("user", ["writer", "surrogates"])
def test_a_worker_whose_users_may_read_does_not_start(site: Site, user: str) -> None:
    site.acl(user, "on >SECRET ~* +@all")
    with pytest.raises(InvalidSettings) as caught:
        asyncio.run(ReversibleWriter.connect(site.settings(), Health(60)))
    assert "may read" in str(caught.value)
    assert "secret" not in str(caught.value)


def test_another_name_of_one_server_hides_no_user_who_may_read(site: Site) -> None:
    for url in (f"redis://localhost:{site.server.port}/0", f"redis://127.0.0.1:{site.server.port}"):
        with pytest.raises(InvalidSettings, match="DEIDSTREAM_REDIS_URL: its user may read"):
            asyncio.run(
                ReversibleWriter.connect(site.settings(DEIDSTREAM_REDIS_URL=url), Health(60))
            )


def test_key_user_and_database_are_apart_from_those_of_surrogates(site: Site) -> None:
    keys, url = "DEIDSTREAM_REVERSE_KEY_FILE", "DEIDSTREAM_REVERSE_REDIS_URL"
    anonymous = f"redis://127.0.0.1:{site.server.port}/1"
    for changed, said in (
        ({keys: str(site.folder / "key")}, "key of surrogates"),
        ({url: site.url("surrogates")}, "same user"),
        ({url: site.url("writer", 0)}, "same database"),
        ({url: anonymous}, "separate Redis user"),
    ):
        with pytest.raises(InvalidSettings) as caught:
            reversible_keys(site.settings(**changed))
        assert said in str(caught.value)
    assert reversible_keys(site.settings())
