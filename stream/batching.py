"""Cut notes into batches by a token budget."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

LEAST_TOKENS = 4_096
"""Budget of the smallest batch that is cut off: a forward pass of a model is filled by it."""


def choose_budget(token_counts: Sequence[int], most_tokens: int) -> int:
    """Choose the token budget by how much waits: full batches under load, smaller ones before.

    Where less than two full batches wait, their halves are enough for a model to compute on one
    while Python works on the other.

    Args:
        token_counts: Word pieces of each note that waits.
        most_tokens: Setting ``batch.tokens``, at least 1.

    Returns:
        From ``LEAST_TOKENS`` to ``most_tokens``, or ``most_tokens`` if that is less.

    >>> [choose_budget([tokens], 16_384) for tokens in (500, 20_000, 50_000)]
    [4096, 10000, 16384]
    """
    half = -(-sum(token_counts) // 2)
    return min(most_tokens, max(LEAST_TOKENS, half))


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
