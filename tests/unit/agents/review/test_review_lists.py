"""Work lists of the review page: what is run, what is kept, and what may be taken of them."""

import asyncio
import io
import logging
import stat
import tracemalloc
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

import httpx
import pytest

from deidstream.agents.review.desk import Desk
from deidstream.agents.review.list_routes import start_run
from deidstream.agents.review.marking import clear, mark
from deidstream.agents.review.note_views import view_note, view_remarks, view_worklist
from deidstream.agents.review.policy_draft import ReviewTerms
from deidstream.agents.review.review_app import make_app
from deidstream.agents.review.review_folder import ReviewFolder
from deidstream.agents.review.review_service import ReviewService
from deidstream.agents.review.trail import Trail
from deidstream.agents.review.uploads import MOST_NOTES, UploadedFile, read_uploads
from deidstream.agents.review.worklist import HeldNote, ReviewVerdict, Worklist
from deidstream.models.messages.attachments.read_attachment import DOCX, read_attachment
from deidstream.models.policy.term_lists import read_list
from deidstream.schemas.errors import MissingArtefact, Reason, Stage
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed
from deidstream.schemas.span import Span
from support.attachments import make_docx
from support.review_site import NOTES, PASSWORD, make_review_desk

LINE = b'{"note_id": "1", "patient_id": "p", "text": "Seen."}\n'


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = make_review_desk(tmp_path / "review")
    yield made
    made.service.close()


@pytest.fixture
def worklist(desk: Desk) -> Worklist:
    made = Worklist("t", "upload", desk.default_draft())
    for _ in range(2):
        made.add("a.txt", RawNote("a.txt", "p", NOTES["foust.txt"]))
    desk.shelf.put(made)
    return made


async def ask(desk: Desk, method: str, path: str, **body: object) -> httpx.Response:
    transport = httpx.ASGITransport(make_app(desk))
    async with httpx.AsyncClient(transport=transport, base_url="http://page") as http:
        login = {"name": "rita", "password": PASSWORD}
        http.headers["X-CSRF-Token"] = (await http.post("/api/login", json=login)).json()["csrf"]
        return await http.request(method, f"/api/lists/{path}", **body)  # type: ignore[arg-type]


def test_outputs_that_share_a_name_are_all_in_the_archive(desk: Desk, worklist: Worklist) -> None:
    async def act() -> bytes:
        await desk.service.run(worklist, list(worklist.notes.values()))
        return (await ask(desk, "GET", f"{worklist.id}/outputs.zip")).content

    with zipfile.ZipFile(io.BytesIO(asyncio.run(act()))) as archive:
        first, second, risk = archive.namelist()
    assert (second, risk) == (first.replace(".txt", "-2.txt"), "risk.jsonl")


def test_what_a_text_tells_of_its_person_is_shown_at_its_place(desk: Desk) -> None:
    text = "Mr. Foust was hurt when the ferry capsized.\nSlept well."
    worklist = Worklist("t", "upload", desk.default_draft())
    worklist.add("a.txt", RawNote("a.txt", "p", text))
    (held,) = worklist.notes.values()
    asyncio.run(desk.service.run(worklist, [held]))
    shown = view_note(worklist, held, originals=True)
    (told,) = [one for one in shown["original"] if one.get("tells")]
    place = text.index("ferry")
    assert (told["at"], told["text"], told["suspect"]) == (place, "ferry capsized", "PUBLIC_EVENT")
    assert told["why"] == ["The news were of such events, with the day and often with names."]
    assert not [one for one in shown["output"] if one.get("tells")]


def test_term_with_a_number_sign_is_no_comment_of_its_list(desk: Desk, worklist: Worklist) -> None:
    terms = ReviewTerms(("#12", "Zorbo"), {PhiLabel.IDNUM: ("# 4471", "99#1")})
    worklist.terms = terms
    packed = asyncio.run(ask(desk, "GET", f"{worklist.id}/terms.zip")).content
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        lists = {name: read_list(name, archive.read(name))[0] for name in archive.namelist()}
    found = {name: [one.term for one in own] for name, own in lists.items()}
    assert found == {"allow.txt": ["Zorbo"], "deny.IDNUM.txt": ["4471", "99#1"]}


