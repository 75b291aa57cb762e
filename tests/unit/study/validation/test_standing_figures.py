"""What the readers of a standing sample have found, by week and note type."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from deidstream.agents.operations.standing_board import Standing
from deidstream.agents.runtime.private_files import write_private
from deidstream.schemas.label import PhiLabel
from deidstream.study.validation.make_plan import PlanRequest, make_plan
from deidstream.study.validation.site.judged_notes import JudgedNote, judge_note
from deidstream.study.validation.site.progress import measure_progress
from deidstream.study.validation.site.readings import Mark, ReadingOfNote
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_plan import Claim, ReadingTeam, ValidationPlan
from deidstream.study.validation.standing_figures import MOST_TYPES, describe_standing, name_week
from deidstream.study.validation.statistics.intervals import bound_share
from support.validation_site import make_site

NOW = 1_795_780_000.0
PLAN = ValidationPlan.make(Claim(), ReadingTeam(("anna",)), allowed=2)
TEXT = "Zorbo came."


def judge(number: int, week: str, note_type: str = "consult", *, leaks: bool = False) -> JudgedNote:
    facts = {"week": week, "note_type": note_type}
    note = SampledNote(number, f"o{number}", "p", "all", False, facts, TEXT, TEXT, ())  # noqa: FBT003
    mark = Mark(0, 5, PhiLabel.PATIENT)
    readings = {"anna": ReadingOfNote(number, 3.0, (mark,) if leaks else ())}
    return judge_note(note, readings, None)


def figures(notes: Iterable[JudgedNote]) -> Mapping[str, Any]:
    return describe_standing({one.note.number: one for one in notes}, PLAN, NOW)


def row(found: Mapping[str, Any], week: str = "", note_type: str = "all") -> Mapping[str, Any]:
    return next(
        one for one in found["rows"] if (one["week"], one["note_type"]) == (week, note_type)
    )


def test_the_week_is_that_of_iso_in_utc() -> None:
    assert name_week(NOW) == "2026-W48"
    assert name_week(1_767_225_600.0) == "2026-W01"  # 1 January 2026, a Thursday


def test_bounds_are_exact_and_divided_by_what_readers_see() -> None:
    found = figures(judge(n, "2026-W48", leaks=n < 2) for n in range(400))
    total = row(found)
    assert (total["read"], total["leaking"]) == (400, 2)
    assert total["upper"] == pytest.approx(bound_share(2, 400) / PLAN.seen, abs=1e-6)
    assert 0 < total["lower"] < 2 / 400
    assert found["needed"] == 311  # 299 if readers saw everything
    assert Standing.decode(orjson.dumps(found)) is not None


def test_the_last_thirteen_weeks_count_together() -> None:
    weeks = [f"2026-W{number:02}" for number in range(10, 30)]
    found = figures(judge(n, week, leaks=True) for n, week in enumerate(weeks))
    assert row(found)["read"] == 13
    assert {one["week"] for one in found["rows"]} == {"", *weeks[-13:]}


def test_rare_types_are_counted_together() -> None:
    kinds = [f"type {chr(97 + n)}" for n in range(MOST_TYPES)]
    notes = [judge(n, "2026-W48", kind) for n, kind in enumerate(kinds * 2)]
    notes += [judge(100 + n, "2026-W48", f"rare {chr(97 + n)}") for n in range(5)]
    found = figures(notes)
    assert row(found, note_type="others")["read"] == 5
    assert row(found, note_type=kinds[0])["read"] == 2
    assert row(found)["read"] == 25


def test_without_a_reading_nothing_is_known() -> None:
    found = figures([])
    assert [row(found)[name] for name in ("read", "lower", "upper")] == [0, 0.0, 1.0]


def test_a_standing_sample_is_read_on_when_the_claim_has_failed(tmp_path: Path) -> None:
    request = PlanRequest(notes=0.01, readers=("anna",), allowed=0)
    site = make_site(tmp_path, 10)
    for is_standing, wanted in ((False, 1), (True, 6)):
        make_plan(site.folder, replace(request, is_standing=is_standing))
        judged = {n: judge(n, "2026-W48", leaks=True) for n in (1, 2)}
        notes = [judge(n, "2026-W48").note for n in range(1, 7)]
        progress = measure_progress(notes, site.folder.read_plan(), judged)
        assert len(progress.wanted) == wanted


def test_the_reading_page_sees_notes_that_come_while_it_runs(tmp_path: Path) -> None:
    site = make_site(tmp_path, 10)
    readers = PlanRequest(notes=0.01, readers=("anna", "ben"), adjudicator="cleo")
    make_plan(site.folder, replace(readers, is_standing=True))

    def keep(count: int) -> None:
        notes = [judge(n, "2026-W48").note for n in range(1, count + 1)]
        lines = (orjson.dumps(note.encode()) + b"\n" for note in notes)
        write_private(site.folder.sample, b"".join(lines))

    keep(2)
    room = site.open_room()
    assert room.look().progress.wanted == (1, 2)
    keep(5)
    assert room.look().progress.wanted == (1, 2, 3, 4, 5)
    assert room.find(5).number == 5
