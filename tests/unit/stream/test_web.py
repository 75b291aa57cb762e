"""The ops server."""

import asyncio

import aiohttp

from deidstream.stream.health import Health
from deidstream.stream.web import serve


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


def test_a_stalled_worker_says_no() -> None:
    health = Health(0.0)
    health.record_taken(1)
    found = asyncio.run(answers(health))
    assert found["/livez"][0] == 503
    assert found["/readyz"][0] == 503
