from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.scoring.cells import CELLS, REDACT, Cell, Counts, Criterion, LabelSet, wilson
from deidstream.study.scoring.error_kinds import ErrorKind
from deidstream.study.scoring.match import Extent, match_overlapping, prepare_reference
from deidstream.study.scoring.score import score
from deidstream.study.scoring.totals import Score, total

LENGTH = 24
LABELS = (PhiLabel.PATIENT, PhiLabel.DOCTOR, PhiLabel.DATE)
texts = st.text("ab 1-", min_size=LENGTH, max_size=LENGTH)


@st.composite
def a_span(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, LENGTH - 1))
    return Span(start, draw(st.integers(start + 1, LENGTH)), draw(st.sampled_from(LABELS)))


@st.composite
def a_gold(draw: st.DrawFn) -> LabelledNote:
    cuts = draw(st.lists(st.integers(0, LENGTH), unique=True, max_size=10).map(sorted))
    spans = tuple(
        Span(start, end, draw(st.sampled_from(LABELS)))
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    )
    return LabelledNote(RawNote("n", "p", draw(texts)), spans)


predictions = st.lists(a_span(), max_size=6)


def scored(gold: LabelledNote, spans: list[Span]) -> Score:
    return score(prepare_reference(gold), spans)


@given(a_gold())
def test_gold_is_perfect(gold: LabelledNote) -> None:
    perfect = scored(gold, list(gold.spans))
    assert all(perfect.micro(cell).f1 in (1.0, None) for cell in CELLS)
    assert perfect.mistakes == {}
    assert perfect.leaks.leaking == perfect.all_notes.false_alarms == 0


@given(a_gold(), predictions)
def test_counts_are_within_bounds(gold: LabelledNote, spans: list[Span]) -> None:
    found = scored(gold, spans)
    for cell in CELLS:
        for label, counts in found.counts[cell].items():
            assert 0 <= counts.found <= counts.gold
            assert 0 <= counts.right <= counts.predicted
            assert counts.gold + counts.predicted > 0, label
    assert found.leaks.missed <= found.leaks.leaking <= found.leaks.spans == len(gold.spans)


@given(a_gold(), predictions)
def test_looser_criteria_find_no_less(gold: LabelledNote, spans: list[Span]) -> None:
    found = scored(gold, spans)
    for labels_count in (True, False):
        strict, relaxed, overlap, token, covered = (
            found.micro(Cell(criterion, labels_count, LabelSet.ALL)) for criterion in Criterion
        )
        assert strict.found <= relaxed.found <= overlap.found
        assert token.found <= covered.found
        assert token.right <= covered.right


@given(a_gold(), predictions)
def test_the_blind_find_no_less(gold: LabelledNote, spans: list[Span]) -> None:
    # A stretch under two labels is two spans with labels and one without.
    once = {(span.start, span.end): span for span in spans}
    found = scored(gold, list(once.values()))
    for criterion in Criterion:
        typed, blind = (found.micro(Cell(criterion, each, LabelSet.ALL)) for each in (True, False))
        assert typed.found <= blind.found


@given(a_gold(), predictions)
def test_the_one_to_one_find_as_many_as_are_right(gold: LabelledNote, spans: list[Span]) -> None:
    found = scored(gold, spans)
    for cell in CELLS:
        if cell.criterion in {Criterion.RELAXED, Criterion.OVERLAP}:
            counts = found.micro(cell)
            assert counts.found == counts.right


@given(a_gold(), predictions, predictions)
def test_predicting_more_never_lowers_redact_recall(
    gold: LabelledNote, spans: list[Span], more: list[Span]
) -> None:
    few, many = scored(gold, spans), scored(gold, [*spans, *more])
    assert few.redact.found <= many.redact.found
    assert few.leaks.leaking >= many.leaks.leaking
    assert few.micro(REDACT).gold == many.micro(REDACT).gold


@given(a_gold(), predictions)
def test_coverage_is_that_of_the_characters(gold: LabelledNote, spans: list[Span]) -> None:
    text = gold.note.text
    covered = {place for span in spans for place in range(span.start, span.end)}
    leaking = 0
    for span in gold.spans:
        places = range(span.start, span.end)
        leaking += any(text[place].isalnum() and place not in covered for place in places)
    assert scored(gold, spans).leaks.leaking == leaking


@given(a_gold(), predictions)
def test_every_gold_span_has_one_mistake_at_most(gold: LabelledNote, spans: list[Span]) -> None:
    found = scored(gold, spans)
    on_gold = sum(n for (kind, _, _), n in found.mistakes.items() if kind is not ErrorKind.SPURIOUS)
    strict = found.micro(Cell(Criterion.STRICT, typed=True, scope=LabelSet.ALL))
    assert on_gold == strict.gold - strict.found
    missed = sum(n for (kind, _, _), n in found.mistakes.items() if kind is ErrorKind.MISSED)
    touched = [g for g in gold.spans if any(s.start < g.end and g.start < s.end for s in spans)]
    assert missed == len(gold.spans) - len(touched)


@given(a_gold(), predictions)
def test_the_order_of_predictions_does_not_count(gold: LabelledNote, spans: list[Span]) -> None:
    assert scored(gold, spans) == scored(gold, [*reversed(spans), *spans])


@pytest.mark.slow
@given(st.lists(st.tuples(a_gold(), predictions), max_size=3), st.integers(0, 3))
def test_scores_add_up_in_any_groups(
    pairs: list[tuple[LabelledNote, list[Span]]], cut: int
) -> None:
    each = [scored(gold, spans) for gold, spans in pairs]
    grouped, whole = total([total(each[:cut]), total(each[cut:])]), total(each)
    assert grouped.counts == whole.counts
    assert grouped.leaks == whole.leaks
    assert grouped.mistakes == whole.mistakes
    assert grouped.all_notes == whole.all_notes
    assert sum(s.redact.gold for s in each) == whole.redact.gold


@given(a_gold(), predictions)
def test_overlap_makes_the_most_pairs(gold: LabelledNote, spans: list[Span]) -> None:
    golds = [Extent(s.start, s.end, s.label) for s in gold.spans]
    others = sorted({Extent(s.start, s.end, s.label) for s in spans})
    assert len(match_overlapping(golds, others).found) == most_pairs(golds, others)


def most_pairs(golds: list[Extent], others: list[Extent]) -> int:
    """By Hall's theorem: the gold, less the greatest lack of partners in any part of it."""
    lack = 0
    for size in range(1, len(golds) + 1):
        for some in combinations(golds, size):
            partners = [o for o in others if any(o.start < g.end and g.start < o.end for g in some)]
            lack = max(lack, size - len(partners))
    return len(golds) - lack


@given(st.integers(0, 500), st.integers(1, 500))
def test_intervals_hold_their_share(part: int, whole: int) -> None:
    counts = Counts(min(part, whole), whole)
    bounds = wilson(counts.found, whole)
    assert bounds is not None
    assert 0 <= bounds[0] <= counts.found / whole <= bounds[1] <= 1
