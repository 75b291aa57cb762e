"""The store of reversible records on a real Redis: what is listed, how long, and all or none."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from deidstream.schemas.errors import InvalidSettings, Unavailable
from deidstream.schemas.ports import SealedRecord
from deidstream.stream.redis.reversible_rights import FORGETTER, READER, WRITER, address, can_see
from deidstream.stream.redis.reversible_store import (
    GRACE_SECONDS,
    KEYS,
    PATIENTS,
    PREFIX,
    ReversibleStore,
)
from support.redis_server import missing
from support.reversible_site import Site, running_site

pytestmark = pytest.mark.skipif(missing() is not None, reason="no redis-server")
ANN = b"a" * 16


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path) as made:
        yield made


def record(number: int, patient: bytes = ANN) -> SealedRecord:
    name = b"%016d" % number
    return SealedRecord(patient, b"entry" + name, name, b"value")


def keep(site: Site, records: list[SealedRecord], seconds: int, mark: bytes = b"1:x") -> None:
    async def run() -> None:
        store = ReversibleStore.connect(site.url("writer"))
        try:
            await store.keep(records, mark, seconds)
        finally:
            await store.close()

    asyncio.run(run())


def listed(site: Site, patient: bytes = ANN) -> set[bytes]:
    found = cast("list[bytes]", site.admin().zrange(PATIENTS + patient, 0, -1))
    return {entry.removeprefix(b"entry") for entry in found}


def test_every_record_is_in_the_list_of_its_patient_alone(site: Site) -> None:
    bob = b"b" * 16
    keep(site, [record(1), record(2, bob), record(3)], 100)
    assert (listed(site), listed(site, bob)) == (
        {record(1).name, record(3).name},
        {record(2).name},
    )
    assert len(site.names()) == 3
    keep(site, [record(1)], 100)
    assert listed(site) == {record(1).name, record(3).name}


def test_a_list_lives_as_long_as_the_longest_of_its_records(site: Site) -> None:
    admin = site.admin()
    keep(site, [record(1)], 5_000)
    keep(site, [record(2)], 50)
    for name in (PATIENTS + ANN, KEYS):
        assert 4_990 + GRACE_SECONDS < admin.ttl(name) <= 5_000 + GRACE_SECONDS
    keep(site, [record(3)], 9_000)
    assert admin.ttl(PATIENTS + ANN) > 8_990 + GRACE_SECONDS


def test_a_patient_whose_notes_keep_coming_has_no_entries_of_the_dead(site: Site) -> None:
    admin = site.admin()
    keep(site, [record(1), record(2)], 50)
    now = admin.time()[0]
    entry = record(1).entry
    admin.zadd(PATIENTS + ANN, {entry: now - GRACE_SECONDS - 5})
    admin.zadd(KEYS, {b"0:old": now - GRACE_SECONDS - 5})
    keep(site, [record(3)], 50)
    assert listed(site) == {record(2).name, record(3).name}
    assert admin.zrange(KEYS, 0, -1) == [b"1:x"]


def test_records_come_with_their_lists_or_not_at_all(site: Site) -> None:
    site.acl("writer", WRITER.replace("%W~deid:rp:* ", ""))
    with pytest.raises(InvalidSettings):
        keep(site, [record(1)], 50)
    site.acl("writer", WRITER.replace("%W~deid:rv:* ", ""))
    with pytest.raises(InvalidSettings):
        keep(site, [record(1)], 50)
    assert site.admin().keys() == []


def test_many_records_are_forgotten_and_counted(site: Site) -> None:
    keep(site, [record(number) for number in range(2_500)], 500)

    async def run() -> int:
        store = ReversibleStore.connect(site.url("forgetter"))
        try:
            entries = await store.entries(ANN)
            return await store.forget(ANN, {e: e.removeprefix(b"entry") for e in entries})
        finally:
            await store.close()

    assert asyncio.run(run()) == 2_500
    assert not site.admin().exists(PATIENTS + ANN)
    assert site.names() == set()


def test_a_wrong_password_is_no_absence(site: Site) -> None:
    async def ping(url: str) -> None:
        store = ReversibleStore.connect(url)
        try:
            await store.ping()
        finally:
            await store.close()

    with pytest.raises(InvalidSettings, match="password"):
        asyncio.run(ping(site.url("writer").replace("secret", "other")))
    with pytest.raises(Unavailable):
        asyncio.run(ping("redis://writer:secret@127.0.0.1:1/1"))
    with pytest.raises(InvalidSettings, match="not a URL"):
        asyncio.run(ping("http://writer:secret@127.0.0.1/1"))


def test_one_server_is_known_under_two_names(site: Site) -> None:
    other = f"redis://localhost:{site.server.port}/0"
    assert address(other).server != address(site.url("writer")).server

    async def seen(user: str) -> bool:
        writer = ReversibleStore.connect(site.url("writer"))
        store = ReversibleStore.connect(user, 1)
        try:
            return await can_see(store, writer)
        finally:
            await store.close()
            await writer.close()

    assert asyncio.run(seen(other))
    assert not asyncio.run(seen(site.url("surrogates", 0)))
    assert address("unix:///run/one.sock?db=2") != address("unix:///run/two.sock?db=2")


@pytest.mark.parametrize(
    ("user", "rules"), [("writer", WRITER), ("reader", READER), ("forgetter", FORGETTER)]
)
def test_the_manual_gives_the_rights_that_are_tested(user: str, rules: str) -> None:
    manual = Path(__file__).parents[4] / "docs" / "reidentification.md"
    assert f"ACL SETUSER rv-{user} {rules}\n" in manual.read_text()


def test_names_are_apart(site: Site) -> None:
    keep(site, [record(1)], 50)
    assert {key.partition(b":")[2][:3] for key in cast("list[bytes]", site.admin().keys())} == {
        PREFIX[5:8],
        PATIENTS[5:8],
        KEYS[5:],
    }
