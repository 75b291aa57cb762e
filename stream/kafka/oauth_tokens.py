"""Tokens for OAUTHBEARER: from a file that something else renews, or from an OIDC endpoint."""

import asyncio
import ssl
import time
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import aiohttp
from aiokafka.abc import AbstractTokenProvider
from aiokafka.errors import KafkaConnectionError

_SECONDS = 10
"""Longest wait for the endpoint."""
_USED_SHARE = 0.8
"""Share of its life after which a token is fetched anew."""


class TokenUnavailable(KafkaConnectionError):  # type: ignore[misc] # aiokafka has no types
    """No token can be had; clients of Kafka try again."""


@dataclass(frozen=True, slots=True)
class FileTokens(AbstractTokenProvider):  # type: ignore[misc] # aiokafka has no types
    """Reads a file for every connection, such as a projected token of a service account."""

    file: Path

    async def token(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Read the token.

        Raises:
            TokenUnavailable: The file cannot be read, or is empty.
        """
        try:
            text = await asyncio.to_thread(self.file.read_text)
        except (OSError, UnicodeDecodeError) as error:
            msg = f"DEIDSTREAM_KAFKA_TOKEN_FILE: cannot be read ({type(error).__name__})"
            raise TokenUnavailable(msg) from None
        if not text.strip():
            msg = "DEIDSTREAM_KAFKA_TOKEN_FILE: holds no token"
            raise TokenUnavailable(msg)
        return text.strip()


@dataclass(slots=True)
class EndpointTokens(AbstractTokenProvider):  # type: ignore[misc] # aiokafka has no types
    """Fetches tokens with the client-credentials grant, and keeps each for most of its life."""

    url: str
    client: str
    secret: str = field(repr=False)
    scope: str
    context: ssl.SSLContext
    """Whom the endpoint is trusted by."""
    _token: str = field(default="", repr=False)
    _until: float = 0.0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    async def token(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return a token that is still valid.

        Raises:
            TokenUnavailable: The endpoint gives none.
        """
        async with self._lock:
            if time.monotonic() >= self._until:
                self._token, seconds = await self._fetch()
                self._until = time.monotonic() + _USED_SHARE * seconds
            return self._token

    async def _fetch(self) -> tuple[str, float]:
        form = {"grant_type": "client_credentials"} | ({"scope": self.scope} if self.scope else {})
        known = b64encode(f"{self.client}:{self.secret}".encode()).decode()
        try:
            async with (
                aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_SECONDS)) as session,
                session.post(
                    self.url,
                    data=form,
                    headers={"Authorization": f"Basic {known}"},
                    ssl=self.context,
                    allow_redirects=False,
                ) as answer,
            ):
                answer.raise_for_status()
                said = cast("dict[str, object]", await answer.json(content_type=None))
                return str(said["access_token"]), float(cast("float", said.get("expires_in", 60)))
        except (
            aiohttp.ClientError,
            OSError,
            TimeoutError,
            ValueError,
            KeyError,
            TypeError,
        ) as error:
            status = getattr(error, "status", None)
            why = f"status {status}" if status else type(error).__name__
            msg = f"DEIDSTREAM_KAFKA_TOKEN_URL: gives no token ({why})"
            raise TokenUnavailable(msg) from None
