"""Cut notes into batches by a token budget."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

LEAST_TOKENS = 4_096
"""Budget of the smallest batch that is cut off: a forward pass of a model is filled by it."""


def choose_budget(token_counts: Sequence[int], most_tokens: int) -> int:
    """Choose the token budget with which batches are few and equally large.

    While a model computes for one batch, Python works on the next. A small batch beside a large one
    would leave the model without work, so the budget is the least that makes no more batches than
    ``most_tokens`` does. There are at least two, unless they would be too small.

    Args:
        token_counts: Word pieces of each note that waits.
        most_tokens: Setting ``batch.tokens``, at least 1.

    Returns:
        From ``LEAST_TOKENS`` to ``most_tokens``, or ``most_tokens`` if that is less.

    >>> [choose_budget([500] * notes, 16_384) for notes in (1, 20, 33)]
    [4096, 5000, 8500]
    """
    number = max(2, _count_batches(token_counts, most_tokens))
    least = min(LEAST_TOKENS, most_tokens)
    return least + bisect_left(
        range(least, most_tokens), -number, key=lambda tried: -_count_batches(token_counts, tried)
    )


def _count_batches(token_counts: Sequence[int], budget_tokens: int) -> int:
    return sum(1 for _ in cut_batches(token_counts, budget_tokens))


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
