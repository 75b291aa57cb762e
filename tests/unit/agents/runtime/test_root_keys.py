"""The root key."""

import resource
from pathlib import Path

import pytest

from deidstream.agents.runtime.root_keys import (
    describe_exposure,
    fresh_key,
    name_wrapping,
    read_key,
    write_key,
)
from deidstream.schemas.errors import MissingArtefact, Unavailable
from support.key_servers import TOKEN, KeyDesk, answer_transit, serving_keys


def test_a_new_key_is_read_back_and_only_its_owner_may(tmp_path: Path) -> None:
    write_key(tmp_path / "deep" / "key")
    assert len(read_key(str(tmp_path / "deep" / "key"))) == 32
    assert (tmp_path / "deep" / "key").stat().st_mode & 0o777 == 0o600


def test_two_keys_differ(tmp_path: Path) -> None:
    write_key(tmp_path / "a")
    write_key(tmp_path / "b")
    assert read_key(str(tmp_path / "a")) != read_key(str(tmp_path / "b"))


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    write_key(tmp_path / "key")
    with pytest.raises(MissingArtefact):
        write_key(tmp_path / "key")


def test_without_room_there_is_no_key_and_the_next_try_makes_it(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20, hard))
    try:
        with pytest.raises(MissingArtefact, match="File too large"):
            write_key(tmp_path / "key")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())
    write_key(tmp_path / "key")
    assert read_key(str(tmp_path / "key"))


@pytest.mark.parametrize("content", ["", "xyz", "00" * 31, "00" * 33, "0" * 64, "\udcff"])
def test_what_is_no_key_is_refused_and_not_quoted(tmp_path: Path, content: str) -> None:
    path = tmp_path / "key"
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(MissingArtefact) as caught:
        read_key(str(path))
    assert not content or content not in str(caught.value)


def test_a_key_in_the_place_of_its_file_is_not_quoted() -> None:
    root = fresh_key().hex()
    for read in (read_key, describe_exposure):
        with pytest.raises(MissingArtefact) as caught:
            read(root)
        assert root not in str(caught.value)


def test_no_file_named_says_what_to_do() -> None:
    with pytest.raises(MissingArtefact, match="keys new"):
        read_key("")


def test_a_wrapped_key_is_not_in_its_file_and_is_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VAULT_TOKEN", TOKEN)
    monkeypatch.setenv("VAULT_NAMESPACE", "clinic")
    file, desk = tmp_path / "key", KeyDesk()
    with serving_keys(answer_transit, desk) as host:
        address = f"transit+http://{host}/site/transit/notes"
        write_key(file, address)
        root = read_key(str(file))
    assert (len(root), name_wrapping(str(file))) == (32, address)
    assert root.hex() not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Unavailable, match="HashiCorp Vault"):
        read_key(str(file))


def test_no_service_is_asked_for_a_key_that_is_there(tmp_path: Path) -> None:
    write_key(tmp_path / "key")
    assert name_wrapping(str(tmp_path / "key")) == ""
    with pytest.raises(MissingArtefact, match="File exists"):
        write_key(tmp_path / "key", "transit+http://127.0.0.1:1/transit/notes")


def test_a_file_that_is_not_there_says_how_to_make_a_key(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match=r"there is no file .*/none; 'deidstream keys new"):
        read_key(str(tmp_path / "none"))
    with pytest.raises(MissingArtefact, match="Is a directory"):
        read_key(str(tmp_path))
