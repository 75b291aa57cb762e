"""Turn labelled notes into the windows and targets a tagger learns from."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding

from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.windows import cut_windows
from deidstream.models.neural.word_shapes import pack_shapes
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
    """Packed pieces (``models.neural.word_shapes``), special ones included."""
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
        overlap: Pieces that neighbouring windows share.
    """
    room = pieces.text_room(window)
    for labelled in notes:
        (encoding,) = pieces.encode([labelled.note.text])
        ids = pack_shapes(labelled.note.text, encoding)
        targets = targets_of(encoding, labelled.spans)
        for cut in cut_windows(len(ids), size=room, overlap=overlap):
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
