from collections.abc import Sequence

import pytest

from deidstream.schemas.label import PhiLabel
from deidstream.study.scoring.cells import Criterion
from deidstream.study.scoring.match import MATCHES, Extent, keep_within, unite_extents

Run = tuple[int, int]


def extents(runs: Sequence[Run]) -> list[Extent]:
    return [Extent(start, end, PhiLabel.DATE) for start, end in runs]


def matched(criterion: Criterion, gold: Sequence[Run], predicted: Sequence[Run]) -> tuple[int, int]:
    both = MATCHES[criterion](extents(gold), extents(predicted))
    return len(both.found), len(both.right)


@pytest.mark.parametrize(
    ("criterion", "predicted", "found"),
    [
        (Criterion.STRICT, (10, 20), 1),
        (Criterion.STRICT, (10, 21), 0),
        (Criterion.RELAXED, (10, 20), 1),
        (Criterion.RELAXED, (10, 22), 1),
        (Criterion.RELAXED, (10, 18), 1),
        (Criterion.RELAXED, (10, 23), 0),
        (Criterion.RELAXED, (10, 17), 0),
        (Criterion.RELAXED, (11, 20), 0),
        (Criterion.RELAXED, (9, 20), 0),
        (Criterion.OVERLAP, (19, 30), 1),
        (Criterion.OVERLAP, (0, 11), 1),
        (Criterion.OVERLAP, (20, 30), 0),
        (Criterion.OVERLAP, (0, 10), 0),
        (Criterion.COVERED, (5, 25), 1),
        (Criterion.COVERED, (11, 25), 0),
    ],
)
def test_a_span_is_found_by_its_criterion(criterion: Criterion, predicted: Run, found: int) -> None:
    assert matched(criterion, [(10, 20)], [predicted])[0] == found


def test_relaxed_and_overlap_are_one_to_one() -> None:
    assert matched(Criterion.RELAXED, [(0, 5)], [(0, 5), (0, 6)]) == (1, 1)
    assert matched(Criterion.OVERLAP, [(0, 10)], [(0, 4), (5, 9)]) == (1, 1)
    assert matched(Criterion.OVERLAP, [(0, 4), (5, 9)], [(0, 10)]) == (1, 1)


def test_relaxed_takes_the_nearest_end() -> None:
    both = MATCHES[Criterion.RELAXED](extents([(0, 5)]), extents([(0, 3), (0, 6)]))
    assert both.right == extents([(0, 6)])


def test_overlap_makes_as_many_pairs_as_it_can() -> None:
    # The long one must be left for the second gold span.
    assert matched(Criterion.OVERLAP, [(0, 5), (6, 9)], [(0, 10), (1, 3)]) == (2, 2)


def test_covered_counts_each_side_for_itself() -> None:
    assert matched(Criterion.COVERED, [(0, 10)], [(0, 4), (4, 10)]) == (1, 2)
    assert matched(Criterion.COVERED, [(0, 10)], [(2, 4)]) == (0, 1)
    assert matched(Criterion.COVERED, [(2, 4)], [(0, 10)]) == (1, 0)


def test_what_touches_is_united_and_what_is_apart_is_not() -> None:
    assert unite_extents(extents([(5, 9), (0, 3), (2, 5), (10, 12)])) == ((0, 9), (10, 12))
    assert keep_within(extents([(8, 11)]), ((0, 9), (10, 12))) == []
