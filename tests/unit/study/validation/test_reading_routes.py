"""What the reading page's routes show to whom, and what they keep."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import httpx
import orjson
import pytest

from deidstream.schemas.errors import InvalidSettings
from deidstream.study.validation.make_plan import make_plan
from deidstream.study.validation.reading.reading_room import ReadingRoom
from deidstream.study.validation.reading.run_reading import make_reading_app, open_room
from deidstream.study.validation.site.validation_folder import read_records
from support.review_client import Client
from support.review_site import PASSWORD
from support.validation_site import LEFT, PLAN, ValidationSite, make_site, read_as


@pytest.fixture
def site(tmp_path: Path) -> ValidationSite:
    made = make_site(tmp_path, 40, leaking=1.0, red=0.5)
    make_plan(made.folder, PLAN)
    made.sample()
    return made


@pytest.fixture
def room(site: ValidationSite) -> ReadingRoom:
    return site.open_room()


def go(room: ReadingRoom, name: str, act: Callable[[Client], Awaitable[None]]) -> None:
    async def whole() -> None:
        transport = httpx.ASGITransport(make_reading_app(room))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as http:
            client = Client(http)
            answer = await client.post("/api/login", {"name": name, "password": PASSWORD})
            client.csrf = answer.json()["csrf"]
            await act(client)

    asyncio.run(whole())


def test_a_reader_reads_and_the_marks_are_kept_without_text(
    site: ValidationSite, room: ReadingRoom
) -> None:
    leaking = next(note for note in room.notes if LEFT in note.text)

    async def read(anna: Client) -> None:
        state = (await anna.http.get("/api/reading")).json()
        assert (state["role"], state["next"], state["done"]) == ("reader", 1, 0)
        shown = (await anna.http.get(f"/api/notes/{leaking.number}")).json()
        assert "".join(one["text"] for one in shown["segments"]) == leaking.text
        found = {one["text"] for one in shown["segments"] if "label" in one}
        controls = {leaking.text[s.start : s.end] for s in leaking.spans if s.is_control}
        assert not found & controls
        at = leaking.text.index(LEFT)
        mark = {"start": at, "end": at + len(LEFT), "label": "PATIENT"}
        body = {"seconds": 12.5, "marks": [mark]}
        assert (await anna.put(f"/api/notes/{leaking.number}", body)).status_code == 204
        again = (await anna.http.get(f"/api/notes/{leaking.number}")).json()
        assert again["marks"] == [mark]

    go(room, "anna", read)
    (kept,) = read_records(site.folder.readings("anna"))
    assert (kept["number"], kept["seconds"]) == (leaking.number, 12.5)
    written = b"".join(
        path.read_bytes() for path in (site.folder.readings("anna"), site.folder.trail)
    )
    assert LEFT.encode() not in written
    lines = site.folder.trail.read_bytes().splitlines()
    actions = [orjson.loads(line)["record"]["action"] for line in lines]
    assert actions == ["review-login", "review-read", "review-finish", "review-read"]


def test_a_reader_never_sees_what_the_other_one_marked(
    site: ValidationSite, room: ReadingRoom
) -> None:
    read_as(site, "anna", room.notes)

    async def look(ben: Client) -> None:
        for note in room.notes[:5]:
            shown = (await ben.http.get(f"/api/notes/{note.number}")).json()
            assert shown["marks"] == []
        assert "decision" not in (await ben.http.get("/api/reading")).json()
        assert (await ben.http.get("/api/disputes/1")).status_code == 403

    go(room, "ben", look)


def test_the_adjudicator_decides_and_does_not_see_who_said_what(
    site: ValidationSite, room: ReadingRoom
) -> None:
    read_as(site, "anna", room.notes)
    read_as(site, "ben", room.notes, finds=0.0)

    async def decide(cleo: Client) -> None:
        before = (await cleo.http.get("/api/reading")).json()
        assert before["disputed"] > 0
        shown = (await cleo.http.get(f"/api/disputes/{before['next']}")).json()
        assert "anna" not in str(shown)
        (place,) = shown["places"]
        assert (place["labels"], place["readers"]) == (["PATIENT"], 1)
        path = f"/api/disputes/{before['next']}"
        ends = {"start": place["start"], "end": place["end"]}
        elsewhere = {"places": [{"start": 0, "end": 1, "label": None}]}
        assert (await cleo.put(path, elsewhere)).status_code == 409
        assert (await cleo.put(path, {"places": [{**ends, "label": None}]})).status_code == 204
        after = (await cleo.http.get("/api/reading")).json()
        assert after["disputed"] == before["disputed"] - 1
        assert (await cleo.http.get("/api/notes/1")).status_code == 403

    go(room, "cleo", decide)

    async def change(anna: Client) -> None:
        (number,) = room.look().readings.rulings
        body = {"seconds": 1, "marks": []}
        assert (await anna.put(f"/api/notes/{number}", body)).status_code == 409

    go(room, "anna", change)


def test_who_is_not_in_the_plan_sees_nothing(room: ReadingRoom) -> None:
    async def look(rita: Client) -> None:
        for path in ("/api/reading", "/api/notes/1", "/api/disputes/1"):
            assert (await rita.http.get(path)).status_code == 403

    go(room, "rita", look)

    async def look_without_login() -> None:
        transport = httpx.ASGITransport(make_reading_app(room))
        async with httpx.AsyncClient(transport=transport, base_url="http://page") as http:
            for path in ("/api/facts", "/api/reading", "/api/notes/1", "/api/disputes/1"):
                assert (await http.get(path)).status_code == 401
            assert (await http.get("/static/reading/reading.js")).status_code == 200
            assert (await http.get("/static/site/sample.jsonl")).status_code == 404

    asyncio.run(look_without_login())


@pytest.mark.parametrize(
    "body",
    [
        {"seconds": -1, "marks": []},
        {"seconds": 1, "marks": [{"start": 5, "end": 5, "label": "DATE"}]},
        {"seconds": 1, "marks": [{"start": 0, "end": 10**6, "label": "DATE"}]},
        {"seconds": 1, "marks": [{"start": 0, "end": 3, "label": None}]},
        {"seconds": 1, "marks": [{"start": 0, "end": 3, "label": "NAME"}]},
    ],
)
def test_marks_that_cannot_be_are_refused(
    site: ValidationSite, room: ReadingRoom, body: dict[str, object]
) -> None:
    async def send(anna: Client) -> None:
        assert (await anna.put("/api/notes/1", body)).status_code == 422
        assert (await anna.put("/api/notes/999", {"seconds": 1, "marks": []})).status_code == 404

    go(room, "anna", send)
    assert not site.folder.readings("anna").exists()


def test_notes_of_a_later_stage_wait(tmp_path: Path) -> None:
    made = make_site(tmp_path, 200)
    make_plan(made.folder, PLAN)
    made.sample()
    room = made.open_room()
    end = made.folder.read_plan().stages[0].notes

    async def look(anna: Client) -> None:
        assert (await anna.http.get("/api/reading")).json()["wanted"] == end
        assert (await anna.http.get(f"/api/notes/{end}")).status_code == 200
        assert (await anna.http.get(f"/api/notes/{end + 1}")).status_code == 404
        body = {"seconds": 1, "marks": []}
        assert (await anna.put(f"/api/notes/{end + 1}", body)).status_code == 409

    go(room, "anna", look)


def test_people_of_the_plan_have_to_be_users(site: ValidationSite, room: ReadingRoom) -> None:
    assert room.plan.readers == ("anna", "ben")
    (site.folder.plan).write_bytes(site.folder.plan.read_bytes().replace(b'"ben"', b'"bob"'))
    review = site.settings.review
    own = replace(review, folder=str(site.home / "review"))
    with pytest.raises(InvalidSettings, match="bob"):
        open_room(site.folder, replace(site.settings, review=own))
