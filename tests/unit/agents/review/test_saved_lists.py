"""Saved lists: back after a restart, sealed on the disk, and deleted at their time."""

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from deidstream.agents.review.desk import Desk
from deidstream.agents.review.note_views import view_remarks
from deidstream.agents.review.policy_draft import PolicyDraft
from deidstream.agents.review.run_review import make_desk
from deidstream.agents.review.saved_lists import SavedLists
from deidstream.agents.review.stream_risk import StreamRisk
from deidstream.agents.review.worklist import Worklist
from deidstream.agents.runtime.root_keys import RootKeys
from deidstream.agents.settings import ReviewSettings, Settings
from deidstream.schemas.errors import InvalidSettings, MissingArtefact
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import RiskLevel
from support.review_client import Client, go
from support.review_site import NOTES, POLICY, make_review_desk

SAVING = ReviewSettings(saved_days=2)
KEYS = RootKeys(1, {1: bytes(range(32))})


@contextmanager
def page(home: Path, settings: ReviewSettings = SAVING) -> Generator[Desk]:
    """A page that was started, with what it found saved."""
    desk = make_review_desk(home, settings)

    async def start() -> None:
        await desk.restore()
        await asyncio.gather(*desk.tasks)

    asyncio.run(start())
    yield desk
    asyncio.run(desk.close())


def edit(desk: Desk, *, folder: bool = False) -> None:
    """Upload the fictional notes, mark, clear, share, judge and change the settings."""

    async def act(client: Client) -> None:
        await client.open_list()
        place = NOTES["foust.txt"].index("Zorbo")
        zorbo = {"start": place, "end": place + 5, "label": "DEVICE", "everywhere": True}
        await client.post(f"{client.list}/notes/1/edits", {"kind": "mark", **zorbo})
        name = {"start": 4, "end": 14, "label": "PATIENT", "everywhere": False}
        await client.post(f"{client.list}/notes/1/edits", {"kind": "clear", **name})
        await client.post(f"{client.list}/readers", {"names": ["rita", "ann"]})
        await client.put(f"{client.list}/notes/2/verdict", {"verdict": "accepted"})
        form = (await client.http.get(f"{client.list}/settings")).json()
        form.pop("marked")
        form.pop("labels")
        answer = await client.put(f"{client.list}/settings", form | {"technique": "redact"})
        assert answer.is_success
        if folder:
            await client.http.delete(client.list, headers={"X-CSRF-Token": client.csrf})

    go(desk, "rita", act)


def files(home: Path) -> list[Path]:
    return [path for path in (home / "lists").rglob("*") if path.is_file()]


def told(worklist: Worklist) -> list[object]:
    """What reviewers made of a list."""
    notes = [
        (one.name, one.note, one.marks, one.verdict, one.reader, one.accepted)
        for one in worklist.notes.values()
    ]
    return [worklist.id, worklist.title, worklist.terms, worklist.draft.source(), *notes]


def test_review_is_there_after_a_restart(tmp_path: Path) -> None:
    with page(tmp_path) as desk:
        edit(desk)
        (before,) = desk.shelf.all()
    with page(tmp_path) as desk:
        (after,) = desk.shelf.all()
    assert told(after) == told(before)
    assert (after.until, after.saved_notes) == (before.until, 2)
    # Their notes were run again, with the marks.
    assert [one.spans for one in after.notes.values()] == [
        one.spans for one in before.notes.values()
    ]
    assert after.notes[1].marks.cleared
    assert str(after.notes[2].verdict) == "accepted"


def test_policy_of_the_settings_is_the_same_after_a_restart(tmp_path: Path) -> None:
    with page(tmp_path) as desk:
        go(desk, "rita", Client.open_list)
        assert desk.default_draft().given
    with page(tmp_path) as desk:
        (after,) = desk.shelf.all()
        assert after.draft == desk.default_draft()


def test_no_word_of_a_note_is_on_the_disk(tmp_path: Path) -> None:
    with page(tmp_path) as desk:
        edit(desk)
    # Four bytes of what is encrypted may spell one by chance.
    words = set(re.findall(r"\w{5,}", " ".join([*NOTES, *NOTES.values()])))
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert len(words) > 10
    assert len(files(tmp_path)) > 2
    assert [word for word in sorted(words) if word.lower().encode() in written.lower()] == []


def test_forgotten_list_is_deleted(tmp_path: Path) -> None:
    with page(tmp_path) as desk:
        edit(desk, folder=True)
    assert [path.name for path in files(tmp_path)] == [".lock"]


@pytest.mark.usefixtures("expects_errors")
def test_list_that_cannot_be_deleted_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(place: Path) -> None:
        raise OSError(place)

    with page(tmp_path) as desk:
        monkeypatch.setattr("shutil.rmtree", fail)
        edit(desk, folder=True)
        assert len(desk.shelf.all()) == 1


def test_list_is_deleted_at_its_time_also_where_none_is_saved_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with page(tmp_path) as desk:
        edit(desk)
        (kept,) = desk.shelf.all()
        assert kept.until is not None
        desk.shelf.wall_clock = lambda: (kept.until or 0) + 1
        assert desk.shelf.all() == []
    with page(tmp_path, ReviewSettings()) as desk:
        assert desk.shelf.all() == []
        assert len(files(tmp_path)) > 2
    monkeypatch.setattr("time.time", lambda: kept.until)
    with page(tmp_path, ReviewSettings()):
        assert [path.name for path in files(tmp_path)] == [".lock"]


