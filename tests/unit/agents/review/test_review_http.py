"""The routes of the review page, asked without its scripts: refusals, headers, files."""

import asyncio
import io
import zipfile

import pytest

from deidstream.agents.review import desk as desk_module
from deidstream.agents.review.desk import Desk
from deidstream.agents.review.users import UserFile
from deidstream.agents.review.visits import TRIES
from deidstream.agents.review.worklist import Worklist
from deidstream.models.policy.term_lists import read_list
from deidstream.schemas.labelled import decode_labelled
from support.review_client import Client, go, visit
from support.review_site import NOTES, PASSWORD


def test_nobody_sees_anything_without_a_login(desk: Desk) -> None:
    async def act(client: Client) -> None:
        for path in ("/api/lists", "/api/facts", "/api/lists/x/notes/1", "/api/policies/redact"):
            assert (await client.http.get(path)).status_code == 401
        assert (await client.post("/api/lists", {})).status_code == 401
        assert (await client.http.get("/api/visit")).json() == {}

    go(desk, "", act)


def test_headers_forbid_keeping_framing_and_foreign_scripts(desk: Desk) -> None:
    async def act(client: Client) -> None:
        for path in ("/", "/static/review/page.js", "/api/visit", "/static/vendor/htm-preact.js"):
            answer = await client.http.get(path)
            assert answer.status_code == 200
            assert answer.headers["Cache-Control"] == "no-store"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert "unsafe" not in answer.headers["Content-Security-Policy"]
        for path in ("/static/review/..%2f..%2f__init__.py", "/static/data/x.js", "/etc"):
            assert (await client.http.get(path)).status_code == 404

    go(desk, "", act)


def test_change_needs_the_token_of_the_visit(desk: Desk) -> None:
    async def act(client: Client) -> None:
        client.csrf = "another"
        assert (await client.post("/api/lists", {})).status_code == 403
        assert (await client.post("/api/logout")).status_code == 403

    go(desk, "rita", act)


def test_login_of_another_site_is_refused(desk: Desk) -> None:
    async def act(client: Client) -> None:
        answer = await client.http.post(
            "/api/login",
            json={"name": "rita", "password": PASSWORD},
            headers={"Sec-Fetch-Site": "cross-site"},
        )
        assert answer.status_code == 403

    go(desk, "", act)


def test_page_that_is_left_open_does_not_keep_its_visit(desk: Desk) -> None:
    now = [0.0]
    desk.visits.clock = lambda: now[0]

    async def act(client: Client) -> None:
        codes: list[int] = []
        for _ in range(3):
            now[0] += 400
            answer = await client.http.get("/api/lists", headers={"X-Poll": "1"})
            codes.append(answer.status_code)
        assert codes == [200, 200, 401]

    go(desk, "rita", act)


def test_visit_of_a_user_who_was_removed_ends(desk: Desk) -> None:
    async def act(client: Client) -> None:
        assert (await client.http.get("/api/lists")).status_code == 200
        UserFile(desk.folder.users).remove("rita")
        assert (await client.http.get("/api/lists")).status_code == 401
        assert (await client.http.get("/api/visit")).json() == {}

    go(desk, "rita", act)


def test_wrong_passwords_that_come_together_count_each_other(desk: Desk) -> None:
    async def act(client: Client) -> None:
        wrong = {"name": "rita", "password": "wrong horse battery"}
        answers = await asyncio.gather(*(client.post("/api/login", wrong) for _ in range(12)))
        tried = sum(answer.status_code == 401 for answer in answers)
        assert TRIES <= tried <= TRIES + 1

    go(desk, "", act)


def test_wrong_passwords_from_elsewhere_keep_nobody_else_out(desk: Desk) -> None:
    for number in range(20 * TRIES):
        desk.limit.count_failure(f"name-{number}", "192.0.2.7")

    async def act(client: Client) -> None:
        answer = await client.post("/api/login", {"name": "rita", "password": PASSWORD})
        assert answer.status_code == 200
        for number in range(10 * TRIES):
            desk.limit.count_failure(f"name-{number}", "127.0.0.1")
        answer = await client.post("/api/login", {"name": "rita", "password": PASSWORD})
        assert answer.status_code == 429

    go(desk, "", act)


def test_lists_are_forgotten_though_nobody_comes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "FORGET_SECONDS", 0.01)
    worklist = Worklist("t", "upload", desk.default_draft())
    desk.shelf.put(worklist)
    desk.shelf.seconds = -1
    forgetting = asyncio.run(_forget_for_a_moment(desk))
    assert forgetting.cancelled()
    assert worklist.forgotten


async def _forget_for_a_moment(desk: Desk) -> asyncio.Task[None]:
    task = asyncio.create_task(desk.forget_unused())
    await asyncio.sleep(0.1)
    task.cancel()
    await asyncio.wait([task])
    return task


