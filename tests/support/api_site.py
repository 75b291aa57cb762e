"""The app of the interface around a pipeline of rules alone, called without a socket."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, TypeVar, cast

import httpx

from deidstream.agents.api.api_clients import read_clients
from deidstream.agents.api.api_service import ApiService, policy_names
from deidstream.agents.api.api_state import ApiState
from deidstream.agents.api.application import make_app
from deidstream.agents.api.run_api import list_routers, protect_app
from deidstream.agents.runtime.compose import Runtime
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.runtime.policy_files import DEFAULT, Tenants
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.agents.settings import Settings, read_settings
from deidstream.models.policy.reader import read_policy
from deidstream.stream.observing.health import Health
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.pipeline import ROOT, LetterCounter, pipeline
from support.tenants import RULES

T = TypeVar("T")
TEXT = "Mr. Quentin Vanterpool, MRN: 4471098, was seen on 03/04/2024."
NOTE = {"note_id": "note-1", "patient_id": "patient-1", "text": TEXT}


@cache
def _runtime(technique: str) -> Runtime:
    policy = read_policy(RULES.format(technique).encode(), name=technique, file="rules.toml")
    made = pipeline(policy=policy)
    stamp = made.record_builder.stamp
    return Runtime(made, LetterCounter(), stamp, cast("Any", None), RootKeys(1, {1: ROOT}))


def load_rules(settings: Settings) -> PolicyChoice:
    """Load rules and gazetteers, under the default and under each policy that may be chosen."""
    others = {name: _runtime("redact") for name in policy_names(settings)}
    return PolicyChoice(settings, Tenants(), {DEFAULT: _runtime("surrogate"), **others})


def read_api_settings(given: Mapping[str, str] | None = None) -> Settings:
    """Read settings of the interface by their last names, such as ``token``."""
    named = {f"DEIDSTREAM_API_{name.upper()}": value for name, value in (given or {}).items()}
    return read_settings({"DEIDSTREAM_API_STORE": "memory", **named})


@asynccontextmanager
async def api_client(
    given: Mapping[str, str] | None = None,
    *,
    token: str = "",
    load: Callable[[Settings], PolicyChoice] | None = load_rules,
) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of the app; where nothing loads, the app says that models do."""
    settings = read_api_settings(given)
    health = Health(60.0, consumes=False)
    state = ApiState(settings, health)
    api = settings.api
    app: Any = protect_app(make_app(state, list_routers(api)), read_clients(api), api)
    if load is not None:
        state.service = ApiService.build(settings, load(settings), MemorySurrogateStore(), health)
        health.started = True
    work = asyncio.create_task(state.service.work()) if state.service else None
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers=headers, timeout=30
    ) as client:
        client.__dict__["state"] = state
        try:
            yield client
        finally:
            if work is not None:
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)


def with_api(
    ask: Callable[[httpx.AsyncClient], Awaitable[T]],
    given: Mapping[str, str] | None = None,
    **how: Any,
) -> T:
    """Run a conversation with the app."""

    async def talk() -> T:
        async with api_client(given, **how) as client:
            return await ask(client)

    return asyncio.run(talk())


def post(
    path: str, body: object, given: Mapping[str, str] | None = None, **how: Any
) -> httpx.Response:
    """Send one body and return the reply."""
    return with_api(lambda client: client.post(path, json=body), given, **how)