def test_saved_list_outlives_the_minutes_without_use(tmp_path: Path) -> None:
    with page(tmp_path) as desk:
        edit(desk)
        desk.shelf.clock = lambda: 1e12
        assert len(desk.shelf.all()) == 1


def test_full_disk_costs_no_work_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise MissingArtefact

    with page(tmp_path) as desk:
        with monkeypatch.context() as broken:
            broken.setattr("deidstream.agents.review.saved_lists.write_private", fail)
            edit(desk)
        (worklist,) = desk.shelf.all()
        assert "not saved" in view_remarks(worklist)["remarks"][0]
        assert worklist.notes[1].marks.cleared
        asyncio.run(desk.keep(worklist))
        assert view_remarks(worklist)["remarks"] == []
    with page(tmp_path) as desk:
        assert told(desk.shelf.all()[0]) == told(worklist)


def test_list_of_another_key_costs_itself_alone(tmp_path: Path) -> None:
    with page(tmp_path) as desk:
        go(desk, "rita", Client.open_list)
    with page(tmp_path) as desk:
        assert desk.saved is not None
        desk.saved.ring = replace(desk.saved.ring, root=bytes(range(1, 33)))
        go(desk, "rita", Client.open_list)
    with page(tmp_path) as desk:
        assert len(desk.shelf.all()) == 1
        assert len([path for path in files(tmp_path) if path.name == "state"]) == 2


def test_list_that_was_sealed_under_an_earlier_key_is_read(tmp_path: Path) -> None:
    new = RootKeys(2, {1: KEYS.roots[1], 2: bytes(range(1, 33))})
    first = SavedLists.open(tmp_path, KEYS, 60)
    asyncio.run(first.keep(stream_list()))
    first.close()
    second = SavedLists.open(tmp_path, new, 60)
    assert len(list(second.read(lambda _: iter(())))) == 1
    second.close()


def stream_list() -> Worklist:
    """A list of the stream, with a note and another one whose original is lost."""
    made = Worklist("Red notes", "risk", PolicyDraft.read("redact", None))
    risk = StreamRisk("o", "n", RiskLevel.RED, 0.5, ("RESIDUAL",), 12.5)
    made.add(
        "n", RawNote("n", "p", "Seen.", note_type="visit"), "notes.raw/0/7", risk, word=b"PK\xff"
    )
    made.lost, made.remarks = (replace(risk, level=None),), ("Some are older.",)
    return made


def test_list_of_the_stream_is_read_as_it_was(tmp_path: Path) -> None:
    saved = SavedLists.open(tmp_path, KEYS, 60)
    made = stream_list()
    asyncio.run(saved.keep(made))
    (read,) = saved.read(lambda _: iter(()))
    assert (read.lost, read.remarks, read.kind) == (made.lost, made.remarks, "risk")
    assert (read.notes[1].emitted, read.notes[1].origin) == (
        made.notes[1].emitted,
        "notes.raw/0/7",
    )
    assert read.notes[1].note == made.notes[1].note
    assert read.notes[1].word == b"PK\xff"
    saved.close()


def test_two_pages_do_not_share_saved_lists(tmp_path: Path) -> None:
    with page(tmp_path), pytest.raises(InvalidSettings, match="another review page"):
        make_review_desk(tmp_path, SAVING)


def test_lists_are_not_saved_without_a_key(tmp_path: Path) -> None:
    own = replace(SAVING, folder=str(tmp_path), oidc_issuer="https://issuer.example")
    with pytest.raises(InvalidSettings, match="DEIDSTREAM_KEY_FILE"):
        make_desk(Settings(policy=str(POLICY), review=own))


WRITER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from unit.agents.review.test_saved_lists import KEYS, marked_list
from deidstream.agents.review.marking import mark
from deidstream.agents.review.saved_lists import SavedLists
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
async def go():
    saved = SavedLists.open(Path({home!r}), KEYS, 600)
    made = marked_list()
    await saved.keep(made)
    for at in range(2_000):
        mark(made, 1, Span(2 * at, 2 * at + 1, PhiLabel.IDNUM), everywhere=False)
        await saved.keep(made)
        print(at + 1, flush=True)
asyncio.run(go())
"""


def marked_list() -> Worklist:
    made = Worklist("t", "upload", PolicyDraft.read("redact", None))
    made.add("a.txt", RawNote("a", "p", "7 " * 2_000))
    return made


@pytest.mark.slow  # a process of its own is started, and killed
@pytest.mark.parametrize("marks", [3, 20, 51])
def test_kill_in_the_middle_of_a_save_loses_the_last_mark_at_most(
    tmp_path: Path, marks: int
) -> None:
    tests = str(Path(__file__).parents[3])
    source = WRITER.format(tests=tests, home=str(tmp_path))
    command = [sys.executable, "-c", source]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:  # noqa: S603  its own source
        assert writer.stdout is not None
        said = 0
        while said < marks:
            said = int(writer.stdout.readline())
        writer.send_signal(signal.SIGKILL)
        said = max([said, *map(int, writer.stdout.read().split())])
    saved = SavedLists.open(tmp_path, KEYS, 600)
    (read,) = saved.read(lambda _: iter(()))
    assert len(read.notes[1].marks.marked) in {said, said + 1}
    saved.close()
