"""A request that trickles in is given up, also where its first line never ends."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest
from fastapi import FastAPI, Request

from deidstream.stream.http.admission import HttpLimits
from deidstream.stream.http.http_clients import ANYBODY, ClientBook
from deidstream.stream.http.ops_server import serve
from deidstream.stream.http.protection import protect
from deidstream.stream.http.replies import answer_errors
from deidstream.stream.http.request_deadlines import RequestDeadlines
from deidstream.stream.http.server_tls import ServerTls
from deidstream.stream.http.serving import Listener, serve_app
from deidstream.stream.observing.health import Health
from support.ports import LOOPBACK

QUICK = RequestDeadlines(head_seconds=0.2, body_seconds=0.2, body_rate=1e6)
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, bytes]]


def app_under_test() -> FastAPI:
    app = FastAPI()
    answer_errors(app)

    @app.post("/")
    async def read(request: Request) -> int:
        return len(await request.body())

    return app


async def with_app(talk: Talk, deadlines: RequestDeadlines) -> bytes:
    """Run a conversation with a server."""
    listener = Listener("X", LOOPBACK, 0, ServerTls("X"), 1.0, deadlines)
    stop, address = asyncio.Event(), asyncio.get_running_loop().create_future()
    app: Any = protect(app_under_test(), ClientBook.open_to(ANYBODY), HttpLimits(seconds=5))
    serving = asyncio.create_task(serve_app(app, listener, stop, listening=address.set_result))
    try:
        port = int((await address).rsplit(":", 1)[1])
        return await talk(*await asyncio.open_connection(LOOPBACK, port))
    finally:
        stop.set()
        await serving


async def read_answer(reader: asyncio.StreamReader) -> bytes:
    """Return what the server said; it resets a connection whose last bytes it has not read."""
    answer = b""
    with suppress(ConnectionResetError):
        while block := await reader.read(4096):
            answer += block
    return answer


async def trickle(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float = 0.05
) -> bytes:
    """Send a byte now and then until the server ends the connection; return what it said."""
    answer = asyncio.create_task(read_answer(reader))
    while not answer.done():
        writer.write(b"x")
        await asyncio.wait([answer], timeout=seconds)
    writer.close()
    return await answer


async def send_head(writer: asyncio.StreamWriter, length: int) -> None:
    writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % length)
    await writer.drain()


async def trickle_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    await send_head(writer, 1_000)
    return await trickle(reader, writer)


async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    answer = await reader.read()
    writer.close()
    return answer


@pytest.mark.slow  # uvicorn looks every tenth of a second whether it has to stop
@pytest.mark.parametrize("talk", [trickle, trickle_body, say_nothing])
def test_what_does_not_arrive_in_time_is_given_up(talk: Talk) -> None:
    answer = asyncio.run(asyncio.wait_for(with_app(talk, QUICK), 60))
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert answer.endswith(b'"code":"TIMEOUT"}')


@pytest.mark.slow  # a byte a second
def test_one_byte_a_second_is_given_up_before_the_head_is_there() -> None:
    async def one_a_second(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        return await trickle(reader, writer, 1.0)

    deadlines = RequestDeadlines(head_seconds=2.5)
    assert asyncio.run(asyncio.wait_for(with_app(one_a_second, deadlines), 60))[9:12] == b"408"


@pytest.mark.slow  # uvicorn looks every tenth of a second whether it has to stop
def test_a_long_body_has_the_time_of_its_bytes_and_the_connection_stays() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        answer = b""
        for _ in range(2):
            await send_head(writer, 40_000)
            for _ in range(4):
                await asyncio.sleep(0.1)
                writer.write(b"x" * 10_000)
            answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n40000"), 2)
            await asyncio.sleep(0.3)
        writer.close()
        return answer

    deadlines = RequestDeadlines(head_seconds=0.2, body_seconds=0.2, body_rate=50_000)
    assert asyncio.run(with_app(talk, deadlines)).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("talk", [trickle, say_nothing])
def test_the_port_of_the_worker_gives_up_too(talk: Talk) -> None:
    async def run() -> bytes:
        server = await serve(Health(1.0), host=LOOPBACK, port=0, head_seconds=0.2)
        try:
            reader, writer = await asyncio.open_connection(LOOPBACK, server.port)
            writer.write(b"GET /" if talk is trickle else b"")
            return await asyncio.wait_for(talk(reader, writer), 5)
        finally:
            await server.stop()

    assert asyncio.run(run()) == b""


def test_the_port_of_the_worker_answers_several_requests_of_one_connection() -> None:
    async def run() -> list[bytes]:
        server = await serve(Health(1.0), host=LOOPBACK, port=0, head_seconds=0.3)
        reader, writer = await asyncio.open_connection(LOOPBACK, server.port)
        answers: list[bytes] = []
        for _ in range(3):
            writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r")
            await asyncio.sleep(0.02)
            writer.write(b"\n\r\n")
            answers.append(await asyncio.wait_for(reader.readuntil(b"}\n"), 2))
            await asyncio.sleep(0.35)
        writer.close()
        await server.stop()
        return answers

    assert [answer[:12] for answer in asyncio.run(run())] == [b"HTTP/1.1 200"] * 3
