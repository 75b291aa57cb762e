"""The pages beside the probes."""

import asyncio
from dataclasses import replace

import aiohttp
import orjson
import pytest

from deidstream.agents.operations.live_figures import LiveFigures
from deidstream.agents.operations.operations_page import operations_pages
from deidstream.agents.operations.summary import summarize_range
from deidstream.stream.http.ops_server import serve
from deidstream.stream.observing import metrics
from deidstream.stream.observing.health import Health
from support.sample_figures import sample_worker

PATHS = ("/", "/operations.css", "/operations.js", "/figures", "/metrics", "/livez")


async def ask(
    token: str = "", given: str = "", host: str = ""
) -> dict[str, tuple[int, str, dict[str, str]]]:
    figures = LiveFigures(Health(10, started=True, assigned=2), "group-1", name="host:1")
    pages = operations_pages(figures.figures)
    server = await serve(figures.health, host="127.0.0.1", port=0, token=token, pages=pages)
    headers = {"Authorization": f"Bearer {given}"} if given else {}
    headers |= {"Host": host} if host else {}
    try:
        async with aiohttp.ClientSession(server.url, headers=headers) as client:
            found: dict[str, tuple[int, str, dict[str, str]]] = {}
            for path in PATHS:
                async with client.get(path) as answer:
                    said = await answer.text()
                    found[path] = (answer.status, said, dict(answer.headers))
            return found
    finally:
        await server.stop()


def test_the_page_loads_nothing_from_elsewhere_and_runs_no_script_of_its_own() -> None:
    found = asyncio.run(ask())
    for path in ("/", "/operations.css", "/operations.js", "/figures"):
        status, said, headers = found[path]
        assert status == 200
        assert headers["Cache-Control"] == "no-store"
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "//" not in said.replace("// ", "").replace("http://www.w3.org/2000/svg", "")
    assert "<script>" not in found["/"][1]
    assert "style=" not in found["/"][1]


def test_figures_need_the_token_and_the_page_does_not() -> None:
    closed = asyncio.run(ask("secret"))
    assert [closed[path][0] for path in PATHS] == [200, 200, 200, 401, 401, 200]
    opened = asyncio.run(ask("secret", "secret"))
    assert [opened[path][0] for path in PATHS] == [200] * 6


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "localhost.evil.example"])
def test_without_a_token_figures_are_for_names_of_this_machine(host: str) -> None:
    found = asyncio.run(ask(host=host))
    assert [found[path][0] for path in PATHS] == [200, 200, 200, 421, 421, 200]
    found = asyncio.run(ask("secret", "secret", host))
    assert [found[path][0] for path in PATHS] == [200] * 6
    found = asyncio.run(ask(host="LocalHost:8080"))
    assert [found[path][0] for path in PATHS] == [200] * 6


def test_figures_say_what_was_counted() -> None:
    before = orjson.loads(asyncio.run(ask())["/figures"][1])
    metrics.count("deid_notes_total", "emitted", by=4)
    metrics.count("deid_risk_level_total", "red", "threshold", by=4)
    after = orjson.loads(asyncio.run(ask())["/figures"][1])
    assert after["group_name"] == "group-1"
    assert [worker["name"] for worker in after["workers"]] == ["host:1"]
    emitted = [each["group"]["totals"].get("emitted", 0) for each in (before, after)]
    assert emitted[1] - emitted[0] == 4
    ranges = [after["throughput"], *after["history"]]
    assert [each["slot_seconds"] for each in ranges] == [5, 20, 120, 480]
    for each in ranges:
        assert len(each["notes"]) == 180
        assert 5 <= after["at"] - each["until"] <= 5 + each["slot_seconds"]


def test_slot_in_which_no_worker_counted_has_no_figure() -> None:
    now = 1_000_000_000.0
    workers = [sample_worker(name, now) for name in ("a", "b")]
    day = summarize_range(workers, 480, now)["notes"]
    assert day.count(None) == 180 - 10
    assert day[-1] == sum(each.slots["480"]["2083332"] for each in workers)
    # A restart of one of them takes nothing from the other.
    assert summarize_range([replace(workers[0], slots={}), workers[1]], 480, now)["notes"][-1] > 0


@pytest.mark.parametrize("path", ["/figures", "/metrics"])
def test_figures_hold_no_name_of_a_topic_or_patient(path: str) -> None:
    assert "patient_id" not in asyncio.run(ask())[path][1]
