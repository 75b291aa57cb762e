"""What is refused in production, setting by setting."""

import asyncio
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.production import find_unsafe, refuse_unsafe
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.runtime.worker import run_worker
from deidstream.agents.settings import read_settings
from deidstream.schemas.errors import InvalidSettings

UNSAFE = {
    "KAFKA_BROKERS": "kafka.example:9092",
    "KAFKA_CREATE_TOPICS": "true",
    "REDIS_URL": "redis://redis.example:6379/0",
    "REVERSE_REDIS_URL": "redis://reverse.example:6379/0",
    "WORKER_LOG_LEVEL": "debug",
    "HTTP_HOST": "0.0.0.0",  # noqa: S104 - what is refused
}


@pytest.fixture
def safe(tmp_path: Path) -> dict[str, str]:
    """Settings of a deployment in production."""
    write_key(tmp_path / "key")
    secrets = {
        "REDIS_URL": "rediss://worker:drawn@redis.example:6379/0",
        "KAFKA_PASSWORD": "drawn",
        "HTTP_TOKEN": "drawn",
    }
    for name, text in secrets.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o600)
    files = {f"{name}_FILE": str(tmp_path / name) for name in secrets}
    given = {
        "ENV": "prod",
        "KEY_FILE": str(tmp_path / "key"),
        "KAFKA_BROKERS": "one.example:9093,two.example:9093",
        "KAFKA_SECURITY": "sasl-ssl",
        "KAFKA_USER": "worker",
        "KAFKA_CREATE_TOPICS": "false",
        "HTTP_HOST": "0.0.0.0",  # noqa: S104 - with a token
        **files,
    }
    return {f"DEIDSTREAM_{name}": value for name, value in given.items()}


def unsafe(environment: dict[str, str], **given: str) -> list[str]:
    stated = environment | {f"DEIDSTREAM_{name}": value for name, value in given.items()}
    stated = {name: value for name, value in stated.items() if value}
    return find_unsafe(read_settings(stated), stated)


def test_a_safe_deployment_is_not_refused(safe: dict[str, str]) -> None:
    assert unsafe(safe) == []
    refuse_unsafe(read_settings(safe), safe)


def test_on_this_machine_alone_nothing_goes_over_a_network() -> None:
    for host in ("127.0.0.1", "localhost", "[::1]"):
        given = {"DEIDSTREAM_KAFKA_BROKERS": f"{host}:9092"}
        assert unsafe(given, KAFKA_REPLICATION="3", REDIS_URL=f"redis://{host}:6379/0") == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"KAFKA_SECURITY": "sasl-plaintext"}, "DEIDSTREAM_KAFKA_SECURITY: notes"),
        ({"KAFKA_SECURITY": "ssl"}, "neither SASL nor a certificate"),
        ({"KAFKA_BROKERS": "localhost:1,far.example:2", "KAFKA_SECURITY": "plaintext"}, "notes"),
        ({"KAFKA_TLS_CHECK_HOSTNAME": "false"}, "DEIDSTREAM_KAFKA_TLS_CHECK_HOSTNAME"),
        ({"KAFKA_TOKEN_URL": "http://login.example/token"}, "DEIDSTREAM_KAFKA_TOKEN_URL"),
        ({"KAFKA_CREATE_TOPICS": "true"}, "DEIDSTREAM_KAFKA_REPLICATION"),
        ({"KAFKA_PASSWORD": "here"}, "DEIDSTREAM_KAFKA_PASSWORD_FILE"),
        ({"REVERSE_REDIS_URL": "redis://u:p@far.example/0"}, "DEIDSTREAM_REVERSE_REDIS_URL_FILE"),
        ({"REVERSE_REDIS_URL": "redis://far.example/0"}, "use rediss://"),
        ({"REVERSE_REDIS_URL": "rediss://far.example/0"}, "no user with a password"),
        ({"REDIS_TLS_CHECK_HOSTNAME": "false"}, "DEIDSTREAM_REDIS_TLS_CHECK_HOSTNAME"),
        ({"WORKER_LOG_LEVEL": "debug"}, "DEIDSTREAM_WORKER_LOG_LEVEL"),
        ({"TRACES_ENDPOINT": "http://traces.example:4318/v1/traces"}, "DEIDSTREAM_TRACES_ENDPOINT"),
        ({"HTTP_TOKEN_FILE": ""}, "DEIDSTREAM_HTTP_TOKEN"),
    ],
)
def test_each_unsafe_setting_is_named(
    safe: dict[str, str], given: dict[str, str], said: str
) -> None:
    found = unsafe(safe, **given)
    assert [line for line in found if said in line], found


