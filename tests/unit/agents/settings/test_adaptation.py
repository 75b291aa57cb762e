"""The adaptation in force: its policy and tagger take the places of those that are set."""

from pathlib import Path

import orjson
import pytest

from deidstream.agents.settings import read_settings
from deidstream.agents.settings.adaptation import (
    FACTS,
    IN_FORCE,
    VERSIONS,
    find_adaptation,
    read_in_force,
)
from deidstream.schemas.errors import InvalidSettings


def write(folder: Path, name: str = "v1", **changed: str) -> dict[str, str]:
    version = folder / VERSIONS / name
    version.mkdir(parents=True)
    facts = {
        "digest": f"{name}0000",
        "base": "surrogate",
        "policy": "surrogate.toml",
        "policy_sha256": "aa",
        "tagger_sha256": "bb",
    }
    (version / FACTS).write_bytes(orjson.dumps(facts | changed))
    return {"DEIDSTREAM_ADAPTATION": str(folder)}


def put_in_force(folder: Path, *names: str) -> None:
    (folder / IN_FORCE).write_bytes(orjson.dumps({"versions": names}))


def test_the_last_version_counts(tmp_path: Path) -> None:
    environment = write(tmp_path)
    write(tmp_path, "v2")
    put_in_force(tmp_path, "v2", "v1")
    settings = read_settings(environment)
    assert Path(settings.policy) == tmp_path / VERSIONS / "v1" / "surrogate.toml"
    assert Path(settings.tagger.path) == tmp_path / VERSIONS / "v1" / "tagger"
    assert settings.tagger.sha256 == "bb"
    assert read_in_force(tmp_path) == ["v2", "v1"]


def test_none_in_force_leaves_the_settings(tmp_path: Path) -> None:
    environment = write(tmp_path)
    assert read_settings(environment).policy == "surrogate"
    assert find_adaptation("") is None
    put_in_force(tmp_path, "v1")
    assert read_settings(environment).policy != "surrogate"
    put_in_force(tmp_path)
    assert read_settings(environment).policy == "surrogate"


def test_a_tagger_that_stays_is_left(tmp_path: Path) -> None:
    environment = write(tmp_path, tagger_sha256="") | {"DEIDSTREAM_TAGGER_PATH": "/models/own"}
    put_in_force(tmp_path, "v1")
    assert read_settings(environment).tagger.path == "/models/own"


def test_a_command_line_wins(tmp_path: Path) -> None:
    environment = write(tmp_path)
    put_in_force(tmp_path, "v1")
    flags = {"policy": "redact", "tagger.path": None}
    settings = read_settings(environment, flags)
    assert settings.policy == "redact"
    assert settings.tagger.sha256 == "bb"
    assert read_settings(environment, {"adaptation": ""}).tagger.sha256 == ""


def test_another_policy_than_it_extends_is_refused(tmp_path: Path) -> None:
    environment = write(tmp_path)
    put_in_force(tmp_path, "v1")
    with pytest.raises(InvalidSettings, match="extends the policy surrogate"):
        read_settings(environment | {"DEIDSTREAM_POLICY": "redact"})


def test_a_path_may_be_written_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site.toml").write_text('extends = "surrogate"\n')
    environment = write(tmp_path / "a", base=str(tmp_path / "site.toml"))
    put_in_force(tmp_path / "a", "v1")
    assert read_settings(environment | {"DEIDSTREAM_POLICY": "site.toml"}).policy != "site.toml"


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match="no folder of"):
        read_settings({"DEIDSTREAM_ADAPTATION": str(tmp_path)})


def test_a_version_that_is_gone_or_open_to_all_is_refused(tmp_path: Path) -> None:
    environment = write(tmp_path)
    put_in_force(tmp_path, "v7")
    with pytest.raises(InvalidSettings, match="version v7 cannot be read"):
        read_settings(environment)
    put_in_force(tmp_path, "v1")
    (tmp_path / VERSIONS / "v1").chmod(0o777)
    with pytest.raises(InvalidSettings, match="any user may write there"):
        read_settings(environment)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    environment = write(tmp_path)
    (tmp_path / IN_FORCE).write_bytes(b"[1")
    with pytest.raises(InvalidSettings, match=r"in-force\.json: cannot be read"):
        read_settings(environment)
