"""The most telling rows of the fault matrix, in short; ``make chaos`` runs all, and longer."""

from collections.abc import Mapping

import pytest

from harness.command import choose
from harness.lanes import Lanes, describe
from harness.rows import RowResult
from support.profiles import PROFILE

EACH_COMMIT = ("K2", "R1")
"""A worker or a broker that is killed has tests of its own."""
NIGHTLY = ("K1", "W1", "W3", "W4", "W5", "K7", "D1", "D3")
NAMES = (*EACH_COMMIT, *(pytest.param(name, marks=pytest.mark.nightly) for name in NIGHTLY))
pytestmark = [pytest.mark.broker, pytest.mark.chaos, pytest.mark.slow]


@pytest.fixture(scope="module")
def results(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, RowResult]:
    """Run the rows that this run has tests of, two at a time."""
    folder = tmp_path_factory.mktemp("matrix")
    tests = [item for item in request.session.items if item.path == request.path]
    rows = choose(",".join(n for n in (*EACH_COMMIT, *NIGHTLY) if any(n in t.name for t in tests)))
    ran = Lanes(rows, folder, PROFILE.chaos_scale, seed="ci").run()
    return {result.name: result for result in ran}


@pytest.mark.parametrize("name", NAMES)
def test_a_row_passes(results: Mapping[str, RowResult], name: str) -> None:
    assert results[name].passed, describe(results[name])
