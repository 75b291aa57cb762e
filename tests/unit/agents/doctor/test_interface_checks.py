"""What the doctor says of the interface, the MLLP listener and the review page."""

import asyncio
import socket
from pathlib import Path

import pytest

from deidstream.agents.api import run_api  # noqa: F401  # pyright: ignore[reportUnusedImport]  a second, which is no test's
from deidstream.agents.doctor.interface_checks import (
    check_api,
    check_mllp,
    check_port,
    check_review,
    list_interfaces,
)
from deidstream.agents.review import run_review  # noqa: F401  # pyright: ignore[reportUnusedImport]  as above
from deidstream.agents.review.users import ReviewRole, ReviewUser, UserFile
from deidstream.agents.settings import ApiSettings, MllpSettings, ReviewSettings, Settings
from deidstream.schemas.errors import InvalidSettings, Refused
from support.certificates import Authority

TOKEN = "a token of a client, long enough"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "authority")


def mllp(**given: object) -> Settings:
    return Settings(mllp=MllpSettings(port=0, **given))  # type: ignore[arg-type]


def api(**given: object) -> Settings:
    return Settings(api=ApiSettings(port=0, **given))  # type: ignore[arg-type]


def review(**given: object) -> Settings:
    return Settings(review=ReviewSettings(port=0, **given))  # type: ignore[arg-type]


def test_what_is_not_set_up_is_not_checked() -> None:
    assert list_interfaces(Settings()) == []
    assert [check.name for check in list_interfaces(mllp())] == ["mllp"]
    everything = Settings(api=api().api, mllp=mllp().mllp, review=review().review)
    assert [check.name for check in list_interfaces(everything)] == ["api", "mllp", "review"]


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InvalidSettings, match=f"127.0.0.1:{port} cannot be listened on"):
            asyncio.run(check_port("127.0.0.1", port))
        settings = Settings(mllp=MllpSettings(port=port))
        with pytest.raises(InvalidSettings, match=f"127.0.0.1:{port} cannot be listened on"):
            asyncio.run(check_mllp(settings))


def test_a_listener_without_tls_says_so() -> None:
    said = asyncio.run(check_mllp(mllp(senders="MERCY=mercy,CITY=city")))
    assert said == "127.0.0.1:0 is free; no TLS; 2 facilities may send"


def test_the_end_of_a_certificate_is_told(authority: Authority) -> None:
    certificate = authority.issue("listener", days=200)
    said = asyncio.run(
        check_mllp(mllp(tls_certificate=str(certificate), tls_client_ca=str(authority.ca)))
    )
    assert "listener.pem is valid until 20" in said
    assert "ca.pem is valid until 20" in said
    assert "WARNING" not in said


def test_a_certificate_that_ends_soon_is_warned_of(authority: Authority) -> None:
    soon = authority.issue("soon", days=3)
    assert "WARNING: soon.pem is valid until" in asyncio.run(
        check_mllp(mllp(tls_certificate=str(soon)))
    )


def test_an_expired_certificate_fails(authority: Authority) -> None:
    expired = authority.issue("expired", days=-1)
    with pytest.raises(InvalidSettings, match=r"DEIDSTREAM_MLLP_TLS_CERTIFICATE.*has expired on"):
        asyncio.run(check_mllp(mllp(tls_certificate=str(expired))))


def test_a_missing_certificate_fails(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_MLLP_TLS_CERTIFICATE"):
        asyncio.run(check_mllp(mllp(tls_certificate=str(tmp_path / "none.pem"))))


def test_a_key_that_others_may_read_is_warned_of(authority: Authority) -> None:
    certificate = authority.issue("open")
    certificate.chmod(0o644)
    said = asyncio.run(check_mllp(mllp(tls_certificate=str(certificate))))
    assert f"WARNING: others may read {certificate} (mode 0644)" in said


def test_clients_are_counted_and_their_open_tokens_told(tmp_path: Path) -> None:
    for name, mode in (("closed", 0o600), ("open", 0o644)):
        (tmp_path / name).write_text(f"{TOKEN} {name}")
        (tmp_path / name).chmod(mode)
    clients = tmp_path / "clients.toml"
    clients.write_text(
        '[clients.a]\ntoken_file = "closed"\n[clients.b]\ntoken_file = "open"\n', encoding="utf-8"
    )
    said = asyncio.run(check_api(api(clients_file=str(clients))))
    assert said.startswith("127.0.0.1:0 is free; no TLS; 2 clients; WARNING")
    assert str(tmp_path / "open") in said
    assert str(tmp_path / "closed") not in said
    assert TOKEN not in said


def test_a_missing_token_of_a_client_fails(tmp_path: Path) -> None:
    clients = tmp_path / "clients.toml"
    clients.write_text('[clients.a]\ntoken_file = "none"\n')
    with pytest.raises(InvalidSettings, match=r"clients\.a\.token_file: cannot be read"):
        asyncio.run(check_api(api(clients_file=str(clients))))


def test_the_file_of_the_one_token_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN)
    file.chmod(0o644)
    monkeypatch.setenv("DEIDSTREAM_API_TOKEN_FILE", str(file))
    said = asyncio.run(check_api(api(token=TOKEN)))
    assert f"1 client; WARNING: others may read {file}" in said


def test_a_page_that_nobody_may_log_in_to_fails(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="review users add NAME"):
        asyncio.run(check_review(review(folder=str(tmp_path))))


def test_users_of_the_page_are_counted(tmp_path: Path) -> None:
    users = UserFile(tmp_path / "users.json")
    users.add(ReviewUser("ada", ReviewRole.REVIEWER), "a long password")
    settings = review(folder=str(tmp_path))
    assert asyncio.run(check_review(settings)) == "127.0.0.1:0 is free; no TLS; 1 user"
    users.path.chmod(0o644)
    assert f"others may read {users.path}" in asyncio.run(check_review(settings))


def test_a_page_for_other_machines_needs_tls(tmp_path: Path) -> None:
    settings = review(folder=str(tmp_path), host="0.0.0.0", oidc_issuer="https://login.example")  # noqa: S104 - refused
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_REVIEW_TLS_CERTIFICATE"):
        asyncio.run(check_review(settings))
