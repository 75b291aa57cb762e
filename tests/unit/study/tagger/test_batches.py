"""How examples are laid into steps and padded."""

import numpy as np
import torch

from deidstream.models.neural.passes.packing import padded_length
from deidstream.models.recognizers.word_shapes import ID_BITS
from deidstream.study.tagger.examples import IGNORED, Example, collate, steps

LENGTHS = [1 + at * 37 % 60 for at in range(400)]


def _example(*pieces: int) -> Example:
    targets = [IGNORED, *range(1, len(pieces) - 1), IGNORED]
    return Example(np.array(pieces, dtype=np.int32), np.array(targets, dtype=np.int8))


def test_shapes_are_taken_off_the_ids() -> None:
    batch = collate([_example(2, 7 | 5 << ID_BITS, 9 | 31 << ID_BITS, 3)], 0, "cpu")
    assert batch.ids[0, :4].tolist() == [2, 7, 9, 3]
    assert batch.shapes[0, :4].tolist() == [0, 5, 31, 0]
    assert batch.targets[0, :4].tolist() == [IGNORED, 1, 2, IGNORED]


def test_padding_is_masked_and_never_learnt() -> None:
    short, long = _example(2, 7, 3), _example(2, *[8] * 9, 3)
    batch = collate([short, long], 1, "cpu")
    assert batch.ids.shape == batch.shapes.shape == batch.mask.shape == (2, padded_length(11))
    assert batch.mask.sum(dim=1).tolist() == [3, 11]
    hidden = batch.mask == 0
    assert set(batch.ids[hidden].tolist()) == {1}
    assert set(batch.shapes[hidden].tolist()) == {0}
    assert set(batch.targets[hidden].tolist()) == {IGNORED}


def test_tensors_are_what_a_model_takes() -> None:
    batch = collate([_example(2, 7, 3)], 0, "cpu")
    for tensor in (batch.ids, batch.shapes, batch.mask, batch.targets):
        assert tensor.dtype is torch.int64


def test_each_epoch_is_mixed_anew_and_the_same_again_for_its_seed() -> None:
    one, again, other = (steps(LENGTHS, batch_pieces=256, seed=seed) for seed in (1, 1, 2))
    assert one == again
    assert {frozenset(step) for step in one}.isdisjoint({frozenset(step) for step in other})


def test_little_of_a_step_is_padding() -> None:
    laid = steps(LENGTHS, batch_pieces=256, seed=1)
    filled = sum(len(step) * padded_length(max(LENGTHS[at] for at in step)) for step in laid)
    # Rounding each length up to a multiple of 8 is a seventh here; the rest is the steps' own.
    assert filled < 1.25 * sum(LENGTHS)


def test_short_and_long_steps_alternate() -> None:
    longest = [max(LENGTHS[at] for at in step) for step in steps(LENGTHS, batch_pieces=256, seed=1)]
    assert longest not in (sorted(longest), sorted(longest, reverse=True))
    assert max(longest[: len(longest) // 3]) > 40
    assert min(longest[: len(longest) // 3]) < 20


def test_nothing_makes_no_steps() -> None:
    assert steps([], batch_pieces=256, seed=1) == []
