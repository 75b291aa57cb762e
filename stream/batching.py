"""Cut notes into batches by a token budget."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def cut_batches(token_counts: Sequence[int], budget_tokens: int) -> Iterator[tuple[int, ...]]:
    """Cut notes, in order, into batches of at most ``budget_tokens``.

    Notes are cut into windows and the windows of a batch are packed together, so what a batch costs
    is the sum of its tokens, not its longest note times their number.

    Args:
        token_counts: Word pieces of each note.
        budget_tokens: Most word pieces of a batch, at least 1.

    Yields:
        Positions of the notes of one batch. Every position comes once and in order. A note over the
        budget is a batch of its own; it is windowed later, never truncated.
    """
    batch: list[int] = []
    filled = 0
    for position, count in enumerate(token_counts):
        if batch and filled + count > budget_tokens:
            yield tuple(batch)
            batch, filled = [], 0
        batch.append(position)
        filled += count
    if batch:
        yield tuple(batch)


def halve(batch: Sequence[T]) -> tuple[Sequence[T], Sequence[T]]:
    """Cut a failing batch of two or more in two, to close in on the note that fails it."""
    middle = len(batch) // 2
    return batch[:middle], batch[middle:]
