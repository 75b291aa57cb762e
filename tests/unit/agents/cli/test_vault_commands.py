"""``deidstream keys`` and the files it writes."""

from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.root_keys import (
    describe_exposure,
    key_files,
    opens,
    read_key,
    read_keys,
    seal_canary,
)
from deidstream.agents.settings import KeySettings
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from support.redis_server import Redis


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key in force, version 1, with a Redis that is away."""
    path = tmp_path / "key"
    assert main(["keys", "new", str(path)]) == 0
    monkeypatch.setenv("DEIDSTREAM_KEY_FILE", str(path))
    monkeypatch.setenv("DEIDSTREAM_REDIS_URL", "redis://127.0.0.1:1/0")
    return path


def put_in_force(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for line in said.splitlines():
        name, equals, value = line.partition("=")
        if equals and name.startswith("DEIDSTREAM_KEY_"):
            monkeypatch.setenv(name, value)


def test_rotate_says_what_it_means_and_asks(
    key: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(key.parent.iterdir())
    assert main(["keys", "rotate"]) == 64
    assert "joined" in capsys.readouterr().err
    monkeypatch.setenv("DEIDSTREAM_REDIS_MODE", "random")
    assert main(["keys", "rotate"]) == 64
    assert "Surrogates stay" in capsys.readouterr().err
    assert sorted(key.parent.iterdir()) == before


def test_rotate_leaves_the_old_key_and_says_what_to_set(
    key: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    old = key.read_bytes()
    for version in (2, 3):
        assert main(["keys", "rotate", "--yes"]) == 0
        said = capsys.readouterr().err
        assert f"DEIDSTREAM_KEY_VERSION={version}" in said
        put_in_force(said, monkeypatch)
        assert (key.parent / f"key.v{version}").stat().st_mode & 0o777 == 0o600
    assert key.read_bytes() == old
    settings = KeySettings(str(key.parent / "key.v3"), 3, f"1={key},2={key.parent / 'key.v2'}")
    keys = read_keys(settings)
    assert keys.version == 3
    assert list(keys.roots) == [1, 2, 3]
    assert len(set(keys.roots.values())) == 3
    assert not any(root.hex() in said or root.hex() in repr(keys) for root in keys.roots.values())


@pytest.mark.usefixtures("key")
def test_rotate_never_overwrites() -> None:
    assert main(["keys", "rotate", "--yes"]) == 0
    assert main(["keys", "rotate", "--yes"]) == 78


@pytest.mark.parametrize("previous", ["x=/a", "1=", "2=/a", "3=/a", "1=/a,1=/b", "-1=/a", "/a"])
def test_wrong_earlier_versions_are_refused(previous: str) -> None:
    with pytest.raises(InvalidSettings, match="PREVIOUS"):
        key_files(KeySettings("key", 2, previous))


def test_two_versions_of_one_key_are_refused(key: Path, tmp_path: Path) -> None:
    (tmp_path / "same").write_bytes(key.read_bytes())
    with pytest.raises(MissingArtefact, match="same key"):
        read_keys(KeySettings(str(tmp_path / "same"), 2, f"1={key}"))


@pytest.mark.parametrize(
    ("mode", "who"), [(0o600, ""), (0o400, ""), (0o640, "group"), (0o604, "others")]
)
def test_who_else_may_read_a_key_is_said(key: Path, mode: int, who: str) -> None:
    key.chmod(mode)
    assert bool(describe_exposure(str(key))) == bool(who)
    assert who in describe_exposure(str(key))


def test_a_canary_is_opened_by_its_key_alone(key: Path) -> None:
    root = read_key(str(key))
    sealed = seal_canary(root, 1)
    assert opens(root, 1, sealed)
    assert not opens(root, 2, sealed)
    assert not opens(bytes(range(32)), 1, sealed)
    assert not opens(root, 1, b"")
    assert not opens(root, 1, sealed[:-1])


@pytest.mark.usefixtures("key")
def test_check_without_redis_is_69() -> None:
    assert main(["keys", "check"]) == 69


@pytest.mark.broker
def test_check_tells_the_right_key_from_another(
    key: Path,
    redis_server: Redis,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import redis as blocking  # noqa: PLC0415

    with blocking.Redis.from_url(redis_server.url) as client:
        client.flushdb()
        monkeypatch.setenv("DEIDSTREAM_REDIS_URL", redis_server.url)
        assert main(["keys", "check"]) == 0
        assert "not been used with this Redis" in capsys.readouterr().err
        client.set("deid:key:1", seal_canary(read_key(str(key)), 1))
        assert main(["keys", "check"]) == 0
        assert "opens what Redis holds" in capsys.readouterr().err
        key.chmod(0o640)
        assert main(["keys", "check"]) == 78
        key.chmod(0o600)
        client.set("deid:key:1", seal_canary(bytes(range(32)), 1))
        assert main(["keys", "check"]) == 78
        said = capsys.readouterr().err
        client.flushdb()
    assert "does NOT open" in said
    assert key.read_text().strip() not in said


def test_check_says_of_a_key_that_others_may_read_it(
    key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key.chmod(0o644)
    main(["keys", "check"])
    assert "open to its group and others (mode 0644)" in capsys.readouterr().err
