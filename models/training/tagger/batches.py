"""Sort examples into training steps, in another order each epoch, with one length per step."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from deidstream.models.neural.packing import padded_length
from deidstream.models.neural.word_shapes import ID_BITS
from deidstream.models.training.tagger.examples import IGNORED, Example

POOL_STEPS = 40
"""Windows of about this many steps are sorted by length together: little padding, much mixing."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of one step, each of shape ``(windows, pieces)``."""

    ids: Tensor
    shapes: Tensor
    mask: Tensor
    targets: Tensor


def steps(lengths: Sequence[int], *, batch_pieces: int, seed: int) -> list[list[int]]:
    """Sort examples into steps.

    Args:
        lengths: Pieces of each example.
        batch_pieces: Most padded pieces of a step; a longer example is alone.
        seed: Decides the order; another for each epoch.

    Returns:
        Places of the examples of each step; every place occurs once.
    """
    rng = random.Random(seed)
    order = list(range(len(lengths)))
    rng.shuffle(order)
    made: list[list[int]] = []
    for pool in _pools(order, lengths, batch_pieces * POOL_STEPS):
        ready = list(_cut_steps(sorted(pool, key=lengths.__getitem__), lengths, batch_pieces))
        rng.shuffle(ready)
        made += ready
    return made


def _pools(order: Sequence[int], lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    pool: list[int] = []
    filled = 0
    for place in order:
        pool.append(place)
        filled += lengths[place]
        if filled >= most:
            yield pool
            pool, filled = [], 0
    if pool:
        yield pool


def _cut_steps(places: Sequence[int], lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    step: list[int] = []
    for place in places:
        # Ascending lengths: the newest is the longest, to which all are padded.
        if step and (len(step) + 1) * padded_length(lengths[place]) > most:
            yield step
            step = []
        step.append(place)
    if step:
        yield step


def collate(examples: Sequence[Example], pad_id: int, device: str) -> Batch:
    """Pad examples to one length."""
    size = padded_length(max(len(example.pieces) for example in examples))
    pieces = np.full((len(examples), size), pad_id, dtype=np.int64)
    targets = np.full((len(examples), size), IGNORED, dtype=np.int64)
    mask = np.zeros((len(examples), size), dtype=np.int64)
    for row, example in enumerate(examples):
        length = len(example.pieces)
        pieces[row, :length] = example.pieces
        targets[row, :length] = example.targets
        mask[row, :length] = 1
    ids, shapes = pieces & ((1 << ID_BITS) - 1), pieces >> ID_BITS
    tensors = (torch.from_numpy(array).to(device) for array in (ids, shapes, mask, targets))
    return Batch(*tensors)
