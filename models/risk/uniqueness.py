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

from deidstream.models.records import remaining
from deidstream.models.risk.contexts import Highlighted, choose_places, snap_to_grid, take_contexts
from deidstream.schemas.outcome import RiskLevel, RiskReport
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.policy import RiskPolicy
from deidstream.schemas.ports import Embedder
from deidstream.schemas.span import Replacement
from deidstream.schemas.time_budget import within_time

_COSINE_DIGITS = 3
_SCORE_DIGITS = 4
_ROWS = 1024
"""Contexts that are compared at once with the references; more would only need more memory."""


@dataclass(frozen=True, slots=True)
class RiskQuery:
    """A de-identified text and where its replacements landed in it."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)


def assess(
    batch: Sequence[RiskQuery],
    references: NDArray[np.float32],
    embedder: Embedder,
    policy: RiskPolicy,
) -> list[RiskReport]:
    """Assess each text; all contexts of the batch are embedded in one call.

    Args:
        batch: Texts as they would be emitted. Only replacements that are still in the text count.
        references: Shape ``(n, d)``, on the grid of ``contexts.snap``, as the index holds them.
        embedder: The one that made ``references``.
        policy: Similarity below which a context is unique, and the levels.

    Returns:
        One report a text, in order. A text without replacements is green with score 0.
    """
    found = [_find_contexts(query, policy.window_words) for query in batch]
    unique = _find_unique(
        [context for chosen in found for _, context in chosen], references, embedder, policy
    )
    return [_make_report(q, c, unique, policy) for q, c in zip(batch, found, strict=True)]


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


def _make_report(
    query: RiskQuery,
    assessed: Sequence[tuple[Replacement, str]],
    unique: frozenset[str],
    policy: RiskPolicy,
) -> RiskReport:
    if not assessed:
        measures = {"context_uniqueness": 0.0, "entities": 0.0}
        return RiskReport(RiskLevel.GREEN, 0.0, measures, ("NO_ENTITY",))
    counts = Counter(one.span.label.value for one, context in assessed if context in unique)
    share = counts.total() / len(assessed)
    ordered = sorted(counts, key=lambda label: (-counts[label], label))
    score = round(share, _SCORE_DIGITS)
    return RiskReport(
        policy.level(share),
        score,
        {"context_uniqueness": score, "entities": float(len(query.replacements))},
        tuple(f"UNIQUE_CONTEXT:{label}" for label in ordered),
    )


@dataclass(frozen=True, slots=True)
class Assessor:
    """Context uniqueness under one policy."""

    references: NDArray[np.float32] = field(repr=False)
    embedder: Embedder
    policy: RiskPolicy

    def assess(self, permits: Sequence[EmitPermit]) -> list[RiskReport]:
        """Assess each text, in order; the contexts of all are embedded in one call."""
        queries = [RiskQuery(p.text, remaining(p.replacements)) for p in permits]
        return assess(queries, self.references, self.embedder, self.policy)
