"""Labels of a site's own on the review page: chosen for a mark, in the settings, in downloads."""

from deidstream.agents.review.desk import Desk
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import decode_labelled
from support.review_client import Client, go
from support.review_site import NOTES, POLICY

OWN = """
[labels]
PUMP_ID = "DEVICE"
[operators]
PUMP_ID = "redact"
"""
TEXT = NOTES["foust.txt"]
PLACE = TEXT.index("Zorbo")
EDIT = {"kind": "mark", "start": PLACE, "end": PLACE + 5, "everywhere": True}


async def open_with_own(client: Client, desk: Desk) -> None:
    """Open a list under a saved policy that has a label of its own."""
    desk.folder.save("own", (POLICY.read_text() + OWN).encode())
    await client.open_list()
    settings = (await client.http.get("/api/policies/own")).json()
    settings.pop("labels")
    assert (await client.put(f"{client.list}/settings", settings)).is_success


def test_a_place_is_marked_as_it_and_shown_so(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await open_with_own(client, desk)
        edited = await client.post(f"{client.list}/notes/1/edits", EDIT | {"label": "PUMP_ID"})
        note = edited.json()
        assert {one["label"] for one in note["original"] if one["text"] == "Zorbo"} == {"PUMP_ID"}
        assert note["text"].count("[PUMP_ID]") == 2
        assert note["labels"]["PUMP_ID"] == 2
        unknown = await client.post(f"{client.list}/notes/1/edits", EDIT | {"label": "OTHER_ID"})
        assert unknown.status_code == 422
        lines = (await client.http.get(f"{client.list}/labelled.jsonl")).content.splitlines()
        spans = [one for line in lines for one in decode_labelled(line).spans if one.own]
        assert {(one.name, one.label) for one in spans} == {("PUMP_ID", PhiLabel.DEVICE)}

    go(desk, "rita", act)


def test_the_page_knows_its_group_and_its_operators(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await open_with_own(client, desk)
        facts = (await client.http.get("/api/facts")).json()
        (device,) = [one for one in facts["labels"] if one["name"] == "DEVICE"]
        (own,) = (await client.http.get(client.list)).json()["labels"]
        assert own == device | {"name": "PUMP_ID", "like": "DEVICE"}
        form = (await client.http.get(f"{client.list}/settings")).json()
        assert form["labels"] == [own]
        assert form["operators"]["PUMP_ID"] == "redact"

    go(desk, "rita", act)


def test_a_mark_of_a_label_that_another_policy_lacks_is_of_its_like(desk: Desk) -> None:
    async def act(client: Client) -> None:
        await open_with_own(client, desk)
        mark = EDIT | {"label": "PUMP_ID", "everywhere": False}
        assert (await client.post(f"{client.list}/notes/1/edits", mark)).is_success
        settings = (await client.http.get("/api/policies/redact")).json()
        settings.pop("labels")
        settings["tagger"] = "none"
        assert (await client.put(f"{client.list}/settings", settings)).is_success
        shown = "[PUMP_ID]"
        while "[PUMP_ID]" in shown:
            shown = (await client.http.get(f"{client.list}/notes/1")).json()["text"]
        assert "[DEVICE]" in shown

    go(desk, "rita", act)
