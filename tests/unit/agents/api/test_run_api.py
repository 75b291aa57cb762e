"""The process of the interface: it listens while it loads, drains on a signal, and says why not."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import orjson
import pytest

from deidstream.agents.api.run_api import load_for_api, run_api
from deidstream.agents.runtime.policy_choice import PolicyChoice
from deidstream.agents.settings import Settings, read_settings
from deidstream.schemas.errors import InvalidSettings, MissingArtefact, Refused, Unavailable
from deidstream.schemas.outcome import Anonymized
from deidstream.schemas.wire import encode_anonymized
from deidstream.stream.observing import metrics
from support.api_site import NOTE, load_rules, post, read_api_settings, with_api
from support.pipeline import service

SETTINGS = read_api_settings({"port": "0"})
OFFERED = read_api_settings({"policies": "redact"})


async def talk(
    settings: Settings,
    load: Callable[[Settings], PolicyChoice],
    ask: Callable[[httpx.AsyncClient], object],
) -> int:
    """Run the process, hold a conversation with it, and end it by SIGTERM."""
    found = asyncio.get_running_loop().create_future()
    running = asyncio.create_task(run_api(settings, load=load, listening=found.set_result))
    await asyncio.wait([running, found], return_when=asyncio.FIRST_COMPLETED)
    if found.done():
        async with httpx.AsyncClient(base_url=found.result(), timeout=20) as client:
            await ask(client)  # type: ignore[misc]
    return await asyncio.wait_for(running, 20)


async def until(client: httpx.AsyncClient, path: str, status: int) -> httpx.Response:
    async with asyncio.timeout(10):
        while (reply := await client.get(path)).status_code != status:  # noqa: ASYNC110 - a port
            await asyncio.sleep(0.02)
    return reply


@pytest.mark.slow  # uvicorn looks every tenth of a second whether it has to stop
def test_it_listens_while_it_loads_and_ends_on_a_signal() -> None:
    may_load = threading.Event()

    def load(settings: Settings) -> PolicyChoice:
        may_load.wait(10)
        return load_rules(settings)

    async def ask(client: httpx.AsyncClient) -> None:
        assert (await until(client, "/readyz", 503)).json()["missing"] == ["starting"]
        early = await client.post("/v1/deidentify", json={"note": NOTE})
        assert (early.status_code, early.json()["code"]) == (503, "STARTING")
        may_load.set()
        await until(client, "/readyz", 200)
        asked = asyncio.create_task(client.post("/v1/deidentify", json={"note": NOTE}))
        await asyncio.sleep(0.02)
        os.kill(os.getpid(), signal.SIGTERM)
        assert (await asked).json()["status"] == "anonymized"

    before = metrics.value("deid_api_notes_total", "/v1/deidentify", "anonymized")
    assert asyncio.run(talk(SETTINGS, load, ask)) == 0
    assert metrics.value("deid_api_notes_total", "/v1/deidentify", "anonymized") == before + 1


@pytest.mark.slow  # as above
def test_what_cannot_be_loaded_ends_it_with_the_reason() -> None:
    def load(_settings: Settings) -> PolicyChoice:
        msg = "models: not here"
        raise MissingArtefact(msg)

    async def ask(_client: httpx.AsyncClient) -> None:
        return None

    with pytest.raises(MissingArtefact, match="not here"):
        asyncio.run(talk(SETTINGS, load, ask))


@pytest.mark.slow  # as above
def test_a_redis_that_is_away_at_the_start_ends_it(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(bytes(range(32)).hex())
    away = {"DEIDSTREAM_REDIS_URL": "redis://127.0.0.1:1/0", "DEIDSTREAM_API_PORT": "0"}
    settings = read_settings({**away, "DEIDSTREAM_KEY_FILE": str(tmp_path / "key")})

    async def ask(_client: httpx.AsyncClient) -> None:
        return None

    with pytest.raises(Unavailable):
        asyncio.run(talk(settings, load_rules, ask))


def test_redis_needs_a_key_that_others_can_have() -> None:
    with pytest.raises(Refused, match="key file"):
        asyncio.run(run_api(read_settings({}), load=load_rules))


def test_unsafe_settings_are_refused_in_production() -> None:
    api = replace(SETTINGS.api, host="192.0.2.1", token="t" * 20)
    with pytest.raises(InvalidSettings) as caught:
        asyncio.run(run_api(replace(SETTINGS, env="prod", api=api), load=load_rules))
    assert "DEIDSTREAM_API_TLS_CERTIFICATE" in str(caught.value)
    assert "DEIDSTREAM_API_STORE" in str(caught.value)


def test_a_policy_that_does_not_exist_cannot_be_offered() -> None:
    settings = read_api_settings({"policies": "nowhere.toml"})
    with pytest.raises(Refused, match=r"nowhere\.toml"):
        load_rules_then_others(settings)


def load_rules_then_others(settings: Settings) -> None:
    choice = load_rules(read_api_settings())
    choice.load_others([name.strip() for name in settings.api.policies.split(",")])


@pytest.mark.slow  # models are loaded
def test_the_shipped_policies_that_are_offered_are_loaded() -> None:
    choice = load_for_api(read_api_settings({"policies": "redact, surrogate"}))
    names = {name: runtime.pipeline.policy.name for name, runtime in choice.runtimes.items()}
    assert names == {"": "surrogate", "redact": "redact", "surrogate": "surrogate"}


def test_a_note_has_the_bytes_that_a_worker_gives_it() -> None:
    made = load_rules(SETTINGS).default.pipeline
    (outcome,) = asyncio.run(service(made).run([orjson.dumps(NOTE)]))
    assert isinstance(outcome, Anonymized)
    assert post("/v1/deidentify", {"note": NOTE}).json()["note"] == orjson.loads(
        encode_anonymized(outcome.note)
    )


def test_a_policy_that_changed_is_in_force_for_the_next_request() -> None:
    async def ask(client: httpx.AsyncClient) -> list[str]:
        served = client.__dict__["state"].service
        texts = list[str]()
        for change in (None, "", "redact"):
            if change is not None:
                served.replace_policy(change, load_rules(OFFERED).runtimes["redact"])
            for policy in (None, "redact"):
                asked = {"note": NOTE, "policy": policy}
                reply = await client.post("/v1/deidentify", json=asked)
                texts.append(str(reply.json()["note"]["text"]))
        return texts

    found = with_api(ask, {"policies": "redact"})
    assert ["[DATE]" in text for text in found] == [False, True, True, True, True, True]
