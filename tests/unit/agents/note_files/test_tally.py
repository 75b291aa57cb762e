"""What is said at the end of a run, and while it goes on."""

import re

import pytest

from deidstream.agents.note_files.input_hints import InputHints
from deidstream.agents.note_files.tally import Tally
from deidstream.agents.runtime import progress_bar
from deidstream.agents.runtime.progress_bar import ProgressLines
from deidstream.schemas.errors import NoteField, Reason, Stage
from deidstream.schemas.outcome import Failed

EMPTY = Failed(Reason.EMPTY_TEXT, Stage.DECODE, field=NoteField.TEXT)


def counted() -> Tally:
    tally = Tally("row", retracted=1)
    tally.add_outcome(EMPTY, 4)
    tally.add_outcome(EMPTY, 6)
    tally.levels.update(green=1_200, red=3)
    return tally


def test_a_summary_has_all_counts_and_the_speed() -> None:
    summary = counted().summarize()
    assert summary.startswith(
        "1,206 notes: 1,203 anonymized (1,200 green, 3 red), 1 retracted, 2 quarantined; 1,206 in "
    )
    assert summary.endswith(" notes/s")
    assert Tally().summarize().startswith("0 notes: 0 anonymized, 0 quarantined; 0 in 0 s, 0.0")


def test_a_run_that_goes_on_counts_all_notes_and_its_own_speed() -> None:
    tally = Tally("row")
    tally.restore(counted().save())
    assert (tally.notes, tally.earlier) == (1_206, 1_206)
    tally.add_outcome(EMPTY, 8)
    assert "3 quarantined; 1 in" in tally.summarize()


def test_reasons_are_said_with_the_first_place(capsys: pytest.CaptureFixture[str]) -> None:
    hints = InputHints()
    hints.look(EMPTY)
    assert counted().close(hints) == 1
    said = capsys.readouterr().err
    assert said == "quarantined: 2 x EMPTY_TEXT at decode, field text (first in row 5)\n"
    assert Tally().close(hints) == 0


@pytest.mark.parametrize(
    ("total", "of", "left"), [(None, "", ""), (100, " of 100", r", 0:00:\d\d left")]
)
def test_progress_is_said_now_and_then(
    total: int | None,
    of: str,
    left: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = ProgressLines("deidentify", total, 20, shows=True)
    lines.advance(10)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress_bar, "LINE_SECONDS", 0.0)
    lines.advance(10)
    said = capsys.readouterr().err
    assert re.fullmatch(rf"deidentify: 40{of} notes, [\d,.]+ notes/s{left}\n", said)
    lines.shows = False
    lines.advance(10)
    assert capsys.readouterr().err == ""
