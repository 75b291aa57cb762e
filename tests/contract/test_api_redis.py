"""The interface with a real Redis: surrogates are shared, and an outage is said and survived."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from deidstream.agents.api.run_api import run_api
from deidstream.agents.settings import read_settings
from support.api_site import NOTE, load_rules
from support.redis_server import Redis, running_redis

pytestmark = [pytest.mark.broker, pytest.mark.slow]


@asynccontextmanager
async def site(url: str, folder: Path, deployment: str) -> AsyncGenerator[httpx.AsyncClient]:
    """A running interface that keeps its surrogates in Redis."""
    key = folder / "key"
    key.write_text(bytes(range(32)).hex())
    key.chmod(0o600)
    settings = read_settings(
        {
            "DEIDSTREAM_REDIS_URL": url,
            "DEIDSTREAM_REDIS_DEPLOYMENT": deployment,
            "DEIDSTREAM_REDIS_CHECK_SECONDS": "0.2",
            "DEIDSTREAM_KEY_FILE": str(key),
            "DEIDSTREAM_API_PORT": "0",
            "DEIDSTREAM_API_SECONDS": "20",
        }
    )
    load_rules(settings)  # once, before anything waits for it
    found = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(run_api(settings, load=load_rules, listening=found.set_result))
    try:
        async with httpx.AsyncClient(base_url=await found, timeout=30) as client:
            await wait_for(client, "/readyz", 200)
            yield client
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def wait_for(client: httpx.AsyncClient, path: str, status: int) -> None:
    async with asyncio.timeout(20):
        while (await client.get(path)).status_code != status:  # noqa: ASYNC110 - a port
            await asyncio.sleep(0.05)


async def text_of(client: httpx.AsyncClient, note_id: str) -> str:
    reply = await client.post("/v1/deidentify", json={"note": NOTE | {"note_id": note_id}})
    assert reply.status_code == 200, reply.text
    return str(reply.json()["note"]["text"])


def test_a_second_process_gives_the_same_surrogates(redis_url: str, tmp_path: Path) -> None:
    async def texts() -> list[str]:
        found = list[str]()
        for number in range(2):
            async with site(redis_url, tmp_path, "api-shared") as client:
                found.append(await text_of(client, f"n{number}"))
        return found

    first, second = asyncio.run(texts())
    assert first == second
    assert "Vanterpool" not in first


def test_an_outage_is_said_and_survived(tmp_path: Path) -> None:
    async def outage(redis: Redis) -> list[int]:
        async with site(redis.url, tmp_path, "api-outage") as client:
            await text_of(client, "before")
            redis.stop()
            waiting = asyncio.create_task(text_of(client, "during"))
            await wait_for(client, "/readyz", 503)
            refused = await client.post("/v1/deidentify", json={"note": NOTE})
            redis.restart()
            await waiting
            await wait_for(client, "/readyz", 200)
            await text_of(client, "after")
            return [refused.status_code, int(refused.headers["Retry-After"])]

    with running_redis(tmp_path) as redis:
        status, seconds = asyncio.run(outage(redis))
    assert (status, seconds > 0) == (503, True)
