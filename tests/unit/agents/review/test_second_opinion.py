"""Two readers of a note are blind to each other; then they are compared, and somebody decides."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.agents.review.agreement import pair_words
from deidstream.agents.review.desk import Desk
from deidstream.agents.review.policy_draft import PolicyDraft
from deidstream.agents.review.second_opinion import begin_blind, find_disputed
from deidstream.agents.review.users import ReviewRole, ReviewUser, UserFile
from deidstream.agents.review.worklist import Worklist
from deidstream.agents.settings import ReviewSettings
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from support.review_client import Client, client_of
from support.review_site import NOTES, PASSWORD, make_review_desk

TEXT = NOTES["foust.txt"]
WORD = "recheck"
PLACE = TEXT.index(WORD)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = make_review_desk(tmp_path / "review", ReviewSettings(saved_days=1))
    UserFile(made.folder.users).add(ReviewUser("ann", ReviewRole.REVIEWER), PASSWORD)
    yield made
    asyncio.run(made.close())


@asynccontextmanager
async def shared(desk: Desk, twice: float = 1) -> AsyncGenerator[tuple[Client, Client]]:
    """Rita's list, whose notes she and Ann read twice; both are visiting."""
    async with client_of(desk, "rita") as rita, client_of(desk, "ann") as ann:
        await rita.open_list()
        body = {"names": ["rita", "ann"], "twice": twice}
        answer = await rita.post(f"{rita.list}/readers", body)
        assert answer.is_success
        yield rita, ann


async def blind_list(client: Client) -> str:
    lists = (await client.http.get("/api/lists")).json()
    (own,) = [f"/api/lists/{one['id']}" for one in lists if one["blind"]]
    return own


async def run_rows(client: Client, own: str) -> list[dict[str, Any]]:
    """The rows of a list, when every note of it has been run."""
    while True:
        rows: list[dict[str, Any]] = (await client.http.get(own)).json()["rows"]
        if all(row["level"] for row in rows):
            return rows


async def accept(client: Client, own: str) -> None:
    for row in await run_rows(client, own):
        answer = await client.put(f"{own}/notes/{row['number']}/verdict", {"verdict": "accepted"})
        assert answer.is_success


async def number_of(client: Client, own: str, name: str) -> int:
    rows = (await client.http.get(own)).json()["rows"]
    return next(int(row["number"]) for row in rows if row["name"] == name)


async def verdicts(client: Client, own: str) -> dict[str, str]:
    rows = (await client.http.get(own)).json()["rows"]
    return {row["name"]: row["verdict"] for row in sorted(rows, key=lambda row: row["name"])}


async def mark(client: Client, own: str, label: str) -> None:
    number = await number_of(client, own, "foust.txt")
    edit = {
        "kind": "mark",
        "start": PLACE,
        "end": PLACE + len(WORD),
        "label": label,
        "everywhere": True,
    }
    assert (await client.post(f"{own}/notes/{number}/edits", edit)).is_success


async def settle(desk: Desk) -> None:
    await asyncio.gather(*desk.tasks)


def test_readers_see_nothing_of_each_other_until_both_are_done(desk: Desk) -> None:
    async def act() -> None:
        async with shared(desk) as (rita, ann):
            first, second = await blind_list(rita), await blind_list(ann)
            assert first != second
            assert (await ann.http.get(first)).status_code == 404
            assert (await ann.http.get(f"{first}/notes/1")).status_code == 404
            await mark(rita, first, "DEVICE")
            number = await number_of(ann, second, "foust.txt")
            shown = (await ann.http.get(f"{second}/notes/{number}")).json()
            assert "DEVICE" not in [one.get("label") for one in shown["original"]]
            assert shown["undo"] == 0
            await accept(rita, first)
            half = (await ann.http.get(f"{rita.list}/opinions")).json()
            assert (half["compared"], half["disputed"]) == (0, [])
            assert {one["name"]: one["read"] for one in half["reading"]} == {"rita": 2, "ann": 0}
            refused = await rita.put(f"{rita.list}/notes/1/verdict", {"verdict": "accepted"})
            assert refused.status_code == 409

    asyncio.run(act())


def test_agreement_is_shown_and_a_difference_is_decided(desk: Desk) -> None:
    async def act() -> None:
        async with shared(desk) as (rita, ann):
            first, second = await blind_list(rita), await blind_list(ann)
            await mark(rita, first, "DEVICE")
            await mark(ann, second, "ORGANIZATION")
            await accept(rita, first)
            await accept(ann, second)
            await settle(desk)
            found = (await ann.http.get(f"{rita.list}/opinions")).json()
            assert (found["compared"], found["alike"], found["reading"]) == (2, 1, [])
            assert 0 < found["overall"]["kappa"] < 1
            labels = {one["label"]: one["kappa"] for one in found["labels"]}
            assert labels["PATIENT"] == 1
            assert labels["DEVICE"] == pytest.approx(0, abs=0.05)
            (note,) = found["disputed"]
            assert [place["text"] for place in note["places"]] == [WORD]
            said = [[one["label"] for one in option] for option in note["places"][0]["options"]]
            assert said == [["DEVICE"], ["ORGANIZATION"]]
            # What both say alike has become that of the list.
            assert await verdicts(ann, rita.list) == {"foust.txt": "open", "quill.txt": "accepted"}
            # The reading has ended for both.
            late = await ann.put(f"{second}/notes/1/verdict", {"verdict": "open"})
            assert late.status_code == 409
            place = f"{rita.list}/opinions/{note['number']}"
            answers = [await ann.put(place, {"choices": one}) for one in ([0, 0], [0], [1])]
            assert [one.status_code for one in answers] == [409, 204, 409]
            await settle(desk)
            assert set((await verdicts(ann, rita.list)).values()) == {"accepted"}
            (whole,) = [one for one in desk.shelf.all() if not one.of]
            assert PhiLabel.DEVICE in [span.label for span in whole.notes[note["number"]].spans]

    asyncio.run(act())


