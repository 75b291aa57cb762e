"""TLS of the listener: its certificate is checked, and senders show theirs where they must."""

import asyncio
import ssl
from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.feeds.ingest_mllp import server_tls
from deidstream.schemas.errors import InvalidSettings
from support.certificates import Authority
from support.hl7_samples import admission
from support.mllp_site import SETTINGS, open_site


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "ca")


def client_context(authority: Authority, certificate: Path | None = None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(authority.ca))
    if certificate:
        context.load_cert_chain(certificate)
    return context


def test_a_sender_with_a_certificate_is_answered_and_one_without_is_not(
    authority: Authority,
) -> None:
    settings = replace(
        SETTINGS,
        tls_certificate=str(authority.issue("listener")),
        tls_client_ca=str(authority.ca),
    )
    known = authority.issue("sender")

    async def run() -> None:
        async with open_site(settings, server_tls(settings).context()) as site:
            sender = await site.connect(client_context(authority, known))
            assert "\rMSA|AA|" in await sender.send(admission())
            # TLS 1.3 tells a client that it was refused when it first reads.
            with pytest.raises((OSError, asyncio.IncompleteReadError)):
                await (await site.connect(client_context(authority))).send(admission("A03"))
            plain = await site.connect()
            with pytest.raises((OSError, asyncio.IncompleteReadError)):
                await plain.send(admission("A03"))
            assert len(site.broker.kept) == 1

    asyncio.run(run())


def test_files_that_cannot_be_read_are_named() -> None:
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_MLLP_TLS_CERTIFICATE"):
        server_tls(replace(SETTINGS, tls_certificate="/nowhere.pem")).context()
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_MLLP_TLS_CERTIFICATE"):
        server_tls(replace(SETTINGS, tls_client_ca="/nowhere.pem")).context()