def test_note_is_not_judged_before_it_was_run(desk: Desk, worklist: Worklist) -> None:
    async def act() -> tuple[int, int]:
        place, body = f"{worklist.id}/notes/1/verdict", {"verdict": "accepted"}
        early = await ask(desk, "PUT", place, json=body)
        await desk.service.run(worklist, [worklist.notes[1]])
        return early.status_code, (await ask(desk, "PUT", place, json=body)).status_code

    assert asyncio.run(act()) == (409, 200)


def test_verdict_is_about_the_outcome_that_was_seen(desk: Desk, worklist: Worklist) -> None:
    held = worklist.notes[1]

    async def act() -> list[int]:
        statuses = list[int]()
        for seen in (1, 1, 2):
            if len(statuses) < 2:
                await desk.service.run(worklist, [held])
            body = {"verdict": "accepted", "runs": seen}
            answer = await ask(desk, "PUT", f"{worklist.id}/notes/1/verdict", json=body)
            statuses.append(answer.status_code)
        return statuses

    assert asyncio.run(act()) == [200, 409, 200]


def test_accepted_note_in_which_other_phi_is_found_is_open_again(
    desk: Desk, worklist: Worklist
) -> None:
    first, second = worklist.notes.values()
    place = NOTES["foust.txt"].index("Zorbo")

    async def act() -> None:
        await desk.service.run(worklist, [first, second])
        first.judge(ReviewVerdict.ACCEPTED)
        await desk.service.run(worklist, [first])
        assert first.verdict is ReviewVerdict.ACCEPTED
        mark(worklist, 2, Span(place, place + 5, PhiLabel.DEVICE), everywhere=True)
        await desk.service.run(worklist, [second, first])

    asyncio.run(act())
    assert (first.verdict, second.verdict) == (ReviewVerdict.OPEN, ReviewVerdict.CORRECTED)
    assert not first.labelled


def test_undo_shows_the_note_that_the_trail_names(
    desk: Desk, worklist: Worklist, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2):
        clear(worklist, number, Span(4, 14, PhiLabel.PATIENT), everywhere=False)
    named, both = list[object](), asyncio.Event()

    async def add(_trail: Trail, _user: object, action: str, details: Mapping[str, object]) -> None:
        if action == "undo":
            named.append(details["note"])
            if len(named) == 2:
                both.set()
            await both.wait()

    monkeypatch.setattr(Trail, "add", add)

    async def act() -> list[httpx.Response]:
        undo = (ask(desk, "POST", f"{worklist.id}/undo") for _ in range(2))
        return await asyncio.gather(*undo)

    answers = asyncio.run(act())
    assert sorted(one.status_code for one in answers) == [200, 409]
    assert {one.json()["number"] for one in answers if one.is_success} == {2}
    assert named == [2, 2]
    assert len(worklist.steps) == 1


