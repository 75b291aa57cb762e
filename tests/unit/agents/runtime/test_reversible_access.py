"""``doctor`` and ``vault check`` check the Redis of reversible records, and their keys."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.doctor.examination import Finding, examine
from deidstream.agents.runtime.reversible_access import describe_access
from deidstream.agents.runtime.reversible_writer import ReversibleWriter
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.stream.observing.health import Health
from support.redis_server import missing
from support.reversible_site import Site, running_site

pytestmark = pytest.mark.skipif(missing() is not None, reason="no redis-server")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    durable = ("--appendfsync", "always")
    with running_site(tmp_path, appendonly=True, options=durable) as made:
        yield made


@pytest.mark.parametrize(
    ("user", "role"),
    [("writer", "worker"), ("reader", "reidentify"), ("forgetter", "vault forget")],
)
def test_it_says_for_whom_the_user_is(site: Site, user: str, role: str) -> None:
    site.kept()
    said = asyncio.run(describe_access(site.settings(user)))
    assert f"for '{role}'" in said
    assert "key version 1, 0 older; faults: none" in said
    assert asyncio.run(describe_access(read_settings({}))) == "off"


def test_what_would_defeat_the_separation_is_a_fault(site: Site) -> None:
    site.acl("writer", "on >SECRET ~* +@all")
    with pytest.raises(InvalidSettings, match="may read"):
        asyncio.run(describe_access(site.settings("writer")))
    site.acl("writer", "on >SECRET ~* -@all +ping +select")
    with pytest.raises(InvalidSettings, match="may neither"):
        asyncio.run(describe_access(site.settings("writer")))


def test_another_key_than_that_of_the_records_is_a_fault(site: Site) -> None:
    site.kept()
    (site.folder / "reverse").unlink()
    write_key(site.folder / "reverse")
    for user in ("reader", "forgetter"):
        with pytest.raises(InvalidSettings, match="key version 1 are stored, and no key"):
            asyncio.run(describe_access(site.settings(user)))


def test_a_redis_that_would_lose_records_is_told(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    site.admin().config_set("maxmemory-policy", "volatile-ttl")
    (site.folder / "reverse").chmod(0o644)
    said = asyncio.run(describe_access(site.settings("writer")))
    assert "maxmemory-policy noeviction" in said
    assert "key version 1 is open to its group and others" in said

    async def start() -> None:
        writer = await ReversibleWriter.connect(site.settings("writer"), Health(60))
        assert writer
        await writer.store.close()

    asyncio.run(start())
    assert [each.message for each in caplog.records] == ["reverse-redis-fault"]


@pytest.mark.slow
def test_a_redis_that_is_away_is_away(site: Site) -> None:
    url = {"DEIDSTREAM_REVERSE_REDIS_URL": "redis://writer:secret@127.0.0.1:1/1"}
    with pytest.raises(Unavailable):
        asyncio.run(describe_access(site.settings(**url)))

    async def find() -> list[Finding]:
        return [f async for f in examine(site.settings(**url)) if f.name == "reversible"]

    (finding,) = asyncio.run(find())
    assert (finding.good, finding.code) == (False, 69)


def test_vault_check_says_it(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in site.environment("reader").items():
        monkeypatch.setenv(name, value)
    assert main(["vault", "check"]) == 0
    assert "reversible records: on, for 'reidentify'" in " ".join(capsys.readouterr().err.split())
    monkeypatch.setenv("DEIDSTREAM_REVERSE_KEY_FILE", str(site.folder / "key"))
    assert main(["vault", "check"]) == 78
    assert "holds a key of surrogates" in " ".join(capsys.readouterr().err.split())
