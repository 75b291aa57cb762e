"""Check what the interface, the MLLP listener and the review page need, where these are set up."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509

from deidstream.agents.api.api_clients import list_token_files, read_clients
from deidstream.agents.feeds.ingest_mllp import server_tls
from deidstream.agents.feeds.senders import Senders
from deidstream.agents.runtime.production import find_open_mode
from deidstream.agents.settings import (
    ApiSettings,
    MllpSettings,
    ReviewSettings,
    Settings,
    secret_files,
)
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.extras import Extra, needing
from deidstream.schemas.shown_file import show_file
from deidstream.schemas.system_faults import say_why
from deidstream.stream.http.server_tls import ServerTls

SOON = timedelta(days=14)
"""A certificate that expires within this time is warned of."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the doctor."""

    name: str
    run: Callable[[Settings], Awaitable[str]]
    """Returns what was found, or raises what is wrong."""
    remedy: str
    """What to do where it fails."""


def list_interfaces(settings: Settings) -> list[Check]:
    """Return the checks of each interface that has a setting other than its default."""
    found: list[Check] = []
    if settings.api != ApiSettings():
        found.append(Check("api", check_api, "docs/api.md says what 'deidstream serve' needs"))
    if settings.mllp != MllpSettings():
        remedy = "docs/hl7.md says what 'deidstream ingest mllp' needs"
        found.append(Check("mllp", check_mllp, remedy))
    if settings.review != ReviewSettings():
        found.append(Check("review", check_review, "docs/review.md says what the page needs"))
    return found


async def check_api(settings: Settings) -> str:
    """Check port, certificate and clients of ``deidstream serve``.

    Raises:
        InvalidSettings: One of them cannot be used.
    """
    with needing(Extra.API, "the interface"):
        from deidstream.agents.api.run_api import listener_of  # noqa: PLC0415  of another extra

    api = settings.api
    tokens, listener = len(read_clients(api).by_digest), listener_of(api)
    clients = _count(tokens, "client") if tokens else "no token is asked for"
    found = [*await _check_listening(api.host, api.port, listener.tls), clients]
    secrets = [*_secrets("DEIDSTREAM_API_"), *list_token_files(api), _key_of(listener.tls)]
    return _describe(found, secrets)


async def check_mllp(settings: Settings) -> str:
    """Check port, certificate and senders of ``deidstream ingest mllp``.

    Raises:
        InvalidSettings: One of them cannot be used.
    """
    mllp = settings.mllp
    tenants = Senders.read(mllp).tenants
    tls = server_tls(mllp)
    senders = _count(len(tenants), "facility", "facilities") if tenants else "all facilities"
    found = [*await _check_listening(mllp.host, mllp.port, tls), f"{senders} may send"]
    return _describe(found, [*_secrets("DEIDSTREAM_MLLP_"), _key_of(tls)])


async def check_review(settings: Settings) -> str:
    """Check port, certificate and users of ``deidstream review``.

    Raises:
        InvalidSettings: One of them cannot be used, or no user may log in.
    """
    with needing(Extra.REVIEW, "the review page"):
        from deidstream.agents.review.run_review import (  # noqa: PLC0415  of another extra
            find_users,
            listener_of_page,
        )

    users = find_users(settings.review)
    listener = listener_of_page(settings.review)
    logins = [_count(len(users.read()), "user")]
    logins += [f"OIDC of {settings.review.oidc_issuer}"] if settings.review.oidc_issuer else []
    found = [*await _check_listening(listener.host, listener.port, listener.tls), *logins]
    secrets = [*_secrets("DEIDSTREAM_REVIEW_"), str(users.path), _key_of(listener.tls)]
    return _describe(found, secrets)


async def check_port(host: str, port: int) -> str:
    """Listen for a moment where a server would.

    Raises:
        InvalidSettings: Another process listens there, or this one may not.
    """
    try:
        server = await asyncio.start_server(_hang_up, host, port)
    except OSError as error:
        msg = f"{host}:{port} cannot be listened on: {say_why(error)}"
        raise InvalidSettings(msg) from None
    server.close()
    await server.wait_closed()
    return f"{host}:{port} is free"


def _hang_up(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def _check_listening(host: str, port: int, tls: ServerTls) -> list[str]:
    free = await check_port(host, port)
    if tls.context() is None:
        return [free, "no TLS"]
    found = [free, _check_dates(f"{tls.named}_TLS_CERTIFICATE", tls.certificate)]
    if tls.client_ca:
        found.append(_check_dates(f"{tls.named}_TLS_CLIENT_CA", tls.client_ca))
    return found


def _check_dates(named: str, file: str) -> str:
    """Return until when the first certificate of a file is valid, as a sentence.

    Raises:
        InvalidSettings: It cannot be read, has expired or is not valid yet.
    """
    try:
        certificate = x509.load_pem_x509_certificates(Path(file).read_bytes())[0]
    except (OSError, ValueError) as error:
        msg = f"{named}: {show_file(file)} cannot be read as PEM ({type(error).__name__})"
        raise InvalidSettings(msg) from None
    now, end = datetime.now(UTC), certificate.not_valid_after_utc
    if end < now:
        msg = f"{named}: {file} has expired on {end:%Y-%m-%d}"
        raise InvalidSettings(msg)
    if certificate.not_valid_before_utc > now:
        msg = f"{named}: {file} is not valid before {certificate.not_valid_before_utc:%Y-%m-%d}"
        raise InvalidSettings(msg)
    warning = "WARNING: " if end - now < SOON else ""
    return f"{warning}{Path(file).name} is valid until {end:%Y-%m-%d}"


def _key_of(tls: ServerTls) -> str:
    return tls.key or tls.certificate


def _secrets(prefix: str) -> list[str]:
    named = secret_files(os.environ)
    return [file for name, file in named.items() if name.startswith(prefix)]


def _describe(found: Iterable[str], files: Iterable[str]) -> str:
    """Join what was found, and a warning for each file of secrets that others may read."""
    modes = {file: mode for file in files if file and (mode := find_open_mode(file))}
    exposed = [f"WARNING: others may read {file} (mode {mode})" for file, mode in modes.items()]
    return "; ".join([*found, *exposed])


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or f'{one}s'}"