@pytest.mark.usefixtures("expects_errors")
def test_policy_is_not_saved_where_the_trail_cannot_be_written(
    desk: Desk, worklist: Worklist, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def add(_trail: Trail, _user: object, action: str, _details: object) -> None:
        if action == "save-policy":
            raise MissingArtefact

    monkeypatch.setattr(Trail, "add", add)
    saving = ask(desk, "POST", f"{worklist.id}/policy", json={"name": "own"})
    assert asyncio.run(saving).status_code == 500
    assert desk.folder.list_saved() == []


def test_note_whose_phi_is_not_known_is_no_labelled_note() -> None:
    failed = Failed(Reason.RECOGNIZER_UNFINISHED, Stage.DETECT)
    note = RawNote("n", "p", "Seen.")
    held = HeldNote(1, "n", note, outcome=failed, verdict=ReviewVerdict.ACCEPTED)
    assert not held.labelled
    assert replace(held, found=(Span(0, 4, PhiLabel.DATE),)).labelled


def test_more_lines_than_a_list_takes_are_refused(desk: Desk, worklist: Worklist) -> None:
    async def act() -> httpx.Response:
        headers = {"X-File-Name": "a.jsonl"}
        content = LINE * (MOST_NOTES + 1)
        return await ask(desk, "POST", f"{worklist.id}/files", content=content, headers=headers)

    refused = asyncio.run(act())
    assert (refused.status_code, refused.json()["code"]) == (413, "TOO_MANY_NOTES")
    assert len(worklist.notes) == 2


def test_lines_are_read_one_after_another() -> None:
    upload = UploadedFile("a.jsonl", b"{}\n" * 2_000_000)
    tracemalloc.start()
    try:
        assert len(list(islice(read_uploads([upload], one_patient=False), 10))) == 10
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_run_that_fails_is_told_without_its_words(
    desk: Desk,
    worklist: Worklist,
    monkeypatch: pytest.MonkeyPatch,
    expects_errors: list[logging.LogRecord],
) -> None:
    async def fail(*_arguments: object) -> None:
        raise ValueError(NOTES["foust.txt"])

    async def act() -> None:
        start_run(desk, worklist, again=True)
        await asyncio.gather(*desk.tasks, return_exceptions=True)

    monkeypatch.setattr(ReviewService, "run", fail)
    asyncio.run(act())
    assert "Foust" not in "".join(str(vars(record)) for record in expects_errors)
    assert view_remarks(worklist)["remarks"] == [worklist.fault]
    assert worklist.fault


def test_notes_of_a_forgotten_list_are_not_run(desk: Desk, worklist: Worklist) -> None:
    desk.shelf.remove(worklist.id)
    asyncio.run(desk.service.run(worklist, list(worklist.notes.values())))
    assert all(held.outcome is None for held in worklist.notes.values())
    assert worklist.waiting == 0


def test_no_more_notes_wait_than_there_are(worklist: Worklist) -> None:
    worklist.waiting = 5
    assert view_worklist(worklist, originals=True)["waiting"] == 2


def test_folder_is_its_owners_alone(tmp_path: Path) -> None:
    folder = ReviewFolder(tmp_path / "deep" / "review")
    folder.make()
    folder.make()
    for path in (folder.path, folder.path / "policies"):
        assert stat.S_IMODE(path.stat().st_mode) == stat.S_IRWXU


def test_a_word_document_is_taken_as_one(desk: Desk) -> None:
    made = Worklist("t", "upload", desk.default_draft())
    desk.shelf.put(made)
    upload = make_docx("Mr. John Smith was seen.", cell="Rest")
    before = made.characters

    async def act() -> tuple[httpx.Response, bytes]:
        path, names = f"{made.id}/files", {"X-File-Name": "smith.docx"}
        await ask(desk, "POST", path, content=upload, headers=names)
        await desk.service.run(made, list(made.notes.values()))
        archive = (await ask(desk, "GET", f"{made.id}/outputs.zip")).content
        return await ask(desk, "GET", f"{made.id}/notes/1/output.docx"), archive

    reply, archive = asyncio.run(act())
    (held,) = made.notes.values()
    assert isinstance(held.outcome, Anonymized)
    name = f"{held.outcome.note.note_id}.docx"
    assert name in reply.headers["Content-Disposition"]
    assert read_attachment(reply.content, DOCX) == held.outcome.note.text
    assert "Smith" not in held.outcome.note.text
    assert view_note(made, held, originals=False)["word"]
    assert made.characters - before > len(upload)
    with zipfile.ZipFile(io.BytesIO(archive)) as packed:
        assert packed.read(name) == reply.content


def test_a_note_that_was_no_word_document_is_not_taken_as_one(
    desk: Desk, worklist: Worklist
) -> None:
    async def act() -> httpx.Response:
        await desk.service.run(worklist, list(worklist.notes.values()))
        return await ask(desk, "GET", f"{worklist.id}/notes/1/output.docx")

    assert asyncio.run(act()).status_code == 404
