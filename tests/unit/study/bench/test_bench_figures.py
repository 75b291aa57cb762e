"""The figures of a bench as JSON, and what two of them say together."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from deidstream.schemas.errors import MissingArtefact
from deidstream.study.bench.bench_figures import Spread, encode_figures, read_figures
from deidstream.study.bench.bench_tables import print_figures, show_spread
from deidstream.study.bench.compare_figures import compare_figures, print_comparison
from support.bench import bench_figures


def record(tmp_path: Path, ratio: float) -> dict[str, Any]:
    path = tmp_path / "bench.json"
    path.write_bytes(encode_figures(bench_figures(ratio)))
    return read_figures(path)


@given(st.lists(st.floats(0, 1e9), min_size=1))
def test_a_median_lies_between_least_and_most(values: list[float]) -> None:
    spread = Spread.of_values(values)
    assert min(values) == spread.least <= spread.median <= spread.most == max(values)


def test_a_spread_is_written_with_its_range() -> None:
    assert show_spread(Spread(1234.5, 1000, 2000), 1) == "1,234.5 [1,000.0 to 2,000.0]"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"schema": 99}'])
def test_a_file_that_holds_no_figures_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(MissingArtefact, match=r"other\.json"):
        read_figures(path)


@pytest.mark.parametrize(("after", "regressed"), [(0.70, False), (0.60, False), (0.59, True)])
def test_a_loss_of_more_than_15_percent_is_a_regression(
    tmp_path: Path, after: float, *, regressed: bool
) -> None:
    comparison = compare_figures(record(tmp_path, 0.70), record(tmp_path, after))
    assert comparison.regressed is regressed
    assert comparison.differing == ()


def test_shares_of_stages_are_compared(tmp_path: Path) -> None:
    before, after = record(tmp_path, 0.7), record(tmp_path, 0.7)
    after["stages"]["assess"]["share"] = 0.1
    after["subject"]["policy"] = "redact"
    comparison = compare_figures(before, after)
    changes = {change.name: (change.before, change.after) for change in comparison.shares}
    assert changes["share of assess"] == (0.4, 0.1)
    assert comparison.differing == ("policy",)


def test_without_a_tagger_nothing_regresses(tmp_path: Path) -> None:
    before, after = record(tmp_path, 0.7), record(tmp_path, 0.7)
    after["path"]["engine_ratio"] = None
    assert compare_figures(before, after).regressed is False


def test_everything_is_printed(tmp_path: Path) -> None:
    console = Console(width=110, record=True)
    print_figures(bench_figures(0.7), console)
    print_comparison(compare_figures(record(tmp_path, 0.9), record(tmp_path, 0.7)), console)
    shown = console.export_text()
    for words in (
        "0.700 [0.650 to 0.750]",
        "tagger",
        "idle: lane",
        "busy",
        "below the earlier one",
    ):
        assert words in shown
