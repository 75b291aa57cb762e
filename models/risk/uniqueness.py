"""How likely a de-identified note is to be re-identified, by the uniqueness of its contexts.

Source: DeIDClinic, section 3.3.4. The seed compares the notes at hand with each other; here each
note is compared with a fixed set of reference contexts, so a note's score does not depend on the
notes beside it and is the same on replay.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.models.records import Substituted, remaining
from deidstream.models.risk.contexts import Highlighted, choose_places, snap_to_grid, take_contexts
from deidstream.models.risk.measured import Measured
from deidstream.models.time_budget import within_time
from deidstream.schemas.ports import Embedder
from deidstream.schemas.risk_policy import RiskPolicy
from deidstream.schemas.span import Replacement

_COSINE_DIGITS = 3
_SCORE_DIGITS = 4
_ROWS = 1024
"""Contexts that are compared at once with the references; more would only need more memory."""


@dataclass(frozen=True, slots=True)
class RiskQuery:
    """A de-identified text and where its replacements landed in it."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ContextUniqueness:
    """The uniqueness of contexts against one set of reference contexts."""

    references: NDArray[np.float32] = field(repr=False)
    """The reference contexts of the index, as :func:`measure_uniqueness` takes them."""
    embedder: Embedder
    """The one that made them."""
    policy: RiskPolicy

    def measure(self, items: Sequence[Substituted]) -> list[Measured]:
        """Measure each note as it would be emitted; all contexts are embedded in one call."""
        queries = [RiskQuery(one.text, remaining(one.replacements)) for one in items]
        return measure_uniqueness(queries, self.references, self.embedder, self.policy)


def measure_uniqueness(
    batch: Sequence[RiskQuery],
    references: NDArray[np.float32],
    embedder: Embedder,
    policy: RiskPolicy,
) -> list[Measured]:
    """Measure each text; all contexts of the batch are embedded in one call.

    Args:
        batch: Texts as they would be emitted. Only replacements that are still in the text count.
        references: Shape ``(n, d)``, on the grid of ``contexts.snap``, as the index holds them.
        embedder: The one that made ``references``.
        policy: Words of a context, and the similarity below which it is unique.

    Returns:
        One share a text, in order: of its contexts that are unique, 0 for a text without any.
    """
    found = [_find_contexts(query, policy.window_words) for query in batch]
    unique = _find_unique(
        [context for chosen in found for _, context in chosen], references, embedder, policy
    )
    return [_measure_share(chosen, unique) for chosen in found]


def _find_contexts(query: RiskQuery, words: int) -> list[tuple[Replacement, str]]:
    """Return the replacements that are assessed, with their contexts."""
    contexts = take_contexts(
        query.text,
        [Highlighted(r.out_start, r.out_end, r.span.label.value) for r in query.replacements],
        words,
    )
    places = choose_places(contexts, len(query.text))
    return [(query.replacements[place], contexts[place]) for place in places]


def _find_unique(
    contexts: Sequence[str],
    references: NDArray[np.float32],
    embedder: Embedder,
    policy: RiskPolicy,
) -> frozenset[str]:
    """Keep the contexts that resemble no reference; one without a word cannot single out."""
    distinct = sorted({context for context in contexts if context})
    if not distinct:
        return frozenset()
    if not len(references):
        return frozenset(distinct)
    rows = snap_to_grid(embedder.embed(distinct))
    # Exact products, however many rows at a time: see ``contexts.GRID``.
    cosines = np.concatenate(
        [
            (rows[first : first + _ROWS] @ references.T).max(axis=1)
            for first in within_time(range(0, len(rows), _ROWS))
        ]
    )
    similar = np.round(cosines.astype(np.float64), _COSINE_DIGITS) >= policy.similarity
    return frozenset(
        context for context, is_like in zip(distinct, similar, strict=True) if not is_like
    )


def _measure_share(assessed: Sequence[tuple[Replacement, str]], unique: frozenset[str]) -> Measured:
    if not assessed:
        return Measured(0.0, ("NO_ENTITY",))
    counts = Counter(one.span.name for one, context in assessed if context in unique)
    ordered = sorted(counts, key=lambda label: (-counts[label], label))
    share = counts.total() / len(assessed)
    return Measured(
        round(share, _SCORE_DIGITS), tuple(f"UNIQUE_CONTEXT:{label}" for label in ordered)
    )
