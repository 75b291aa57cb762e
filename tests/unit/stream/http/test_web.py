"""The ops server."""

import asyncio
import socket

import aiohttp
import orjson
import pytest

from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.http.ops_server import serve
from deidstream.stream.observing.health import Health


async def answers(health: Health) -> dict[str, tuple[int, str]]:
    server = await serve(health, host="127.0.0.1", port=0)
    try:
        async with aiohttp.ClientSession(server.url) as client:
            found: dict[str, tuple[int, str]] = {}
            for path in ("/livez", "/readyz", "/metrics", "/"):
                async with client.get(path) as response:
                    found[path] = (response.status, await response.text())
            return found
    finally:
        await server.stop()


def test_a_ready_worker_says_yes() -> None:
    found = asyncio.run(answers(Health(10, started=True, assigned=1)))
    assert [found[path][0] for path in ("/livez", "/readyz", "/metrics", "/")] == [
        200,
        200,
        200,
        404,
    ]
    assert "deid_notes_total" in found["/metrics"][1]


def test_a_port_that_is_taken_is_named_by_its_setting() -> None:
    async def serve_at(port: int) -> None:
        await serve(Health(10), host="127.0.0.1", port=port, named="--port")

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InvalidSettings, match=f"^--port: 127.0.0.1:{port} cannot be listened"):
            asyncio.run(serve_at(port))


def test_a_stalled_worker_says_no() -> None:
    health = Health(0.0)
    health.record_taken(1)
    found = asyncio.run(answers(health))
    assert found["/livez"][0] == 503
    assert found["/readyz"][0] == 503


def test_a_worker_that_is_not_ready_says_what_it_lacks() -> None:
    health = Health(10)
    assert orjson.loads(asyncio.run(answers(health))["/readyz"][1]) == {
        "ready": False,
        "missing": ["starting"],
        "away_seconds": {},
    }
    health.started, health.assigned = True, 1
    health.record_probe("kafka", answers=False)
    status, body = asyncio.run(answers(health))["/readyz"]
    assert (status, orjson.loads(body)["missing"]) == (503, ["kafka"])


def test_a_stalled_worker_says_for_how_long_and_with_what() -> None:
    now = 0.0
    health = Health(10, lambda: now)
    health.record_taken(3)
    health.record_backlog(8)
    now = 12.0
    assert orjson.loads(asyncio.run(answers(health))["/livez"][1]) == {
        "alive": False,
        "stalled_seconds": 12.0,
        "notes_in_flight": 3,
        "backlog": 8,
    }


async def statuses(token: str, given: str | None) -> dict[str, int]:
    server = await serve(
        Health(10, started=True, assigned=1), host="127.0.0.1", port=0, token=token
    )
    headers = {"Authorization": given} if given is not None else {}
    try:
        async with aiohttp.ClientSession(server.url, headers=headers) as client:
            found: dict[str, int] = {}
            for path in ("/livez", "/readyz", "/metrics", "/other"):
                async with client.get(path) as response:
                    found[path] = response.status
            return found
    finally:
        await server.stop()


@pytest.mark.parametrize(
    "given", [None, "", "Bearer", "Bearer other", "Basic secret", "secret", "Bearer secrets"]
)
def test_pages_but_probes_ask_for_the_token(given: str | None) -> None:
    found = asyncio.run(statuses("secret", given))
    assert found == {"/livez": 200, "/readyz": 200, "/metrics": 401, "/other": 401}


def test_the_token_opens_the_pages() -> None:
    found = asyncio.run(statuses("secret", "Bearer secret"))
    assert found == {"/livez": 200, "/readyz": 200, "/metrics": 200, "/other": 404}
