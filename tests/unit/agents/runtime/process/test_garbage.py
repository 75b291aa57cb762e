"""The collector rests while a process loads, and leaves alone what was loaded."""

import gc
import subprocess
import sys
from collections.abc import Iterator

import pytest

from deidstream.agents.runtime.process.garbage import collect_rarely, collecting_rarely, keep_loaded

HELP = """
import gc, sys
sys.argv = ["deidstream", "--help"]
import deidstream.agents.__main__ as process
before = gc.get_freeze_count()
try:
    process.run()
except SystemExit:
    pass
print(before, gc.get_freeze_count() > 10_000)
"""


@pytest.fixture(autouse=True)
def _usual_collector() -> Iterator[None]:
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()


def test_loading_makes_no_collection_walk_all_objects() -> None:
    collect_rarely()
    before = gc.get_stats()[2]["collections"]
    loaded = [[number] for number in range(200_000)]
    assert gc.get_stats()[2]["collections"] == before
    assert len(loaded) == 200_000


def test_after_loading_new_garbage_is_collected_as_usual() -> None:
    usual = gc.get_threshold()
    collect_rarely()
    assert gc.get_threshold()[0] > 100 * usual[0]
    kept: list[object] = []
    kept.append(kept)
    keep_loaded()
    assert gc.get_threshold() == usual
    assert not any(each is kept for each in gc.get_objects())
    fresh: list[object] = []
    fresh.append(fresh)
    assert any(each is fresh for each in gc.get_objects())


def test_a_process_of_somebody_else_has_its_settings_back() -> None:
    gc.set_threshold(1_000, 7, 3)
    frozen = gc.get_freeze_count()
    with collecting_rarely():
        assert gc.get_threshold()[0] > 50_000
    assert gc.get_threshold() == (1_000, 7, 3)
    with pytest.raises(MemoryError), collecting_rarely():
        raise MemoryError
    assert gc.get_threshold() == (1_000, 7, 3)
    assert gc.get_freeze_count() == frozen


def test_a_process_ends_without_looking_for_garbage() -> None:
    ended = subprocess.run(  # noqa: S603  our own code
        [sys.executable, "-c", HELP], check=True, capture_output=True, text=True
    )
    assert ended.stdout.splitlines()[-1] == "0 True"
