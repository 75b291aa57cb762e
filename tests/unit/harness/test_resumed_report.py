"""What a resumed run of the fault matrix takes from an earlier report."""

from dataclasses import replace
from pathlib import Path

from harness.events import Event
from harness.recovery import Recovery
from harness.report import read_results, write_report
from harness.rows import Row, RowResult, not_run
from harness.verifier import Finding


def _result(name: str) -> RowResult:
    made = not_run(Row(name, "a fault", lambda _: None), "1", "")
    made.verdict.findings.append(Finding("I1 no loss", 0))
    recovery = Recovery("kill", 1.5, None, 20.0, late=False, strictly_late=True)
    return replace(
        made,
        events=(Event(1.0, "fault", "kill"),),
        criteria=(("it ends", True, "0 s"),),
        recoveries=(recovery,),
        searched={"logs": 7},
    )


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    whole = _result("W1")
    failed = replace(_result("W2"), error="it broke off")
    write_report([whole, failed], tmp_path, 1.0)
    assert read_results(tmp_path, 1.0, "1") == {"W1": whole, "W2": failed}


def test_a_run_of_another_scale_or_seed_is_not_resumed(tmp_path: Path) -> None:
    write_report([_result("W1")], tmp_path, 1.0)
    assert not read_results(tmp_path, 0.5, "1")
    assert not read_results(tmp_path, 1.0, "2")


def test_there_need_not_be_an_earlier_run(tmp_path: Path) -> None:
    assert not read_results(tmp_path, 1.0, "1")
