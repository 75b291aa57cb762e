"""A visitor of the review page, who asks its routes without its scripts."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
import orjson

from deidstream.agents.review.desk import Desk
from deidstream.agents.review.review_app import make_app
from support.review_site import NOTES, PASSWORD


@dataclass(slots=True)
class Client:
    """A visitor, logged in or not."""

    http: httpx.AsyncClient
    csrf: str = ""
    list: str = ""

    async def post(self, path: str, body: object = None) -> httpx.Response:
        return await self.http.post(path, json=body, headers={"X-CSRF-Token": self.csrf})

    async def put(self, path: str, body: object) -> httpx.Response:
        return await self.http.put(path, json=body, headers={"X-CSRF-Token": self.csrf})

    async def open_list(self) -> None:
        """Upload the fictional files, and wait until they were run."""
        made = await self.post("/api/lists", {"title": "t"})
        self.list = f"/api/lists/{made.json()['id']}"
        for name, text in NOTES.items():
            headers = {"X-CSRF-Token": self.csrf, "X-File-Name": name}
            await self.http.post(f"{self.list}/files", content=text.encode(), headers=headers)
        await self.post(f"{self.list}/run")
        while True:
            rows = (await self.http.get(self.list)).json()
            if all(row["level"] for row in rows["rows"]):
                return


@asynccontextmanager
async def client_of(desk: Desk, name: str = "") -> AsyncGenerator[Client]:
    """Let somebody visit a page that goes on; without a name, nobody who is logged in."""
    transport = httpx.ASGITransport(make_app(desk))
    async with httpx.AsyncClient(transport=transport, base_url="http://page") as http:
        client = Client(http)
        if name:
            answer = await client.post("/api/login", {"name": name, "password": PASSWORD})
            client.csrf = answer.json()["csrf"]
        yield client


@asynccontextmanager
async def visit(desk: Desk, name: str = "") -> AsyncGenerator[Client]:
    """Let somebody visit the page, which is closed then."""
    async with client_of(desk, name) as client:
        yield client
        await desk.close()


def go(desk: Desk, name: str, act: Callable[[Client], Awaitable[None]]) -> None:
    """Let somebody visit the page and act."""

    async def whole() -> None:
        async with visit(desk, name) as client:
            await act(client)

    asyncio.run(whole())


def read_trail(desk: Desk) -> list[dict[str, object]]:
    """Return the records of the audit log."""
    lines = desk.folder.trail.read_bytes().splitlines()
    return [orjson.loads(line)["record"] for line in lines]
