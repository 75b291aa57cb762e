"""No text has the tagger read more than twice what it reads of an ordinary note of its length.

The tagger has nine tenths of a note's time, and takes the same for each position that it reads.
``benchmarks/hostile.py`` measures seconds, of all stages.
"""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hostile import LIMITS, make_note, ordinary_note
from hostile_networks import CountedNetwork
from hostile_texts import TEXTS

from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.weights import shipped_tagger
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import TooSlow
from deidstream.schemas.note import RawNote

LENGTH = 40_000
"""Enough for 20,000 word pieces, from which on they are limited."""
MOST = 2.0


@cache
def load_tagger() -> Tagger:
    """Load the tagger, and count in the place of its network."""
    options = TaggerOptions(window=256, overlap=16, run=EngineOptions(device="cpu", dtype="fp32"))
    made = Tagger.load(str(shipped_tagger()), settings=options)
    counted: Any = CountedNetwork(made.model, len(made.model.config["id2label"]))
    return replace(made, model=counted)


def count_positions(note: RawNote) -> float:
    """Return how many positions the tagger reads of a note, for each byte."""
    tagger, model = load_tagger(), load_tagger().model
    assert isinstance(model, CountedNetwork)
    model.positions = 0
    tagger.score([note.text])
    return model.positions / len(note.text.encode())


def is_refused(note: RawNote) -> bool:
    """Return whether a worker refuses a note for its word pieces."""
    try:
        LIMITS.refuse_dense(note.text, *load_tagger().pieces.count([note.text]))
    except TooSlow:
        return True
    return False


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
