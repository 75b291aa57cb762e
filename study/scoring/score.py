"""Score the spans that a recognizer predicted for one note."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.span import Span
from deidstream.study.scoring.cells import (
    CELLS,
    REDACT,
    Cell,
    Counts,
    Criterion,
    LabelSet,
    add_counts,
    counts_in,
)
from deidstream.study.scoring.error_kinds import ErrorKind, Mistake, find_mistakes
from deidstream.study.scoring.match import (
    MATCHES,
    Extent,
    Matched,
    Reference,
    extents,
    keep_within,
    pieces,
    unite_extents,
)
from deidstream.study.scoring.totals import Burden, ByLabel, Leaks, Means, Score

_CUT = frozenset({Criterion.TOKEN, Criterion.COVERED})


def score(reference: Reference, spans: Iterable[Span]) -> Score:
    """Score what was predicted for a note; spans may overlap and count as they are.

    Sorts the spans; else linear in the note and in the length of all spans together.

    Raises:
        ValueError: A span ends after the note.
    """
    predicted = extents(spans)
    if any(one.end > reference.length for one in predicted):
        msg = "a predicted span ends after its note"
        raise ValueError(msg)
    cut = sorted(set(pieces(reference.runs, predicted)))
    counts = {cell: _counts(cell, reference, cut if _is_cut(cell) else predicted) for cell in CELLS}
    mistakes = find_mistakes(reference.spans, predicted)
    burden = _burden(reference, add_counts(counts[REDACT].values()), mistakes)
    return Score(
        counts,
        {cell: _means(add_counts(by_label.values())) for cell, by_label in counts.items()},
        burden,
        Burden() if reference.spans else burden,
        _leaks(reference, cut),
        Counter((mistake.kind, *mistake.labels) for mistake in mistakes),
    )


def _is_cut(cell: Cell) -> bool:
    return cell.criterion in _CUT


def _counts(cell: Cell, reference: Reference, predicted: Sequence[Extent]) -> ByLabel:
    gold: Sequence[Extent] = reference.pieces if _is_cut(cell) else reference.spans
    if cell.criterion is not Criterion.COVERED:
        gold, predicted = _within(gold, cell.scope), _within(predicted, cell.scope)
    predicted = _distinct(predicted, typed=cell.typed)
    matched = _match_cell(cell, gold, predicted)
    kept = (_within(each, cell.scope) for each in (matched.found, gold, matched.right, predicted))
    found, wanted, right, given = (Counter(one.label for one in each) for each in kept)
    return {
        label: Counts(found[label], wanted[label], right[label], given[label])
        for label in wanted | given
    }


def _match_cell(cell: Cell, gold: Sequence[Extent], predicted: Sequence[Extent]) -> Matched:
    match = MATCHES[cell.criterion]
    if not cell.typed:
        return match(gold, predicted)
    golds, predicteds = _by_label(gold), _by_label(predicted)
    each = [match(golds[label], predicteds[label]) for label in golds.keys() & predicteds.keys()]
    return Matched(
        [one for matched in each for one in matched.found],
        [one for matched in each for one in matched.right],
    )


def _by_label(every: Iterable[Extent]) -> dict[PhiLabel, list[Extent]]:
    by_label: dict[PhiLabel, list[Extent]] = defaultdict(list)
    for one in every:
        by_label[one.label].append(one)
    return by_label


def _within(every: Sequence[Extent], scope: LabelSet) -> Sequence[Extent]:
    if scope is LabelSet.ALL:
        return every
    return [one for one in every if counts_in(scope, one.label)]


def _distinct(ordered: Sequence[Extent], *, typed: bool) -> Sequence[Extent]:
    # Label-blind, a stretch with two labels is one; the first label counts it.
    if typed:
        return ordered
    return [next(same) for _, same in groupby(ordered, key=lambda one: one[:2])]


def _means(counts: Counts) -> Means:
    recall, precision = counts.recall, counts.precision
    return Means(
        recall or 0.0, int(recall is not None), precision or 0.0, int(precision is not None)
    )


def _burden(reference: Reference, redact: Counts, mistakes: Iterable[Mistake]) -> Burden:
    alarms = sum(mistake.kind is ErrorKind.SPURIOUS for mistake in mistakes)
    return Burden(1, reference.words, alarms, redact.predicted - redact.right)


def _leaks(reference: Reference, cut: Iterable[Extent]) -> Leaks:
    gone = set(keep_within(reference.pieces, unite_extents(cut)))
    leaking = missed = 0
    for span in reference.spans:
        tokens = pieces(reference.runs, (span,))
        left = sum(token not in gone for token in tokens)
        leaking += left > 0
        missed += 0 < left == len(tokens)
    return Leaks(
        len(reference.spans), leaking, missed, int(bool(reference.spans)), int(leaking > 0)
    )
