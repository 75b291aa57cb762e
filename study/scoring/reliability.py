"""Reliability: how far scores are from the share of spans that are right (calibration error)."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, repeat

from deidstream.schemas.span import Span
from deidstream.study.scoring.cells import rate
from deidstream.study.scoring.match import Extent

BINS = 15

JudgedScore = tuple[float, bool]
"""The score of a span, and whether the span touches PHI."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Spans with scores next to each other."""

    spans: int
    score: float
    """Their mean score."""
    right: float
    """Share of them that touch PHI."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """Scores in bins of equal size, by ascending score."""

    bins: Sequence[Bin]

    @property
    def spans(self) -> int:
        """Number of spans."""
        return sum(one.spans for one in self.bins)

    @property
    def error(self) -> float | None:
        """The expected calibration error: mean over spans of how far their bin is off."""
        off = sum(one.spans * abs(one.score - one.right) for one in self.bins)
        return rate(off, self.spans)


def judge_scores(gold: Sequence[Extent], spans: Iterable[Span]) -> list[JudgedScore]:
    """Pair the score of each span with whether it touches gold, which is disjoint and in order."""
    ends = [one.end for one in gold]
    judged: list[JudgedScore] = []
    for span in spans:
        place = bisect_right(ends, span.start)
        touches = place < len(gold) and gold[place].start < span.end
        judged.append((span.score, touches))
    return judged


def measure_reliability(judged: Iterable[JudgedScore], bins: int = BINS) -> Reliability:
    """Sort scores into bins that hold equally many, but for one span.

    Source: the adaptive calibration error of Nixon et al., Measuring Calibration in Deep Learning
    (CVPR workshops, 2019), of the one class that counts here.
    """
    ordered = list(_share_ties(judged))
    edges = [len(ordered) * place // bins for place in range(bins + 1)]
    parts = (ordered[start:end] for start, end in pairwise(edges))
    return Reliability([_make_bin(part) for part in parts if part])


def _share_ties(judged: Iterable[JudgedScore]) -> Iterator[tuple[float, float]]:
    """Sort scores, and give equal ones the share of them that is right: their order is chance."""
    for score, alike in groupby(sorted(judged), key=_score_of):
        rights = [right for _, right in alike]
        yield from repeat((score, sum(rights) / len(rights)), len(rights))


def _score_of(judged: JudgedScore) -> float:
    return judged[0]


def _make_bin(judged: Sequence[tuple[float, float]]) -> Bin:
    count = len(judged)
    return Bin(
        count, sum(score for score, _ in judged) / count, sum(right for _, right in judged) / count
    )
