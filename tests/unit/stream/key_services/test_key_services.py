"""Services that wrap the root key, each against a server that speaks its protocol."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Refused, Unavailable
from deidstream.stream.key_services.aws_signature import AwsCredentials, AwsScope, sign
from deidstream.stream.key_services.key_service import KeyService, open_key_service
from deidstream.stream.key_services.wrapped_key import parse_wrapped
from support.key_servers import (
    ARN,
    AWS,
    RESOURCE,
    TOKEN,
    Answer,
    KeyDesk,
    answer_aws,
    answer_azure,
    answer_google,
    answer_transit,
    serving_keys,
)
from support.ports import free_port

ROOT = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Kind:
    """One service: its server, and how a client is told of it."""

    answer: Answer
    address: Callable[[str], str]
    environment: Callable[[str, Path], Mapping[str, str]]


def _files(folder: Path, content: str) -> str:
    file = folder / "token"
    file.write_text(content + "\n")
    return str(file)


KINDS = {
    "transit": Kind(
        answer_transit,
        lambda host: f"transit+http://{host}/site/transit/notes",
        lambda _, folder: {
            "VAULT_TOKEN_FILE": _files(folder, TOKEN),
            "VAULT_NAMESPACE": "clinic",
        },
    ),
    "aws": Kind(
        answer_aws,
        lambda _: ARN,
        lambda host, _: {
            "AWS_ENDPOINT_URL_KMS": f"http://{host}",
            "AWS_ACCESS_KEY_ID": AWS.key_id,
            "AWS_SECRET_ACCESS_KEY": AWS.secret,
            "AWS_SESSION_TOKEN": AWS.session,
        },
    ),
    "aws-role": Kind(
        answer_aws,
        lambda _: ARN,
        lambda host, folder: {
            "AWS_ENDPOINT_URL_KMS": f"http://{host}",
            "AWS_ENDPOINT_URL_STS": f"http://{host}",
            "AWS_ROLE_ARN": "arn:aws:iam::111122223333:role/notes",
            "AWS_WEB_IDENTITY_TOKEN_FILE": _files(folder, TOKEN),
        },
    ),
    "google": Kind(
        answer_google,
        lambda _: RESOURCE,
        lambda host, _: {
            "GCE_METADATA_HOST": host,
            "CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS": f"http://{host}/",
        },
    ),
    "azure": Kind(
        answer_azure,
        lambda host: f"azure+http://{host}/keys/notes",
        lambda host, folder: {
            "AZURE_AUTHORITY_HOST": f"http://{host}/",
            "AZURE_CLIENT_ID": "client-1",
            "AZURE_TENANT_ID": "tenant-1",
            "AZURE_FEDERATED_TOKEN_FILE": _files(folder, "assertion-1"),
        },
    ),
}


@dataclass(frozen=True, slots=True)
class Site:
    """A running server, and what a client of it is told."""

    desk: KeyDesk
    address: str
    environment: Mapping[str, str]

    def service(self) -> KeyService:
        return open_key_service(self.address, self.environment)


@pytest.fixture(params=sorted(KINDS))
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Site]:
    kind, desk = KINDS[request.param], KeyDesk()
    with ExitStack() as stack:
        host = stack.enter_context(serving_keys(kind.answer, desk))
        yield Site(desk, kind.address(host), kind.environment(host, tmp_path))


def test_what_is_wrapped_is_unwrapped_again(site: Site) -> None:
    wrapped = site.service().wrap(ROOT)
    again = parse_wrapped(wrapped.render())
    assert again == wrapped
    assert ROOT.hex() not in wrapped.render()
    assert open_key_service(wrapped.address, site.environment).unwrap(wrapped.text) == ROOT


def test_a_changed_text_is_refused(site: Site) -> None:
    wrapped = site.service().wrap(ROOT)
    at = len(wrapped.text) // 2
    other = "A" if wrapped.text[at] != "A" else "B"
    changed = wrapped.text[:at] + other + wrapped.text[at + 1 :]
    with pytest.raises(MissingArtefact, match="refuses: status 400"):
        open_key_service(wrapped.address, site.environment).unwrap(changed)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 503])
def test_a_refusal_ends_and_a_fault_is_tried_again(site: Site, status: int) -> None:
    site.desk.answer = status, {"secret": TOKEN}
    with pytest.raises(Unavailable if status >= 500 else MissingArtefact) as caught:
        site.service().wrap(ROOT)
    assert TOKEN not in str(caught.value)
    assert str(status) in str(caught.value)


@pytest.mark.parametrize("reply", [{}, {"data": None}, {"data": {"ciphertext": 7}}])
def test_a_reply_of_another_form_is_refused(site: Site, reply: Mapping[str, object]) -> None:
    site.desk.answer = 200, reply
    with pytest.raises(MissingArtefact):
        site.service().wrap(ROOT)


def test_without_what_identifies_the_client_nothing_is_asked(site: Site) -> None:
    told = {name: site.environment[name] for name in site.environment if "ENDPOINT" in name}
    if site.address == RESOURCE:
        told["GCE_METADATA_HOST"] = f"127.0.0.1:{free_port()}"
    with pytest.raises((Refused, Unavailable)):
        open_key_service(site.address, told).wrap(ROOT)
    assert site.desk.asked == []


@pytest.mark.parametrize(
    "address", ["transit+http://vault.example/transit/notes", "azure+http://x.example/keys/notes"]
)
def test_no_key_goes_over_a_network_in_the_clear(address: str, tmp_path: Path) -> None:
    told = {
        "VAULT_TOKEN": TOKEN,
        "AZURE_CLIENT_ID": "c",
        "AZURE_TENANT_ID": "t",
        "AZURE_FEDERATED_TOKEN_FILE": _files(tmp_path, "a"),
        "AZURE_AUTHORITY_HOST": "http://entra.example",
    }
    with pytest.raises(InvalidSettings, match="https"):
        open_key_service(address, told).wrap(ROOT)


@pytest.mark.parametrize("address", ["", "vault", "arn:aws:s3:::bucket", "transit+https://h/k"])
def test_an_address_of_another_form_is_refused(address: str) -> None:
    with pytest.raises(InvalidSettings):
        open_key_service(address, {"VAULT_TOKEN": TOKEN}).wrap(ROOT)


def test_a_signature_is_that_of_the_published_example() -> None:
    # get-vanilla of the test suite that AWS publishes for Signature Version 4.
    credentials = AwsCredentials("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
    scope = AwsScope("us-east-1", "service", datetime(2015, 8, 30, 12, 36, tzinfo=UTC))
    signed = sign(
        "GET", {"Host": "example.amazonaws.com"}, b"", credentials=credentials, scope=scope
    )
    assert signed["Authorization"].endswith(
        "SignedHeaders=host;x-amz-date, "
        "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
    )
