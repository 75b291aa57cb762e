"""What stands between an app and the network, over an app that is called without a socket."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Annotated, Any

import httpx
import pytest
from fastapi import Body, FastAPI
from pydantic import BaseModel, ConfigDict
from starlette.requests import Request

from deidstream.stream.http.admission import HttpLimits, client_of
from deidstream.stream.http.http_clients import ANYBODY, ClientBook, HttpClient
from deidstream.stream.http.own_hosts import LOOPBACK_HOSTS
from deidstream.stream.http.protection import protect
from deidstream.stream.http.replies import answer_errors

SECRET = "Quentin Featherstonehaugh"
TOKEN = "t" * 32
EHR = HttpClient("ehr", frozenset({"find"}))


class Held(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str
    number: int = 0


def app_under_test() -> FastAPI:
    app = FastAPI(docs_url=None, redoc_url=None)
    answer_errors(app)

    @app.post("/held")
    async def hold(_held: Held) -> dict[str, bool]:
        return {"held": True}

    @app.get("/people/{name}")
    async def person(name: str, request: Request) -> dict[str, str]:
        return {"client": client_of(request.scope).name, "letters": str(len(name))}

    @app.get("/broken")
    async def broken() -> None:
        raise RuntimeError(SECRET)

    @app.get("/slow")
    async def slow() -> None:
        await asyncio.Event().wait()

    @app.post("/any")
    async def anything(_value: Annotated[Any, Body()]) -> dict[str, bool]:
        return {"read": True}

    @app.get("/livez")
    async def livez() -> dict[str, bool]:
        return {"alive": True}

    return app


def client_for(
    limits: HttpLimits | None = None, book: ClientBook | None = None, token: str | None = TOKEN
) -> httpx.AsyncClient:
    book = book or ClientBook.of_tokens([(TOKEN, EHR)])
    app: Any = protect(app_under_test(), book, limits or HttpLimits())
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    transport = httpx.ASGITransport(app, raise_app_exceptions=True)
    return httpx.AsyncClient(transport=transport, base_url="http://test", headers=headers)


async def ask(method: str, path: str, **how: Any) -> httpx.Response:
    settings = {name: how.pop(name) for name in ("limits", "book", "token") if name in how}
    async with client_for(**settings) as client:
        return await client.request(method, path, **how)


def test_a_known_token_is_admitted_under_its_name() -> None:
    reply = asyncio.run(ask("GET", "/people/anne"))
    assert (reply.status_code, reply.json()) == (200, {"client": "ehr", "letters": "4"})


@pytest.mark.parametrize("token", [None, "x" * 32, TOKEN[:-1], TOKEN + "t", "\u00e9" * 20])
def test_any_other_token_is_refused(token: str | None) -> None:
    how: dict[str, Any] = {"token": None}
    if token is not None:
        how["headers"] = {b"Authorization": b"Bearer " + token.encode()}
    reply = asyncio.run(ask("GET", "/people/anne", **how))
    assert (reply.status_code, reply.json()["code"]) == (401, "NO_TOKEN")
    assert reply.headers["WWW-Authenticate"] == "Bearer"


def test_probes_need_no_token() -> None:
    assert asyncio.run(ask("GET", "/livez", token=None)).status_code == 200


def test_an_open_book_asks_for_none() -> None:
    book = ClientBook.open_to(ANYBODY)
    reply = asyncio.run(ask("GET", "/people/anne", token=None, book=book))
    assert reply.json()["client"] == "anybody"


@pytest.mark.usefixtures("expects_errors")
@pytest.mark.parametrize("path", ["/people/anne", "/nowhere", "/broken"])
def test_every_reply_has_the_headers(path: str) -> None:
    headers = asyncio.run(ask("GET", path)).headers
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "default-src 'none'" in headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "body",
    [
        {"text": 7, "number": SECRET},
        {"text": "a", SECRET: 1},
        {"text": [SECRET]},
        SECRET,
        [{SECRET: SECRET}],
    ],
)
def test_a_wrong_request_is_not_echoed(body: Any) -> None:
    reply = asyncio.run(ask("POST", "/held", json=body))
    assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST")
    assert SECRET.split(maxsplit=1)[0] not in reply.text
    assert reply.json()["fields"]


@pytest.mark.parametrize("body", [b'{"text": "Quentin', b"\xff\xfe", b"[" * 100_000])
def test_a_body_that_is_no_json_is_not_echoed(body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    reply = asyncio.run(ask("POST", "/any", content=body, headers=headers))
    assert (reply.status_code, reply.json()["code"]) == (400, "UNREADABLE")
    assert "Quentin" not in reply.text


def test_the_fields_that_are_wrong_are_named() -> None:
    reply = asyncio.run(ask("POST", "/held", json={"number": "x", SECRET: 1}))
    assert {"place": "body.number", "problem": "int_parsing"} in reply.json()["fields"]
    assert {"place": "body.?", "problem": "extra_forbidden"} in reply.json()["fields"]


def test_an_error_is_logged_by_its_type_alone(expects_errors: list[logging.LogRecord]) -> None:
    reply = asyncio.run(ask("GET", "/broken"))
    assert (reply.status_code, reply.json()["code"]) == (500, "INTERNAL")
    logged = [vars(record) for record in expects_errors]
    assert [record["msg"] for record in logged] == ["request-failed"]
    assert SECRET not in str(logged) + reply.text


def test_the_access_log_names_routes_and_no_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "deidstream")
    asyncio.run(ask("GET", "/people/Quentin"))
    asyncio.run(ask("GET", "/Quentin/nowhere?name=Quentin"))
    logged = [getattr(record, "deid_fields", {}) for record in caplog.records]
    assert [line["route"] for line in logged if "route" in line] == ["/people/{name}", "elsewhere"]
    assert logged[0]["client"] == "ehr"
    assert "Quentin" not in str(logged)


def test_a_long_body_is_refused_by_its_length() -> None:
    limits = HttpLimits(body_bytes=100)
    reply = asyncio.run(ask("POST", "/any", content=b"1" * 101, limits=limits))
    assert (reply.status_code, reply.json()["code"]) == (413, "BODY_TOO_LARGE")


def test_a_long_body_without_a_length_is_refused_before_its_end() -> None:
    asked = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal asked
        while True:
            asked += 1
            yield b"1" * 10

    headers = {"Content-Type": "application/json"}
    how: dict[str, Any] = {"content": endless(), "limits": HttpLimits(body_bytes=100)}
    reply = asyncio.run(ask("POST", "/any", headers=headers, **how))
    assert (reply.status_code, reply.json()["code"]) == (413, "BODY_TOO_LARGE")
    assert asked < 20


def test_a_slow_request_is_answered_in_time() -> None:
    reply = asyncio.run(ask("GET", "/slow", limits=HttpLimits(seconds=0.05)))
    assert (reply.status_code, reply.json()["code"]) == (504, "TIMEOUT")


async def busy(limits: HttpLimits) -> list[int]:
    async with client_for(limits) as client:
        first = asyncio.create_task(client.get("/slow"))
        await asyncio.sleep(0.02)
        refused = await client.get("/people/anne")
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        later = await client.get("/people/anne")
        return [refused.status_code, int(refused.headers["Retry-After"]), later.status_code]


def test_a_client_has_so_many_requests_at_once() -> None:
    assert asyncio.run(busy(HttpLimits(requests_of_client=1))) == [429, 1, 200]


def test_the_server_has_so_many_requests_at_once() -> None:
    assert asyncio.run(busy(HttpLimits(requests=1))) == [503, 1, 200]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LocalHost:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("localhost.evil.example", 421),
        ("", 421),
    ],
)
def test_without_tokens_a_server_answers_to_its_own_names(host: str, status: int) -> None:
    async def call() -> int:
        app: Any = protect(
            app_under_test(), ClientBook.open_to(ANYBODY), HttpLimits(), hosts=LOOPBACK_HOSTS
        )
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return (await client.get("/people/anne", headers={"Host": host})).status_code

    assert asyncio.run(call()) == status