def test_visit_ends_at_logout_and_cookie_is_strict(desk: Desk) -> None:
    async def act(client: Client) -> None:
        answer = await client.post("/api/login", {"name": "rob", "password": PASSWORD})
        cookie = answer.headers["Set-Cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        client.csrf = answer.json()["csrf"]
        assert (await client.post("/api/logout")).status_code == 200
        assert (await client.http.get("/api/lists")).status_code == 401

    go(desk, "", act)


def test_readers_may_change_and_take_nothing_but_outputs(desk: Desk) -> None:
    async def review(client: Client) -> None:
        await client.open_list()

    async def read(client: Client) -> None:
        (row,) = (await client.http.get("/api/lists")).json()
        place = f"/api/lists/{row['id']}"
        edit = {"kind": "clear", "start": 0, "end": 2, "label": "DATE", "everywhere": False}
        for answer in (
            await client.post(f"{place}/notes/1/edits", edit),
            await client.put(f"{place}/notes/1/verdict", {"verdict": "accepted"}),
            await client.post("/api/lists", {}),
            await client.post(f"{place}/undo"),
            await client.http.get(f"{place}/settings"),
            await client.http.get(f"{place}/labelled.jsonl"),
            await client.http.get(f"{place}/terms.zip"),
            await client.http.get("/api/policies/redact"),
        ):
            assert answer.status_code == 403
        taken = await client.http.get(f"{place}/outputs.jsonl")
        assert taken.status_code == 200
        assert "Foust" not in taken.text

    async def both() -> None:
        async with visit(desk, "rita") as client:
            await review(client)
        async with visit(desk, "rob") as client:
            await read(client)

    asyncio.run(both())


def test_wrong_requests_are_refused_without_an_echo(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await client.open_list()
        edit = {"kind": "mark", "start": 0, "end": 3, "label": "PATIENT", "everywhere": True}
        for wrong in (
            {"start": 10_000, "end": 10_001},
            {"start": 5, "end": 5},
            {"start": 3, "end": 4},  # a blank cannot be a term
            {"label": "Foust"},
            {"Foust": 1},
        ):
            answer = await client.post(f"{client.list}/notes/1/edits", edit | wrong)
            assert answer.status_code == 422, wrong
            assert "Foust" not in answer.text
        for path in ("/notes/99", "/notes/99/output.txt"):
            assert (await client.http.get(client.list + path)).status_code == 404
        assert (await client.post(f"{client.list}/undo")).status_code == 409

    go(desk, "rita", act)


def test_verdicts_become_lists_and_labelled_notes(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await client.open_list()
        text = NOTES["foust.txt"]
        place = text.index("Zorbo")
        mark = {"kind": "mark", "start": place, "end": place + 5, "label": "DEVICE"}
        await client.post(f"{client.list}/notes/1/edits", mark | {"everywhere": True})
        place = text.index("02/19/1956")
        clear = {"kind": "clear", "start": place, "end": place + 10, "label": "DATE"}
        await client.post(f"{client.list}/notes/1/edits", clear | {"everywhere": True})
        packed = (await client.http.get(f"{client.list}/terms.zip")).content
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            lists = {name: read_list(name, archive.read(name))[0] for name in archive.namelist()}
        assert {name: [one.term for one in found] for name, found in lists.items()} == {
            "allow.txt": ["02/19/1956"],
            "deny.DEVICE.txt": ["Zorbo"],
        }
        lines = (await client.http.get(f"{client.list}/labelled.jsonl")).content.splitlines()
        (labelled,) = map(decode_labelled, lines)
        found = {labelled.note.text[span.start : span.end] for span in labelled.spans}
        assert "Zorbo" in found
        assert "02/19/1956" not in found

    go(desk, "rita", act)


def test_table_of_names_says_which_output_is_of_which_file(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await client.open_list()
        headers = {"X-CSRF-Token": client.csrf, "X-File-Name": "=1+1.txt"}
        await client.http.post(f"{client.list}/files", content=b"Seen.", headers=headers)
        table = (await client.http.get(f"{client.list}/names.csv")).text
        rows = [line.split(",") for line in table.splitlines()]
        listed = (await client.http.get(client.list)).json()["rows"]
        named = {row["name"]: row["pseudonym"] for row in listed if row["level"]}
        assert {row[1]: row[2] for row in rows[1:3]} == named
        assert rows[3][1:] == ["'=1+1.txt", "", ""]

    go(desk, "rita", act)


def test_shared_notes_say_whose_they_are(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await client.open_list()
        assert (await client.post(f"{client.list}/readers", {"names": ["rita", "rob"]})).is_success
        rows = (await client.http.get(client.list)).json()["rows"]
        assert {row["reader"] for row in rows} == {"rita", "rob"}
        wrong = await client.post(f"{client.list}/readers", {"names": [""]})
        assert wrong.status_code == 422

    go(desk, "rita", act)
