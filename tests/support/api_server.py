"""The app of the interface behind a real port, on a thread, for clients that are not ours."""

import asyncio
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from deidstream.agents.api.api_clients import read_clients
from deidstream.agents.api.api_service import ApiService
from deidstream.agents.api.api_state import ApiState
from deidstream.agents.api.application import make_app
from deidstream.agents.api.run_api import list_routers, listener_of, protect_app
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.settings import Settings
from deidstream.stream.http.serving import serve_app
from deidstream.stream.observing.health import Health
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.api_site import load_rules, read_api_settings


@dataclass(slots=True)
class _Server:
    settings: Settings
    load: Callable[[Settings], PolicyChoice]
    url: str = ""
    listening: threading.Event = field(default_factory=threading.Event)
    loop: asyncio.AbstractEventLoop | None = None
    stop: asyncio.Event | None = None

    def run(self) -> None:
        asyncio.run(self.serve())

    async def serve(self) -> None:
        self.loop, self.stop = asyncio.get_running_loop(), asyncio.Event()
        health = Health(60.0, consumes=False, started=True)
        state = ApiState(self.settings, health)
        choice = self.load(self.settings)
        state.service = ApiService.build(self.settings, choice, MemorySurrogateStore(), health)
        api = self.settings.api
        app = protect_app(make_app(state, list_routers(api)), read_clients(api), api)
        work = asyncio.create_task(state.service.work())
        try:
            await serve_app(app, listener_of(api), self.stop, listening=self.tell)
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    def tell(self, url: str) -> None:
        self.url = url
        self.listening.set()

    def end(self) -> None:
        assert self.loop is not None
        assert self.stop is not None
        self.loop.call_soon_threadsafe(self.stop.set)


@contextmanager
def api_server(
    given: Mapping[str, str] | None = None,
    load: Callable[[Settings], PolicyChoice] = load_rules,
) -> Generator[str]:
    """Run the app, and give its URL."""
    settings = read_api_settings({"port": "0", "drain_seconds": "1", **(given or {})})
    server = _Server(settings, load)
    thread = threading.Thread(target=server.run, name="api-server")
    thread.start()
    try:
        assert server.listening.wait(60)
        yield server.url
    finally:
        server.end()
        thread.join(30)
