"""The Python door: one object that finds and replaces PHI as the worker does."""

import asyncio
import doctest
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import assert_type

import pytest

from deidstream.agents import deidentifier as module
from deidstream.agents.deidentifier import DeidentifiedNote, Deidentifier, Result
from deidstream.agents.runtime.local_service import LocalService
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import KeySettings, Settings
from deidstream.schemas.errors import (
    InvalidNote,
    InvalidPolicy,
    MissingArtefact,
    NoteField,
    Reason,
    Stage,
)
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Anonymized, Failed, Retracted
from deidstream.schemas.span import Span
from deidstream.schemas.wire import encode_note
from deidstream.stream.observing import metrics
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.pipeline import service
from support.reversible_site import quick

TEXT = "Mr. John Smith was seen on 03/04/2024; John Smith slept well."
PAGE = Path(__file__).parents[3] / "docs" / "python.md"
EXPLAINED = PAGE.with_name("explain.md")


@pytest.fixture
def door() -> Iterator[Deidentifier]:
    """A door to a pipeline that runs no model on the note."""
    with Deidentifier(LocalService(service(quick()), batch_notes=2)) as opened:
        yield opened


def notes(count: int) -> list[RawNote]:
    return [RawNote(f"n{number}", "p", f"{TEXT} Day {number}.") for number in range(count)]


def passed(result: Result) -> DeidentifiedNote:
    assert isinstance(result, DeidentifiedNote)
    return result


def test_a_text_gets_a_text_and_its_replacements(door: Deidentifier) -> None:
    result = passed(door.deidentify(TEXT))
    assert "Smith" not in result.text
    assert "slept well" in result.text
    assert result.risk.level
    for each in result.replacements:
        assert result.text[each.out_start : each.out_end] == each.text
    assert "John Smith" in {TEXT[r.span.start : r.span.end] for r in result.replacements}


def test_the_result_is_that_of_the_service(door: Deidentifier) -> None:
    note = notes(1)[0]
    (outcome,) = asyncio.run(service(quick()).run([encode_note(note)]))
    assert isinstance(outcome, Anonymized)
    assert passed(door.deidentify(note)).record == outcome.note


def test_results_have_the_order_of_the_notes_whatever_the_batches(door: Deidentifier) -> None:
    results = door.deidentify(iter(notes(5)))
    assert [f"Day {number}." in passed(r).text for number, r in enumerate(results)] == [True] * 5


def test_one_text_has_one_result(door: Deidentifier) -> None:
    assert passed(door.deidentify(TEXT)).record == passed(door.deidentify(TEXT)).record


def test_a_bad_note_fails_and_its_neighbours_pass(door: Deidentifier) -> None:
    good = notes(1)[0]
    lone = replace(good, text="Smith \ud800 left")
    results = door.deidentify([good, replace(good, text=" "), lone, good])
    assert [getattr(r, "reason", None) for r in results] == [
        None,
        Reason.EMPTY_TEXT,
        Reason.BAD_UNICODE,
        None,
    ]


def test_no_repr_shows_text(door: Deidentifier) -> None:
    result = passed(door.deidentify(TEXT))
    assert all(word not in repr(result) for word in ("Smith", "slept", result.text))


def test_find_returns_the_spans_of_the_input(door: Deidentifier) -> None:
    spans = door.find(TEXT)
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    assert "03/04/2024" in {TEXT[span.start : span.end] for span in spans}


def test_explain_says_what_deidentify_does_and_why(door: Deidentifier) -> None:
    note = notes(1)[0]
    made, why = passed(door.deidentify(note)), door.explain(note)
    assert why.outcome == Anonymized(made.record, made.risk)
    explained = [one.text for place in why.places for one in place.replacements]
    assert explained == [one.text for one in made.replacements]
    (place,) = door.explain(TEXT, at=10).places
    assert (place.text, place.replacements[0].original) == ("Smith", "John Smith")
    assert [one.text for one in door.explain(TEXT, word="slept").places] == ["slept"]
    assert "Smith" not in repr(why)


def test_explain_stores_nothing() -> None:
    stored = MemorySurrogateStore()
    with Deidentifier(LocalService(service(quick(), stored))) as door:
        door.explain(TEXT)
        assert stored == MemorySurrogateStore()
        door.deidentify(TEXT)
        assert stored != MemorySurrogateStore()


def test_explain_takes_one_question(door: Deidentifier) -> None:
    with pytest.raises(ValueError, match="not for both"):
        door.explain(TEXT, at=1, word="Smith")


def test_explain_says_why_a_note_fails(door: Deidentifier) -> None:
    failed = door.explain(" ")
    assert isinstance(failed.outcome, Failed)
    assert (failed.outcome.reason, failed.places) == (Reason.EMPTY_TEXT, ())


def test_find_refuses_what_is_not_a_note(door: Deidentifier) -> None:
    with pytest.raises(InvalidNote, match=Reason.EMPTY_TEXT):
        door.find(" ")


