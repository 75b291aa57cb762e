"""Turn labelled notes into the examples that a tagger learns from, and sort them into steps.

The notes are cut into windows, each with its targets. A step has
windows of one length; each epoch has another order.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Encoding
from torch import Tensor

from deidstream.models.neural.passes.line_starts import find_line_starts
from deidstream.models.neural.passes.packing import cut_windows, padded_length
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.recognizers.word_shapes import ID_BITS, pack_shapes
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span

OUTSIDE = 0
OUTPUTS: tuple[str, ...] = ("O", *(f"{side}-{label}" for label in PhiLabel for side in "BI"))
"""Names of the outputs of our taggers, in order."""
_FIRST: Mapping[PhiLabel, int] = {label: 1 + 2 * at for at, label in enumerate(PhiLabel)}


@dataclass(frozen=True, slots=True)
class Example:
    """One window of a note."""

    pieces: NDArray[np.int32] = field(repr=False)
    """Packed pieces (``models.recognizers.word_shapes``), special ones included."""
    targets: NDArray[np.int8] = field(repr=False)
    """Output of each piece, as a place in ``OUTPUTS``; ``IGNORED`` for special ones."""


IGNORED = -1


def examples(
    notes: Iterable[LabelledNote], pieces: Pieces, *, window: int, overlap: int
) -> Iterator[Example]:
    """Cut notes into windows, in the order of the notes.

    Args:
        notes: Labelled notes.
        pieces: The tokenizer of the model that will learn.
        window: Most pieces of a window, special ones included.
        overlap: Most pieces that neighbouring windows share.
    """
    room = pieces.text_room(window)
    for labelled in notes:
        (encoding,) = pieces.encode([labelled.note.text])
        ids = pack_shapes(labelled.note.text, encoding)
        targets = targets_of(encoding, labelled.spans)
        breaks = find_line_starts(labelled.note.text, encoding)
        for cut in cut_windows(len(ids), size=room, overlap=overlap, breaks=breaks):
            yield _frame_window(pieces, ids[cut.start : cut.end], targets[cut.start : cut.end])


def targets_of(encoding: Encoding, spans: Sequence[Span]) -> list[int]:
    """Return the output of each piece, as a place in ``OUTPUTS``.

    A piece that shares a character with a span is in it. The first piece of a span begins it.
    """
    # The tokenizer builds this list at each access.
    offsets = encoding.offsets
    targets = [OUTSIDE] * len(offsets)
    at = 0
    for span in spans:
        while at < len(targets) and offsets[at][1] <= span.start:
            at += 1
        output = _FIRST[span.label]
        while at < len(targets) and offsets[at][0] < span.end:
            targets[at] = output
            output = _FIRST[span.label] + 1
            at += 1
    return targets


def _frame_window(pieces: Pieces, ids: Sequence[int], targets: Sequence[int]) -> Example:
    before, after = [IGNORED] * len(pieces.before), [IGNORED] * len(pieces.after)
    return Example(
        np.array(pieces.add_special_ids(ids), dtype=np.int32),
        np.array([*before, *targets, *after], dtype=np.int8),
    )


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
