"""The most telling rows of the fault matrix, in short; ``make chaos`` runs all, and longer."""

from collections.abc import Mapping

import pytest

from harness.command import choose
from harness.lanes import Lanes, describe
from harness.rows import RowResult
from support.profiles import PROFILE

NAMES = ("W1", "W3", "W4", "W5", "K1", "K2", "K7", "R1", "D1", "D3")
pytestmark = [pytest.mark.broker, pytest.mark.chaos, pytest.mark.slow]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, RowResult]:
    """Run the rows, two at a time."""
    folder = tmp_path_factory.mktemp("matrix")
    rows = choose(",".join(NAMES))
    ran = Lanes(rows, folder, PROFILE.chaos_scale, seed="ci").run()
    return {result.name: result for result in ran}


@pytest.mark.parametrize("name", NAMES)
def test_a_row_passes(results: Mapping[str, RowResult], name: str) -> None:
    assert results[name].passed, describe(results[name])
