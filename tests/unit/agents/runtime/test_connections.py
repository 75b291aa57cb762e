"""Settings of access to Kafka: which go together, and what is said of those that do not."""

from pathlib import Path

import pytest

from deidstream.agents.runtime.connections import kafka_connection
from deidstream.agents.settings import list_settings, read_settings
from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.kafka.connection import MECHANISMS, SECURITIES, KafkaConnection
from support.certificates import Authority

SIGNED = {"SECURITY": "sasl-plaintext", "USER": "worker", "PASSWORD": "hunter2"}


def connect(**given: str) -> KafkaConnection:
    named = {f"DEIDSTREAM_KAFKA_{name}": value for name, value in given.items()}
    return kafka_connection(read_settings(named).kafka)


def refusal(**given: str) -> str:
    with pytest.raises(InvalidSettings) as raised:
        connect(**given)
    return str(raised.value)


def test_the_default_is_in_the_clear_and_without_a_user() -> None:
    options = connect().client_options()
    assert options == {
        "bootstrap_servers": "127.0.0.1:9092",
        "security_protocol": "PLAINTEXT",
        "ssl_context": None,
    }


@pytest.mark.parametrize("security", SECURITIES)
def test_every_security_protocol_can_be_set(security: str) -> None:
    signed = SIGNED if security.startswith("sasl") else {}
    connection = connect(**{**signed, "SECURITY": security})
    assert connection.security == security.upper().replace("-", "_")
    assert (connection.context is not None) == ("ssl" in security)


@pytest.mark.parametrize("mechanism", MECHANISMS[:3])
def test_a_mechanism_with_a_password_takes_both(mechanism: str) -> None:
    options = connect(**SIGNED, SASL=mechanism).client_options()
    assert options["sasl_mechanism"] == mechanism
    assert (options["sasl_plain_username"], options["sasl_plain_password"]) == ("worker", "hunter2")
    said = refusal(SECURITY="sasl-plaintext", SASL=mechanism)
    assert "DEIDSTREAM_KAFKA_USER" in said
    assert "DEIDSTREAM_KAFKA_PASSWORD" in said


def test_settings_that_do_nothing_are_refused() -> None:
    assert "DEIDSTREAM_KAFKA_USER: has no effect" in refusal(USER="worker")
    assert "DEIDSTREAM_KAFKA_TLS_*" in refusal(TLS_CHECK_HOSTNAME="false")
    assert "TOKEN_SCOPE: has no effect" in refusal(**SIGNED, TOKEN_SCOPE="kafka")
    oauth = {"SECURITY": "sasl-plaintext", "SASL": "OAUTHBEARER"}
    assert "PASSWORD: has no effect" in refusal(**oauth, TOKEN_FILE="/token", PASSWORD="x")
    assert "set one of" in refusal(**oauth)
    assert "set one of" in refusal(**oauth, TOKEN_FILE="/a", TOKEN_URL="http://b")
    assert "DEIDSTREAM_KAFKA_USER" in refusal(**oauth, TOKEN_URL="http://b")


def test_a_mechanism_whose_library_is_missing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_name: str) -> None:
        return None

    kerberos = {"SECURITY": "sasl-plaintext", "SASL": "GSSAPI"}
    monkeypatch.setattr("importlib.util.find_spec", missing)
    assert refusal(**kerberos) == (
        "DEIDSTREAM_KAFKA_SASL=GSSAPI: needs the gssapi library: pip install gssapi"
    )
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: object())  # pyright: ignore[reportUnknownLambdaType]
    options = connect(**kerberos, KERBEROS_DOMAIN="kafka.example").client_options()
    assert options["sasl_kerberos_service_name"] == "kafka"
    assert options["sasl_kerberos_domain_name"] == "kafka.example"


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    locked = str(authority.issue("locked", password="right"))
    assert "DEIDSTREAM_KAFKA_TLS_CA" in refusal(SECURITY="ssl", TLS_CA=str(tmp_path / "none"))
    (tmp_path / "text").write_text("no certificate")
    assert "DEIDSTREAM_KAFKA_TLS_CA" in refusal(SECURITY="ssl", TLS_CA=str(tmp_path / "text"))
    for password in ("", "wrong"):
        said = refusal(SECURITY="ssl", TLS_CERTIFICATE=locked, TLS_KEY_PASSWORD=password)
        assert "DEIDSTREAM_KAFKA_TLS_KEY_PASSWORD right?" in said
    connect(SECURITY="ssl", TLS_CERTIFICATE=locked, TLS_KEY_PASSWORD="right")
    assert "has no effect without" in refusal(SECURITY="ssl", TLS_KEY=locked)


def test_no_password_is_printed() -> None:
    connection = connect(**SIGNED)
    assert "hunter2" not in repr(connection)
    named = {f"DEIDSTREAM_KAFKA_{name}": value for name, value in SIGNED.items()}
    shown = list_settings(read_settings(named))
    assert shown["DEIDSTREAM_KAFKA_PASSWORD"] == "***"
    assert "hunter2" not in str(shown)
