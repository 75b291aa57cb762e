"""What the tagger finds depends on the note alone: not on batch, order, threads or a second try."""

import random
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Literal

import pytest
import torch

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.load_models import load_tagger
from deidstream.agents.settings import ModelSettings, Settings
from deidstream.models.recognizers.tagger import Tagger
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from support.profiles import PROFILE

NOTES = {"fp32": 16, "bf16": PROFILE.slow_notes}
LONGEST = {"fp32": 5_000, "bf16": 1_300}
"""Characters. A processor without instructions for bf16 takes seven times as long with it."""


@cache
def tagger(precision: Literal["fp32", "bf16"]) -> Tagger:
    return load_tagger(replace(Settings(), model=ModelSettings(dtype=precision, device="cpu")))


def chosen_notes(precision: Literal["fp32", "bf16"]) -> list[RawNote]:
    short = [note for note in sample_notes() if len(note.text) <= LONGEST[precision]]
    return short[: NOTES[precision]]


@contextmanager
def threads(count: int) -> Generator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    yield
    torch.set_num_threads(before)


def found_in_batches(
    made: Tagger, notes: Sequence[RawNote], size: int
) -> dict[str, tuple[Span, ...]]:
    found: dict[str, tuple[Span, ...]] = {}
    for first in range(0, len(notes), size):
        batch = notes[first : first + size]
        spans = made.recognize(batch)
        found |= {note.note_id: each for note, each in zip(batch, spans, strict=True)}
    return found


@cache
def found_in_calm(precision: Literal["fp32", "bf16"]) -> dict[str, tuple[Span, ...]]:
    with threads(1):
        return found_in_batches(tagger(precision), chosen_notes(precision), 64)


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
@pytest.mark.parametrize(("size", "count"), [(1, 1), (5, 1), (64, 2), (1, 2)])
def test_spans_do_not_depend_on_batch_order_or_threads(
    precision: Literal["fp32", "bf16"], size: int, count: int
) -> None:
    made, notes = tagger(precision), chosen_notes(precision)
    random.Random(size).shuffle(notes)
    with threads(count):
        assert found_in_batches(made, notes, size) == found_in_calm(precision)


@pytest.mark.slow
def test_a_repeated_note_is_read_as_one_that_is_alone() -> None:
    made, notes = tagger("fp32"), list(sample_notes())[:3]
    apart = [made.recognize([note])[0] for note in notes]
    assert made.recognize([*notes, *notes, notes[0]]) == [*apart, *apart, apart[0]]
