import sys
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from deidstream.agents.runtime.guards.note_limits import FEW_PIECES, MOST_PIECES_A_BYTE, NoteLimits
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


@dataclass(frozen=True, slots=True)
class SignCounter:
    """Counts a piece for each character, and remembers what it was asked."""

    asked: list[str] = field(default_factory=list[str])

    def count(self, texts: Sequence[str]) -> list[int]:
        self.asked.extend(texts)
        return [len(text) for text in texts]


def test_a_short_text_is_not_cut_into_pieces_only_to_be_counted() -> None:
    counter = SignCounter()
    assert LIMITS.count_pieces("", counter) == 1
    assert LIMITS.count_pieces("([{" * 1_000, counter) == 1_001
    assert counter.asked == []


def test_a_text_that_may_have_too_many_pieces_is_counted_exactly() -> None:
    counter = SignCounter()
    assert LIMITS.count_pieces("(" * 3_334, counter) == 3_334
    with pytest.raises(TooSlow):
        LIMITS.count_pieces("(" * 30_000, counter)
    assert [len(text) for text in counter.asked] == [3_334, 30_000]


@pytest.mark.slow
def test_no_character_becomes_more_pieces_than_the_bound_says() -> None:
    for code in range(sys.maxunicode + 1):
        if not 0xD800 <= code < 0xE000:
            made = unicodedata.normalize("NFKD", chr(code))
            assert len(made) <= MOST_PIECES_A_BYTE * len(chr(code).encode())
