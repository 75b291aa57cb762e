import pytest

from deidstream.agents.guards.note_limits import FEW_PIECES, NoteLimits
from deidstream.agents.settings import WorkerSettings
from deidstream.schemas.errors import Reason, TooSlow
from deidstream.schemas.note import RawNote

LIMITS = NoteLimits.read(WorkerSettings())


def test_a_long_note_has_more_time_in_proportion() -> None:
    def seconds(*sizes: int) -> float:
        return LIMITS.make_budget([RawNote("n", "p", "a" * size) for size in sizes]).seconds

    assert seconds(0) == LIMITS.seconds
    assert seconds(100_000) == 3 * LIMITS.seconds
    assert seconds(40_000, 60_000) == seconds(100_000)


def test_no_limit_of_time_is_no_limit() -> None:
    assert NoteLimits(1, 0, 0).make_budget([]).seconds == float("inf")


def test_a_long_text_of_signs_alone_is_refused() -> None:
    LIMITS.refuse_dense("(" * FEW_PIECES, FEW_PIECES)
    LIMITS.refuse_dense("word " * 20_000, 20_001)
    with pytest.raises(TooSlow) as refused:
        LIMITS.refuse_dense("(" * 30_000, 30_000)
    assert refused.value.reason is Reason.TOO_SLOW


def test_bytes_count_so_that_no_script_is_refused() -> None:
    LIMITS.refuse_dense("\u674e" * 30_000, 30_000)


def test_density_may_go_unlimited() -> None:
    NoteLimits(1, 0, 0).refuse_dense("(" * 30_000, 30_000)
