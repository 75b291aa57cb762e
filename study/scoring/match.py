"""Cut notes into tokens, and match those and the spans of gold with what was predicted."""

import heapq
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import re2

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span
from deidstream.study.scoring.cells import Criterion

_RUN = re2.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}]*")


class Extent(NamedTuple):
    """A labelled stretch ``[start, end)`` of a note: a span without its score, or a piece of it."""

    start: int
    end: int
    label: PhiLabel


Run = tuple[int, int]
"""``[start, end)`` of a token, in code points."""


def tokens(text: str) -> tuple[Run, ...]:
    """Find the tokens of a text: longest runs of letters and digits of any script, in order.

    i2b2 cuts by ``[a-zA-Z0-9]+``. This is the same on ASCII; beyond it a letter is a letter and the
    marks that follow it (accents, vowel signs) belong to it.
    """
    return tuple(match.span() for match in _RUN.finditer(text))


def pieces(runs: Sequence[Run], extents: Iterable[Extent]) -> list[Extent]:
    """Cut extents into their tokens; a token at an edge gives the part inside.

    Args:
        runs: The tokens of the whole text, in order.
        extents: Any stretches of that text.
    """
    return [piece for extent in extents for piece in _cut_to_runs(runs, extent)]


def _cut_to_runs(runs: Sequence[Run], extent: Extent) -> Iterator[Extent]:
    place = bisect_right(runs, extent.start, key=_end)
    while place < len(runs) and runs[place][0] < extent.end:
        start, end = runs[place]
        yield Extent(max(start, extent.start), min(end, extent.end), extent.label)
        place += 1


def _end(run: Run) -> int:
    return run[1]


@dataclass(frozen=True, slots=True)
class Reference:
    """The gold side of one note: what predicted spans are scored against."""

    length: int
    """Code points."""
    words: int
    """Words between white space."""
    runs: tuple[Run, ...] = field(repr=False)
    """Tokens of the whole note, in order."""
    spans: tuple[Extent, ...] = field(repr=False)
    """Gold spans; disjoint, in order."""
    pieces: tuple[Extent, ...] = field(repr=False)
    """Their tokens, in order."""


def prepare_reference(labelled: LabelledNote) -> Reference:
    """Cut a labelled note into its tokens."""
    text = labelled.note.text
    runs, spans = tokens(text), extents(labelled.spans)
    return Reference(len(text), len(text.split()), runs, spans, tuple(pieces(runs, spans)))


def extents(spans: Iterable[Span]) -> tuple[Extent, ...]:
    """Sort spans, each once, and drop the fields that scoring does not read."""
    return tuple(sorted({Extent(span.start, span.end, span.label) for span in spans}))


REACH = 2
"""Characters by which i2b2's relaxed match lets the ends differ."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The gold that was found, and the predicted that was right."""

    found: Sequence[Extent]
    right: Sequence[Extent]


def match_same(gold: Sequence[Extent], predicted: Sequence[Extent]) -> Matched:
    """Match extents that have the same start and end."""
    found, right = _runs(predicted), _runs(gold)
    return Matched(
        [one for one in gold if one[:2] in found], [one for one in predicted if one[:2] in right]
    )


def match_near(gold: Sequence[Extent], predicted: Sequence[Extent]) -> Matched:
    """Match, one to one, extents with the same start and ends at most 2 characters apart.

    No two of ``gold`` may start at one place; of several candidates the nearest end counts.
    """
    by_start: dict[int, list[Extent]] = defaultdict(list)
    for one in predicted:
        by_start[one.start].append(one)
    pairs: list[tuple[Extent, Extent]] = []
    for one in gold:
        near = [other for other in by_start[one.start] if abs(other.end - one.end) <= REACH]
        if near:
            pairs.append((one, min(near, key=lambda other: (abs(other.end - one.end), other))))
    return _split_pairs(pairs)


def match_overlapping(gold: Sequence[Extent], predicted: Sequence[Extent]) -> Matched:
    """Match, one to one, extents that share a character: as many pairs as can be made.

    ``gold`` must be disjoint; ``predicted`` need not be. Each predicted extent overlaps neighbours
    in gold, so it is enough to give every gold extent, from left to right, the one that ends first
    (F. Glover, Naval Research Logistics Quarterly 14 (1967), 313-316).
    """
    waiting = sorted(predicted, reverse=True)
    reached: list[tuple[int, Extent]] = []
    pairs: list[tuple[Extent, Extent]] = []
    for one in sorted(gold):
        while waiting and waiting[-1].start < one.end:
            other = waiting.pop()
            heapq.heappush(reached, (other.end, other))
        while reached and reached[0][0] <= one.start:
            heapq.heappop(reached)
        if reached:
            pairs.append((one, heapq.heappop(reached)[1]))
    return _split_pairs(pairs)


def match_within(gold: Sequence[Extent], predicted: Sequence[Extent]) -> Matched:
    """Match each extent whose every character lies within some of the other side; both in order."""
    return Matched(
        keep_within(gold, unite_extents(predicted)), keep_within(predicted, unite_extents(gold))
    )


MATCHES: Mapping[Criterion, Callable[[Sequence[Extent], Sequence[Extent]], Matched]] = (
    MappingProxyType(
        {
            Criterion.STRICT: match_same,
            Criterion.RELAXED: match_near,
            Criterion.OVERLAP: match_overlapping,
            Criterion.TOKEN: match_same,
            Criterion.COVERED: match_within,
        }
    )
)
"""How each criterion matches. Labels do not count; to match by label, give one label at a time."""


def keep_within(extents: Iterable[Extent], cover: Sequence[Run]) -> list[Extent]:
    """Keep the extents that lie wholly within one of ``cover``.

    Args:
        extents: In order of their starts.
        cover: Extents that ``unite_extents`` made.
    """
    kept: list[Extent] = []
    place = 0
    for one in extents:
        while place < len(cover) and cover[place][1] <= one.start:
            place += 1
        if place < len(cover) and cover[place][0] <= one.start and one.end <= cover[place][1]:
            kept.append(one)
    return kept


def unite_extents(extents: Iterable[Extent]) -> tuple[Run, ...]:
    """Unite extents that overlap or touch; return disjoint stretches in order."""
    cover: list[Run] = []
    for start, end, _ in sorted(extents):
        if cover and start <= cover[-1][1]:
            cover[-1] = (cover[-1][0], max(cover[-1][1], end))
        else:
            cover.append((start, end))
    return tuple(cover)


def _runs(extents: Iterable[Extent]) -> frozenset[Run]:
    return frozenset((one.start, one.end) for one in extents)


def _split_pairs(pairs: Sequence[tuple[Extent, Extent]]) -> Matched:
    return Matched([one for one, _ in pairs], [other for _, other in pairs])
