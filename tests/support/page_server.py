"""A page on this machine: its app on a server that has a thread of its own."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

from starlette.types import ASGIApp

from deidstream.stream.http.server_tls import ServerTls
from deidstream.stream.http.serving import Listener, serve_app
from support.ports import LOOPBACK


@contextmanager
def serving(app: ASGIApp, close: Callable[[], Awaitable[None]] | None = None) -> Generator[str]:
    """Serve an app from a thread, as a browser's own loop may be the one of this thread."""
    ready, urls = threading.Event(), list[str]()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    def listening(url: str) -> None:
        urls.append(url)
        ready.set()

    async def serve() -> None:
        listener = Listener("TEST", LOOPBACK, 0, ServerTls("TEST"))
        await serve_app(app, listener, stop, listening=listening)
        if close is not None:
            await close()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    try:
        assert ready.wait(20)
        yield urls[0]
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(20)
        loop.close()