def test_opinions_outlive_a_restart_and_go_with_their_list(desk: Desk) -> None:
    async def act() -> None:
        async with shared(desk) as (rita, _ann):
            await mark(rita, await blind_list(rita), "DEVICE")
            await settle(desk)
            again = list(desk.saved.read(lambda _: iter(()))) if desk.saved else []
            assert sorted(one.owner for one in again) == ["", "ann", "rita"]
            own = next(one for one in again if one.owner == "rita")
            assert [held.twin for held in own.notes.values()] == [1, 2]
            whole = next(one for one in again if not one.owner)
            assert all(set(held.pair) == {"rita", "ann"} for held in whole.notes.values())
            headers = {"X-CSRF-Token": rita.csrf}
            refused = await rita.http.delete(await blind_list(rita), headers=headers)
            assert refused.status_code == 409
            assert (await rita.http.delete(rita.list, headers=headers)).is_success
            assert desk.shelf.all() == []
            assert [path.name for path in desk.folder.lists.iterdir()] == [".lock"]

    asyncio.run(act())


def test_reading_that_is_ended_gives_the_other_notes_back(desk: Desk) -> None:
    async def act() -> None:
        async with shared(desk) as (rita, ann):
            await accept(rita, await blind_list(rita))
            own = await blind_list(ann)
            await run_rows(ann, own)
            verdict = {"verdict": "accepted"}
            assert (await ann.put(f"{own}/notes/1/verdict", verdict)).is_success
            assert (await ann.post(f"{rita.list}/opinions/end")).is_success
            await settle(desk)
            found = (await ann.http.get(f"{rita.list}/opinions")).json()
            assert (found["compared"], found["reading"]) == (1, [])
            rows = (await ann.http.get(rita.list)).json()["rows"]
            assert sorted((row["verdict"], bool(row["pair"])) for row in rows) == [
                ("accepted", True),
                ("open", False),
            ]

    asyncio.run(act())


def test_nobody_reads_twice_alone(desk: Desk) -> None:
    async def act() -> None:
        async with client_of(desk, "rita") as rita:
            await rita.open_list()
            answer = await rita.post(f"{rita.list}/readers", {"names": ["rita"], "twice": 1})
            assert answer.status_code == 422

    asyncio.run(act())


@given(notes=st.integers(0, 40), readers=st.integers(2, 5), share=st.floats(0, 1))
def test_share_of_the_notes_is_read_by_two_different_readers(
    notes: int, readers: int, share: float
) -> None:
    made = Worklist("t", "upload", PolicyDraft.read("redact", None))
    for number in range(notes):
        made.add(str(number), RawNote(str(number), "p", "Seen."))
    names = [f"r{number}" for number in range(readers)]
    blind = begin_blind(made, names, share)
    twice = [held for held in made.notes.values() if held.pair]
    assert len(twice) == round(share * notes)
    assert all(len(set(held.pair)) == 2 for held in twice)
    copies = sorted((one.owner, held.twin) for one in blind for held in one.notes.values())
    assert copies == sorted((name, held.number) for held in twice for name in held.pair)
    # By turns: nobody has two notes more than another one.
    counts = [sum(name in held.pair for held in twice) for name in names]
    assert max(counts) - min(counts) <= 2


SPANS = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from([PhiLabel.DATE, PhiLabel.CITY])),
    unique_by=lambda one: one[0],
).map(lambda found: tuple(sorted(Span(3 * at, 3 * at + 2, label) for at, label in found)))


@given(first=SPANS, second=SPANS)
def test_what_is_not_disputed_is_the_same(
    first: tuple[Span, ...], second: tuple[Span, ...]
) -> None:
    disputed = list(find_disputed(first, second))
    assert (disputed == []) is (first == second)
    named = {span for place in disputed for option in place.options for span in option}
    assert named == set(first) ^ set(second)
    assert [one.options for one in find_disputed(second, first)] == [
        one.options for one in disputed
    ]


def test_places_that_touch_are_disputed_together() -> None:
    first = (Span(0, 10, PhiLabel.PATIENT),)
    second = (Span(0, 4, PhiLabel.PATIENT), Span(5, 10, PhiLabel.DOCTOR))
    (place,) = find_disputed(first, second)
    assert (place.start, place.end) == (0, 10)
    assert set(place.options) == {first, second}


def test_words_have_the_label_of_each_reader() -> None:
    text = "Ada Quill left on Monday"
    first = (Span(0, 9, PhiLabel.PATIENT),)
    second = (Span(4, 9, PhiLabel.DOCTOR), Span(18, 24, PhiLabel.DATE))
    pairs = list(pair_words(text, first, second, hidden=[Span(0, 3, PhiLabel.PATIENT)]))
    assert pairs == [
        (PhiLabel.PATIENT, PhiLabel.DOCTOR),
        (None, None),
        (None, None),
        (None, PhiLabel.DATE),
    ]