@pytest.mark.parametrize(("mode", "good"), [(0o600, True), (0o640, True), (0o644, False)])
def test_a_key_that_others_may_read_is_named(
    safe: dict[str, str], tmp_path: Path, mode: int, *, good: bool
) -> None:
    (tmp_path / "key").chmod(mode)
    assert (unsafe(safe) == []) == good


@pytest.mark.parametrize("part", ["API", "MLLP", "REVIEW"])
def test_a_key_of_an_interface_that_others_may_read_is_named(
    safe: dict[str, str], tmp_path: Path, part: str
) -> None:
    key = tmp_path / "tls.key"
    key.write_text("key")
    key.chmod(0o644)
    (said,) = unsafe(safe, **{f"{part}_TLS_KEY": str(key)})
    assert said.startswith(f"{key}: others may read this key (mode 0644)")


@pytest.mark.parametrize("name", ["REDIS_URL", "KAFKA_PASSWORD", "HTTP_TOKEN"])
def test_a_secret_that_others_may_read_is_named(
    safe: dict[str, str], tmp_path: Path, name: str
) -> None:
    (tmp_path / name).chmod(0o644)
    (said,) = unsafe(safe)
    assert said.startswith(f"DEIDSTREAM_{name}_FILE: others may read its file (mode 0644)")


def test_a_key_in_the_place_of_its_file_is_refused_and_not_quoted(safe: dict[str, str]) -> None:
    key = "845e9c0a" * 8
    said = "\n".join(unsafe(safe, KEY_FILE=key))
    assert "DEIDSTREAM_KEY_FILE: is in the environment" in said
    assert key not in said


def test_a_worker_that_python_starts_is_refused_too(safe: dict[str, str]) -> None:
    settings = read_settings(safe | {"DEIDSTREAM_WORKER_LOG_LEVEL": "debug"})
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_WORKER_LOG_LEVEL"):
        asyncio.run(run_worker(settings))


def test_no_secret_is_in_what_is_said(safe: dict[str, str]) -> None:
    given = {"KAFKA_PASSWORD": "hunter2", "REDIS_URL": "redis://worker:hunter2@far.example/0"}
    found = unsafe(safe, **given)
    assert len(found) >= 3
    assert "hunter2" not in "".join(found)


def test_every_reason_is_given_at_once_and_only_in_production(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in UNSAFE.items():
        monkeypatch.setenv(f"DEIDSTREAM_{name}", value)
    assert main(["config", "check"]) == 0
    monkeypatch.setenv("DEIDSTREAM_ENV", "prod")
    capsys.readouterr()
    assert main(["config", "check"]) == 78
    said = capsys.readouterr().err
    for name in ("KAFKA_SECURITY", "KAFKA_REPLICATION", "REDIS_URL", "REVERSE_REDIS_URL"):
        assert f"DEIDSTREAM_{name}" in said
    for name in ("WORKER_LOG_LEVEL", "HTTP_TOKEN"):
        assert f"DEIDSTREAM_{name}" in said
    assert main(["config", "show"]) == 0
    assert main(["produce", "notes.jsonl"]) == 78
    with pytest.raises(InvalidSettings):
        refuse_unsafe(read_settings({"DEIDSTREAM_ENV": "prod"}), {})
