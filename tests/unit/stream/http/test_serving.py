"""A real server: TLS, certificates of clients, a port that is taken, and an end without loss."""

import asyncio
import socket
import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from deidstream.schemas.errors import InvalidSettings
from deidstream.stream.http.server_tls import ServerTls
from deidstream.stream.http.serving import Listener, serve_app
from support.certificates import Authority
from support.ports import LOOPBACK

PLAIN = Listener("DEIDSTREAM_API", LOOPBACK, 0, ServerTls("DEIDSTREAM_API"), 5.0)


def app_under_test(seconds: float = 0.0) -> FastAPI:
    app = FastAPI()

    @app.get("/")
    async def root() -> dict[str, bool]:
        await asyncio.sleep(seconds)
        return {"here": True}

    return app


async def call(
    listener: Listener, trusting: ssl.SSLContext | None = None, seconds: float = 0.0
) -> int:
    """Start a server, ask it, tell it to stop while it computes, and return the status."""
    stop, address = asyncio.Event(), asyncio.get_running_loop().create_future()
    app: Any = app_under_test(seconds)
    serving = asyncio.create_task(serve_app(app, listener, stop, listening=address.set_result))
    await asyncio.wait([serving, address], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        serving.result()
    try:
        async with httpx.AsyncClient(verify=trusting or True) as client:
            asking = asyncio.create_task(client.get(address.result()))
            await asyncio.sleep(0.1)
            stop.set()
            return (await asking).status_code
    finally:
        stop.set()
        await serving


@pytest.mark.slow  # uvicorn looks every tenth of a second whether it has to stop
def test_requests_in_work_are_answered_before_the_end() -> None:
    assert asyncio.run(call(PLAIN, seconds=0.3)) == 200


@pytest.mark.slow  # keys are made
def test_tls_with_and_without_a_certificate_of_the_client(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    server, client = authority.issue("server"), authority.issue("client")
    tls = ServerTls("DEIDSTREAM_API", str(server))
    trusting = ssl.create_default_context(cafile=str(authority.ca))
    assert asyncio.run(call(replace(PLAIN, tls=tls), trusting)) == 200
    asks = replace(PLAIN, tls=replace(tls, client_ca=str(authority.ca)))
    with pytest.raises(httpx.TransportError):
        asyncio.run(call(asks, trusting))
    trusting.load_cert_chain(client)
    assert asyncio.run(call(asks, trusting)) == 200


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        listener = replace(PLAIN, port=taken.getsockname()[1])
        with pytest.raises(InvalidSettings, match="DEIDSTREAM_API_PORT"):
            asyncio.run(call(listener))


@pytest.mark.parametrize(
    ("tls", "named"),
    [
        (ServerTls("X", "/nowhere.pem"), "X_TLS_CERTIFICATE: /nowhere.pem"),
        (ServerTls("X", key="/nowhere.pem"), "X_TLS_CERTIFICATE: without it"),
    ],
)
def test_files_that_cannot_be_read_are_named(tls: ServerTls, named: str) -> None:
    with pytest.raises(InvalidSettings, match=named):
        tls.context()
