"""No text has the tagger read more than twice what it reads of an ordinary note of its length.

The tagger has nine tenths of a note's time, and takes the same for each position that it reads.
``benchmarks/hostile.py`` measures seconds, of all stages.
"""

from functools import cache

import pytest
from hostile import make_note, ordinary_note
from hostile_admission import READ, CountingTagger
from hostile_texts import TEXTS

from deidstream.schemas.note import RawNote
from deidstream.schemas.wire import encode_note

LENGTH = 40_000
"""Enough for 20,000 word pieces, from which on they are limited."""
MOST = 2.0


load_tagger = cache(CountingTagger.load)


def count_positions(note: RawNote) -> float:
    """Return how many positions the tagger reads of a note, for each byte."""
    return load_tagger().count_positions(note)


def is_refused(note: RawNote) -> bool:
    """Return whether a worker refuses a note as it comes."""
    return load_tagger().admit(encode_note(note)).outcome != READ


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_the_tagger_reads_at_most_twice_as_much_as_of_ordinary_notes(name: str) -> None:
    note = make_note(name, LENGTH)
    ordinary = ordinary_note()
    assert not is_refused(ordinary)
    assert is_refused(note) or count_positions(note) <= MOST * ordinary_share()


@cache
def ordinary_share() -> float:
    return count_positions(ordinary_note())


def test_what_is_dense_is_refused_and_counts_more_than_twice() -> None:
    dense = make_note("brackets", LENGTH)
    assert is_refused(dense)
    # One line without blanks: its windows overlap.
    packed = make_note("base64", LENGTH)
    assert count_positions(packed) > MOST * ordinary_share()
    assert is_refused(packed)