def test_emitted_notes_are_counted(door: Deidentifier) -> None:
    before = metrics.value("deid_notes_total", "emitted")
    door.deidentify([*notes(2), RawNote("n", "p", " ")])
    assert metrics.value("deid_notes_total", "emitted") == before + 2


def test_threads_and_event_loops_may_call_it(door: Deidentifier) -> None:
    async def inside() -> Result:
        return door.deidentify(TEXT)

    wanted = passed(door.deidentify(TEXT)).record
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(door.deidentify, [TEXT] * 8))
    assert {passed(result).record for result in (*results, asyncio.run(inside()))} == {wanted}


def test_it_is_closed_once_and_for_all(door: Deidentifier) -> None:
    door.close()
    door.close()
    with pytest.raises(RuntimeError, match="closed"):
        door.deidentify(TEXT)


class Stuck:
    """A store that never answers."""

    def __init__(self) -> None:
        self.asked = threading.Event()

    async def recall(self, names: Sequence[bytes]) -> list[bytes | None]:
        self.asked.set()
        await asyncio.sleep(60)
        return [None for _ in names]

    async def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> list[bytes]:
        return [value for _, value in pairs]


def test_a_call_ends_at_its_timeout() -> None:
    stuck = LocalService(service(quick(), Stuck()))
    with Deidentifier(stuck, timeout_seconds=0.2) as door, pytest.raises(TimeoutError):
        door.deidentify(TEXT)


def test_closing_ends_the_calls_of_other_threads() -> None:
    store = Stuck()
    door = Deidentifier(LocalService(service(quick(), store)))
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(door.deidentify, TEXT)
        assert store.asked.wait(10)
        door.close()
        with pytest.raises(CancelledError):
            call.result(10)


@pytest.mark.parametrize("key", [b"short", bytes(32)])
def test_a_weak_key_is_refused(key: bytes) -> None:
    with pytest.raises(MissingArtefact, match="32 random bytes"):
        Deidentifier.load(key=key)


def test_a_missing_key_file_or_policy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingArtefact, match="there is no file"):
        Deidentifier.load(key=tmp_path / "none")
    with pytest.raises(InvalidPolicy, match="there is no such file"):
        Deidentifier.load(tmp_path / "none.toml", key=bytes(range(32)))


def test_redis_needs_a_key_that_others_have() -> None:
    with pytest.raises(MissingArtefact, match="no key file"):
        Deidentifier.load(redis_url="redis://127.0.0.1:1/0")


def test_types_tell_one_result_from_several(door: Deidentifier) -> None:
    assert_type(door.deidentify(TEXT), DeidentifiedNote | Retracted | Failed)
    assert_type(door.deidentify(notes(1)), list[DeidentifiedNote | Retracted | Failed])
    assert_type(door.find(TEXT), tuple[Span, ...])


@pytest.mark.slow
def test_the_example_of_the_class_runs() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.slow
def test_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_key(tmp_path / "root.key")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)  # noqa: S102 - the page's own lines
    shown = capsys.readouterr().out
    assert "was seen on" in shown
    assert "Smith" not in shown
    assert "DOCTOR 12" in shown


@pytest.mark.slow
def test_the_page_about_explanations_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_key(tmp_path / "explain.key")
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", EXPLAINED.read_text("utf-8"), re.DOTALL)
    exec(block, {})  # noqa: S102 - the page's own lines
    shown = capsys.readouterr().out
    assert "replaced ['STREET by rules:address.line', 'CITY by tagger" in shown
    assert "not-phi on the built-in list of equipment" in shown
    assert "('St', None), ('Tele', 'namesakes with " in shown


@pytest.mark.slow
def test_a_key_file_gives_the_surrogates_of_its_bytes(tmp_path: Path) -> None:
    root = bytes(range(32))
    (tmp_path / "key").write_text(root.hex())
    settings = Settings(policy="redact", key=KeySettings(file=str(tmp_path / "key")))
    texts = set[str]()
    loads: tuple[Callable[[], Deidentifier], ...] = (
        lambda: Deidentifier.load("surrogate", key=root),
        lambda: Deidentifier.load("surrogate", settings=settings),
    )
    for load in loads:
        with load() as door:
            texts.add(passed(door.deidentify(notes(1)[0])).text)
    assert len(texts) == 1


def test_a_failure_names_stage_and_reason(door: Deidentifier) -> None:
    assert door.deidentify(" ") == Failed(Reason.EMPTY_TEXT, Stage.DECODE, field=NoteField.TEXT)


@pytest.mark.parametrize("wrong", [{"text": "Seen."}, b"Seen.", 7, None, [{"text": "Seen."}]])
def test_what_is_no_note_is_refused_in_words(door: Deidentifier, wrong: object) -> None:
    with pytest.raises(TypeError, match="takes a text, a RawNote or an iterable of RawNote"):
        door.deidentify(wrong)  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
