"""Who may call: tokens, rights and tenants, and every mistake of the file at once."""

from pathlib import Path

import pytest

from deidstream.agents.api.api_clients import read_clients
from deidstream.schemas.errors import InvalidSettings
from support.api_site import NOTE, post, read_api_settings, with_api

EHR, LAB = "ehr-token-0123456789", "lab-token-0123456789"
FILE = """
[clients.ehr]
token_file = "ehr.token"
rights = ["deidentify", "replacements"]

[clients.lab]
token_file = "lab.token"
tenants = ["mercy"]
"""


@pytest.fixture
def clients(tmp_path: Path) -> str:
    (tmp_path / "ehr.token").write_text(EHR + "\n")
    (tmp_path / "lab.token").write_text(LAB)
    file = tmp_path / "clients.toml"
    file.write_text(FILE)
    return str(file)


def mistakes(**given: str) -> str:
    with pytest.raises(InvalidSettings) as caught:
        read_clients(read_api_settings(given).api)
    return str(caught.value)


def test_each_client_has_its_own_rights(clients: str) -> None:
    given = {"clients_file": clients}

    def status(path: str, token: str, **asked: object) -> int:
        return post(path, {"note": NOTE, **asked}, given, token=token).status_code

    assert status("/v1/deidentify", EHR, replacements=True) == 200
    assert status("/v1/find", EHR) == 403
    assert status("/v1/find", "x" * 20) == 401
    metrics = with_api(lambda client: client.get("/metrics"), given, token=EHR)
    assert metrics.status_code == 403


def test_a_client_sends_notes_of_its_own_tenants_only(clients: str) -> None:
    given = {"clients_file": clients}

    def status(path: str, **more: object) -> int:
        return post(path, {"notes": [NOTE | more]}, given, token=LAB).status_code

    assert status("/v1/deidentify", tenant="mercy") == 200
    assert status("/v1/deidentify") == 403
    assert status("/v1/find", tenant="other") == 403


def test_a_server_that_others_reach_needs_a_token(clients: str) -> None:
    assert "would be open" in mistakes(host="0.0.0.0")  # noqa: S104 - that is the point
    read_clients(read_api_settings({"host": "0.0.0.0", "clients_file": clients}).api)  # noqa: S104
    assert "at least 16" in mistakes(token="short")
    assert "no effect" in mistakes(token=EHR, clients_file=clients)


def test_every_mistake_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "same.token").write_text(EHR)
    (tmp_path / "short.token").write_text("short")
    file = tmp_path / "clients.toml"
    file.write_text(
        """
clients.a = { token_file = "same.token", rights = ["fly"] }
clients.b = { token_file = "same.token", tenant = "mercy" }
clients.c = { token_file = "missing.token", tenants = "mercy" }
clients.d = { token_file = "short.token" }
clients.e = { rights = [7] }
clients.f = "x"
"""
    )
    found = mistakes(clients_file=str(file))
    for mistake in (
        "clients.a.rights: fly",
        "clients.b.tenant: unknown key",
        "clients.c.tenants: must be a list",
        "clients.c.token_file: cannot be read",
        "clients.d.token_file: a token has at least",
        "clients.e.token_file: must name a file",
        "clients.e.rights: must be a list",
        "clients.f: must be a table",
        "two clients have the same token",
    ):
        assert mistake in found
    assert EHR not in found


@pytest.mark.parametrize("text", ["", "x = 1", "[clients]", "[", "clients = 7"])
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "clients.toml"
    file.write_text(text)
    assert "DEIDSTREAM_API_CLIENTS_FILE" in mistakes(clients_file=str(file))
    assert "there is no such file" in mistakes(clients_file=str(tmp_path / "none.toml"))
