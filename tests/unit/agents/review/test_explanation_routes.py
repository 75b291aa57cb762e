"""The route that explains a note: to reviewers alone, and after the trail has it."""

from deidstream.agents.review.desk import Desk
from deidstream.agents.review.worklist import Worklist
from deidstream.schemas.note import RawNote
from support.review_client import Client, go, read_trail
from support.review_site import NOTES


def test_a_note_is_explained_to_reviewers_after_the_trail_has_it(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await client.open_list()
        path = f"{client.list}/notes/1"
        shown = (await client.http.get(path)).json()
        answer = (await client.http.get(f"{path}/explanation")).json()
        assert answer["runs"] == shown["runs"]
        spans = [one for one in shown["original"] if "label" in one]
        assert [one["start"] for one in answer["places"]] == [one["at"] for one in spans]
        for place, span in zip(answer["places"], spans, strict=True):
            assert place["ended"] == "replaced"
            told = {line["about"]: line["text"] for line in place["lines"]}
            assert span["operator"] in told["operator"]
        actions = [record["action"] for record in read_trail(desk)]
        assert actions[-1] == "review-explain"

    go(desk, "rita", act)
    assert "Foust" not in desk.folder.trail.read_text()


def test_any_stretch_of_the_original_is_explained(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await client.open_list()
        path = f"{client.list}/notes/1/explanation"
        start = NOTES["foust.txt"].index("Zorbo")
        answer = await client.http.get(path, params={"start": start, "end": start + 5})
        (place,) = answer.json()["places"]
        assert (place["start"], place["end"], place["lines"]) == (start, start + 5, [])
        assert "no recognizer reported it" in place["ended"]
        for wrong in ({"start": 4}, {"end": 4}, {"start": 4, "end": 4}, {"start": 1, "end": 9999}):
            assert (await client.http.get(path, params=wrong)).status_code == 422
        assert (await client.http.get(path, params={"other": 1})).status_code == 422

    go(desk, "rita", act)


def test_a_mark_of_a_reviewer_is_explained(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await client.open_list()
        start = NOTES["foust.txt"].index("3 weeks")
        edit = {"kind": "mark", "start": start, "end": start + 7, "label": "DATE"}
        await client.post(f"{client.list}/notes/1/edits", edit | {"everywhere": False})
        answer = (await client.http.get(f"{client.list}/notes/1/explanation")).json()
        (place,) = [one for one in answer["places"] if one["start"] == start]
        told = {line["about"]: line["text"] for line in place["lines"]}
        assert told["reviewed"].startswith("adds DATE 1.000 review '3 weeks'")

    go(desk, "rita", act)


def test_readers_are_told_no_reasons(desk: Desk) -> None:
    async def act(client: Client) -> None:
        made = Worklist("t", "upload", desk.default_draft())
        made.add("n", RawNote("n", "p", NOTES["foust.txt"]))
        desk.shelf.put(made)
        path = f"/api/lists/{made.id}/notes/1/explanation"
        assert (await client.http.get(path)).status_code == 403

    go(desk, "rob", act)


def test_what_was_never_run_has_no_reasons(desk: Desk) -> None:
    async def act(client: Client) -> None:
        made = Worklist("t", "upload", desk.default_draft())
        made.add("n", RawNote("n", "p", NOTES["foust.txt"]))
        desk.shelf.put(made)
        answer = await client.http.get(f"/api/lists/{made.id}/notes/1/explanation")
        assert answer.json() == {"runs": 0, "places": []}

    go(desk, "rita", act)
