"""What is wrong around a worker is said before its models load."""

import asyncio
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.runtime.worker import run_worker
from deidstream.agents.settings import HttpSettings, KeySettings, RedisSettings, Settings
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Unavailable
from support.ports import free_port


def load(_settings: Settings) -> PolicyChoice:
    pytest.fail("models were loaded")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    write_key(tmp_path / "key")
    return Settings(
        key=KeySettings(file=str(tmp_path / "key")),
        redis=RedisSettings(url=f"redis://127.0.0.1:{free_port()}/0"),
        http=HttpSettings(port=0),
    )


def test_a_port_that_is_taken(settings: Settings) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        http = HttpSettings(port=taken.getsockname()[1])
        with pytest.raises(InvalidSettings, match="DEIDSTREAM_HTTP_PORT"):
            asyncio.run(run_worker(replace(settings, http=http), load=load))


def test_a_folder_that_cannot_be_written(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    redis = replace(settings.redis, state=str(tmp_path / "file" / "state"))
    with pytest.raises(MissingArtefact, match="DEIDSTREAM_REDIS_STATE"):
        asyncio.run(run_worker(replace(settings, redis=redis), load=load))


def test_no_key(settings: Settings) -> None:
    with pytest.raises(MissingArtefact, match="keys new"):
        asyncio.run(run_worker(replace(settings, key=KeySettings()), load=load))


def test_no_redis_and_an_exposed_key(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    Path(settings.key.file).chmod(0o644)
    with pytest.raises(Unavailable, match="redis"):
        asyncio.run(run_worker(settings, load=load))
    assert [record.msg for record in caplog.records][:1] == ["key-exposed"]
