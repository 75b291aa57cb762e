"""Spans with entities in the place of labels, and how overlaps among them are resolved."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntitySpan:
    """``[start, end)`` in code points of one text, with an entity and a score."""

    start: int
    end: int
    entity: str
    score: float

    def shares(self, other: "EntitySpan") -> bool:
        """Return whether the two have a character in common."""
        return min(self.end, other.end) > max(self.start, other.start)


def resolve_overlaps(spans: Iterable[EntitySpan], text: str) -> list[EntitySpan]:
    """Return the spans to replace, in the order of the text.

    Spans of one entity that overlap, or that only blanks separate, become one; a span within
    another is dropped, of two at one place that of the lower score. Spans of different entities may
    still overlap in part.
    """
    merged = _merge_same(sorted(spans, key=lambda span: (span.start, span.end)))
    return _join_over_blanks(_drop_contained(merged), text)


def _merge_same(ordered: Sequence[EntitySpan]) -> list[EntitySpan]:
    merged: list[EntitySpan] = []
    last: dict[str, int] = {}
    """Place in ``merged`` of the last span of each entity."""
    for span in ordered:
        place = last.get(span.entity)
        if place is not None and merged[place].shares(span):
            merged[place] = _unite(merged[place], span)
        else:
            last[span.entity] = len(merged)
            merged.append(span)
    return merged


def _unite(first: EntitySpan, second: EntitySpan) -> EntitySpan:
    end, score = max(first.end, second.end), max(first.score, second.score)
    return EntitySpan(first.start, end, first.entity, score)


def _drop_contained(spans: Sequence[EntitySpan]) -> list[EntitySpan]:
    """Drop spans within others, in one pass over them by start and falling end."""
    # Of two at one place and of one score, Presidio keeps the one that was stated last.
    last_first = reversed(spans)
    by_place = sorted(last_first, key=lambda span: (span.start, -span.end, -span.score))
    kept: list[EntitySpan] = []
    reached = -1
    for span in by_place:
        # Whatever began before and reaches as far contains this one.
        if span.end > reached:
            kept.append(span)
            reached = span.end
    return kept


def _join_over_blanks(spans: Sequence[EntitySpan], text: str) -> list[EntitySpan]:
    joined: list[EntitySpan] = []
    for span in spans:
        before = joined[-1] if joined else None
        if (
            before is not None
            and before.entity == span.entity
            and re.fullmatch(r" +", text[before.end : span.start])
        ):
            joined[-1] = _unite(before, span)
        else:
            joined.append(span)
    return joined
