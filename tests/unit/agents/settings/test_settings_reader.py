"""Settings: their order, and every mistake at once."""

import re
from pathlib import Path

import pytest

from deidstream.agents.settings import (
    Settings,
    list_settings,
    read_settings,
    secret_files,
    secrets_in_environment,
    setting_names,
    settings_table,
)
from deidstream.schemas.errors import InvalidSettings

KEY = "845e9c0a" * 8


def mistakes(environment: dict[str, str]) -> list[str]:
    with pytest.raises(InvalidSettings) as caught:
        read_settings(environment)
    return str(caught.value).splitlines()


def test_nothing_set_gives_the_defaults() -> None:
    assert read_settings({}).policy == "surrogate"


def test_the_names_that_others_rely_on_exist() -> None:
    names = {"KAFKA_BROKERS", "REDIS_URL", "KEY_FILE", "POLICY", "HTTP_PORT"}
    assert {f"DEIDSTREAM_{name}" for name in names} <= setting_names()


def test_file_is_below_environment_and_environment_below_flags(tmp_path: Path) -> None:
    file = tmp_path / "deidstream.toml"
    file.write_text('policy = "redact"\n[batch]\ntokens = 10\nnotes = 11\n[http]\nport = 12\n')
    environment = {
        "DEIDSTREAM_CONFIG": str(file),
        "DEIDSTREAM_BATCH_NOTES": "21",
        "DEIDSTREAM_HTTP_PORT": "22",
    }
    settings = read_settings(environment, {"http.port": 32, "policy": None})
    assert settings.policy == "redact"
    assert (settings.batch.tokens, settings.batch.notes, settings.http.port) == (10, 21, 32)


def test_every_mistake_is_reported_at_once(tmp_path: Path) -> None:
    found = mistakes(
        {
            "DEIDSTREAM_HTPP_PORT": "1",
            "DEIDSTREAM_HTTP_PORT": "x",
            "DEIDSTREAM_BATCH_TOKENS": "0",
            "DEIDSTREAM_KAFKA_AUDIT": "maybe",
            "DEIDSTREAM_MODEL_DEVICE": "tpu",
            "DEIDSTREAM_REDIS_URL_FILE": str(tmp_path / "missing"),
        }
    )
    assert [line.partition(":")[0] for line in found] == [
        "DEIDSTREAM_BATCH_TOKENS",
        "DEIDSTREAM_HTPP_PORT",
        "DEIDSTREAM_HTTP_PORT",
        "DEIDSTREAM_KAFKA_AUDIT",
        "DEIDSTREAM_MODEL_DEVICE",
        "DEIDSTREAM_REDIS_URL_FILE",
    ]


def test_unknown_keys_of_a_file_are_mistakes(tmp_path: Path) -> None:
    file = tmp_path / "c.toml"
    file.write_text("[kafka]\nbroker = 'x'\n")
    assert (
        "kafka.broker: unknown setting (did you mean kafka.brokers?)"
        in mistakes({"DEIDSTREAM_CONFIG": str(file)})[0]
    )


def test_a_secret_may_lie_in_a_file_and_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "url"
    file.write_text("redis://user:secret@host:1/0\n")
    settings = read_settings({"DEIDSTREAM_REDIS_URL_FILE": str(file)})
    assert settings.redis.url == "redis://user:secret@host:1/0"
    assert list_settings(settings)["DEIDSTREAM_REDIS_URL"] == "redis://***@host:1/0"


def test_the_defaults_pass_their_own_checks() -> None:
    stated = {setting.variable: str(setting.default) for setting in settings_table()}
    assert read_settings(stated) == Settings()


def test_a_value_that_is_none_of_the_choices_is_refused() -> None:
    assert mistakes({"DEIDSTREAM_MODEL_DEVICE": "tpu"}) == [
        "DEIDSTREAM_MODEL_DEVICE: must be one of cpu, cuda, auto"
    ]


def test_no_secret_is_shown_or_kept_in_the_environment() -> None:
    stated = {
        setting.variable: "hunter2"
        for setting in settings_table()
        if re.search(r"(password|token|secret)$", setting.name)
    }
    assert "DEIDSTREAM_REVIEW_OIDC_SECRET" in stated
    settings = read_settings(stated)
    assert "hunter2" not in str(list_settings(settings))
    assert "hunter2" not in repr(settings)
    assert set(secrets_in_environment(stated)) == set(stated)
    files = {f"{variable}_FILE": "/secret" for variable in stated}
    assert secret_files(files) == files


def test_no_key_is_shown_that_stands_in_the_place_of_its_file() -> None:
    named = (r"(_|^)(file|key|certificate|ca|previous)$", r"policies_file|key_password")
    stated = {
        setting.variable: KEY
        for setting in settings_table()
        if re.search(named[0], setting.name) and not re.search(named[1], setting.name)
    }
    assert {"DEIDSTREAM_KEY_FILE", "DEIDSTREAM_REVERSE_KEY_FILE"} < stated.keys()
    for given in (stated, stated | {"DEIDSTREAM_KEY_PREVIOUS": f"1=/old.key,2={KEY}"}):
        settings = read_settings(given)
        assert KEY not in str(list_settings(settings))
        assert KEY not in repr(settings)
        assert set(secrets_in_environment(given)) == set(given)


def test_every_setting_says_what_it_is() -> None:
    for setting in settings_table():
        assert setting.help_text
        assert setting.variable.startswith("DEIDSTREAM_")
