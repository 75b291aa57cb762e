"""Forgetting a patient reaches the reversible records, or says that it did not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from deidstream.agents.runtime.root_keys import write_key
from deidstream.stream.redis.reversible_rights import FORGETTER
from deidstream.stream.redis.reversible_store import KEYS, PATIENTS
from support.redis_server import missing
from support.reversible_site import Site, running_site, surrogate_of

pytestmark = pytest.mark.skipif(missing() is not None, reason="no redis-server")
NAME = "Quentin Vanterpool"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A site whose commands run as the user that forgets."""
    with running_site(tmp_path) as made:
        for name, value in made.environment("forgetter").items():
            monkeypatch.setenv(name, value)
        yield made


def rotated(site: Site) -> dict[str, str]:
    """Settings of the next key of records."""
    write_key(site.folder / "reverse.v2")
    return {
        "DEIDSTREAM_REVERSE_KEY_FILE": str(site.folder / "reverse.v2"),
        "DEIDSTREAM_REVERSE_KEY_VERSION": "2",
        "DEIDSTREAM_REVERSE_KEY_PREVIOUS": f"1={site.folder / 'reverse'}",
    }


def test_the_records_of_a_forgotten_patient_are_gone_and_no_others(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    others = (site.kept(patient="P2", note="n2"), site.kept(tenant="other"))
    before, lists = site.names(), site.lists()
    outcome = site.kept()
    site.kept(note="n3")
    mine = len(site.names() - before)
    assert mine >= 6
    assert site.forget("P1", "nobody") == 0
    said = capsys.readouterr().err
    assert f"reversible records: {mine} deleted" in said
    assert "P1" not in said
    assert (site.names(), site.lists()) == (before, lists)
    monkeypatch.setenv("DEIDSTREAM_REVERSE_REDIS_URL", site.url("reader"))
    assert site.reidentify(site.tokens(outcome, surrogate_of(outcome, NAME))) == 0
    assert [line["originals"] for line in site.out()] == [[]]
    for other, tenant in zip(others, ("mercy", "other"), strict=True):
        tokens = site.tokens(other, surrogate_of(other, NAME))
        assert site.reidentify(tokens, tenant=tenant) == 0
        assert [len(line["originals"]) for line in site.out()] == [1]


def test_records_of_every_key_version_are_reached(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.kept()
    later = rotated(site)
    site.kept(note="n2", **later)
    for name, value in later.items():
        monkeypatch.setenv(name, value)
    assert len(site.lists()) == 2
    assert site.forget("P1") == 0
    assert (site.names(), site.lists()) == (set(), set())


def test_where_a_key_is_not_here_nothing_is_deleted(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.kept()
    site.kept(note="n2", **rotated(site))
    before = site.names()
    assert site.forget("P1") == 78
    said = capsys.readouterr().err
    assert "key version 2 are stored" in said
    assert "nothing was deleted" in said
    assert "patients:" not in said
    assert site.names() == before


@pytest.mark.parametrize("lacking", [" +del", " +zrem", " +zrange", " %RW~deid:rp:*"])
def test_a_user_who_may_not_is_told_in_one_line_and_nothing_is_deleted(
    site: Site, capsys: pytest.CaptureFixture[str], lacking: str
) -> None:
    assert lacking in FORGETTER
    site.kept()
    before = site.names()
    site.acl("forgetter", FORGETTER.replace(lacking, ""))
    assert site.forget("P1") == 78
    said = capsys.readouterr().err
    assert "nothing was deleted" in said
    assert "patients:" not in said
    assert len(said.splitlines()) == 1
    assert site.names() == before


def test_the_user_that_forgets_reads_no_record(site: Site) -> None:
    site.kept()
    # As for a reader: neither may it pass for one.
    assert site.reidentify(site.tokens(site.kept(), "x")) == 78
    assert not (site.folder / "out.jsonl").exists()


def test_where_they_are_off_it_says_that_they_were_not_looked_at(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site.kept()
    before = site.names()
    for name in ("REDIS_URL", "KEY_FILE"):
        monkeypatch.delenv(f"DEIDSTREAM_REVERSE_{name}")
    assert site.forget("P1") == 0
    assert "reversible records: not checked" in " ".join(capsys.readouterr().err.split())
    assert site.names() == before


def test_what_fails_on_the_way_is_said_and_finished_by_another_run(
    site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site.kept()
    admin = site.admin()
    (listed,) = site.lists()
    admin.zadd(listed, {b"no entry that anybody sealed": 0})
    assert site.forget("P1") == 78
    said = " ".join(capsys.readouterr().err.split())
    assert "NOT forgotten" in said
    assert "patients:" not in said
    admin.zrem(listed, b"no entry that anybody sealed")
    assert site.forget("P1") == 0
    assert site.names() == set()
    monkeypatch.setenv("DEIDSTREAM_REVERSE_REDIS_URL", "redis://forgetter:secret@127.0.0.1:1/1")
    capsys.readouterr()
    assert site.forget("P1") == 69
    assert "patients:" not in capsys.readouterr().err


def test_records_that_ended_first_and_lists_of_the_dead_are_no_trouble(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    site.kept()
    ended = sorted(site.names())[:2]
    site.admin().delete(*ended)
    left = len(site.names())
    assert site.forget("P1") == 0
    assert f"reversible records: {left} deleted" in capsys.readouterr().err
    assert not site.admin().exists(PATIENTS + b"probe", KEYS + b"x")
    assert site.lists() == set()


def test_a_redis_that_evicts_may_have_lost_a_list_and_it_is_said(
    site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    assert site.forget("P1") == 0
    assert "evicts" not in capsys.readouterr().err
    site.admin().config_set("maxmemory-policy", "volatile-lru")
    assert site.forget("P1") == 0
    assert "may remain until they expire" in " ".join(capsys.readouterr().err.split())
