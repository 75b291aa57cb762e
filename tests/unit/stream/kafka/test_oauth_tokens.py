"""Tokens of an endpoint: what is asked for, how long one is kept, and what is said of none."""

import asyncio
import ssl
from base64 import b64encode
from dataclasses import dataclass, field

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from deidstream.stream.kafka.oauth_tokens import EndpointTokens, TokenUnavailable

SECRET = "hunter2"
KNOWN = b64encode(f"worker:{SECRET}".encode()).decode()


@dataclass(slots=True)
class Endpoint:
    """Gives numbered tokens to whoever knows the secret."""

    seconds: float = 3600
    asked: list[dict[str, str]] = field(default_factory=list[dict[str, str]])

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if request.headers["Authorization"] != f"Basic {KNOWN}":
            raise web.HTTPUnauthorized
        self.asked.append({name: str(value) for name, value in (await request.post()).items()})
        token = {"access_token": f"token-{len(self.asked)}", "expires_in": self.seconds}
        return web.json_response(token)


async def fetch(endpoint: Endpoint, times: int, secret: str = SECRET, path: str = "/") -> list[str]:
    app = web.Application()
    app.router.add_post("/", endpoint.answer)
    async with TestServer(app) as server:
        url = str(server.make_url(path))
        tokens = EndpointTokens(url, "worker", secret, "kafka", ssl.create_default_context())
        return [await tokens.token() for _ in range(times)]


def test_a_token_is_kept_for_most_of_its_life() -> None:
    endpoint = Endpoint()
    assert asyncio.run(fetch(endpoint, 3)) == ["token-1"] * 3
    assert endpoint.asked == [{"grant_type": "client_credentials", "scope": "kafka"}]


def test_a_token_that_has_expired_is_fetched_anew() -> None:
    assert asyncio.run(fetch(Endpoint(seconds=0), 2)) == ["token-1", "token-2"]


@pytest.mark.parametrize(
    ("secret", "path", "status"), [("wrong", "/", "401"), (SECRET, "/none", "404")]
)
def test_a_refusal_is_named_by_its_status_without_the_secret(
    secret: str, path: str, status: str
) -> None:
    with pytest.raises(TokenUnavailable) as raised:
        asyncio.run(fetch(Endpoint(), 1, secret, path))
    assert f"DEIDSTREAM_KAFKA_TOKEN_URL: gives no token (status {status})" in str(raised.value)
    assert secret not in str(raised.value)
