"""The score of one note or of many, how scores add up, and the few figures of the headline."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass

from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.study.scoring.cells import (
    CELLS,
    REDACT,
    Cell,
    Counts,
    Criterion,
    LabelSet,
    add_counts,
    rate,
)
from deidstream.study.scoring.error_kinds import ErrorKind

ByLabel = Mapping[PhiLabel, Counts]
"""Recall of a label is over the gold of that label, precision over what was predicted as it."""
MistakeKey = tuple[ErrorKind, PhiLabel | None, PhiLabel | None]
"""Kind, label of gold, label predicted."""


@dataclass(frozen=True, slots=True)
class Means:
    """Sums over notes, of which macro means are made; a note without a value does not count."""

    recall: float = 0.0
    recall_notes: int = 0
    """Notes with gold."""
    precision: float = 0.0
    precision_notes: int = 0
    """Notes in which something was predicted."""

    @property
    def mean_recall(self) -> float | None:
        """Mean over the notes that have gold."""
        return rate(self.recall, self.recall_notes)

    @property
    def mean_precision(self) -> float | None:
        """Mean over the notes in which something was predicted."""
        return rate(self.precision, self.precision_notes)


@dataclass(frozen=True, slots=True)
class Burden:
    """Text that was redacted needlessly."""

    notes: int = 0
    words: int = 0
    """Words between white space: what false alarms are counted against."""
    false_alarms: int = 0
    """Predicted spans that touch no gold span."""
    needless_tokens: int = 0
    """Predicted tokens that are not wholly gold."""


@dataclass(frozen=True, slots=True)
class Leaks:
    """PHI that would have stayed in the notes."""

    spans: int = 0
    """Gold spans."""
    leaking: int = 0
    """Gold spans of which some token is not wholly covered."""
    missed: int = 0
    """Gold spans that have tokens, none of them covered."""
    notes_with_phi: int = 0
    leaking_notes: int = 0
    """Notes with a leaking span."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one note, or of many."""

    counts: Mapping[Cell, ByLabel]
    means: Mapping[Cell, Means]
    all_notes: Burden
    clean_notes: Burden
    """The part of ``all_notes`` in which nothing is PHI."""
    leaks: Leaks
    mistakes: Mapping[MistakeKey, int]

    def micro(self, cell: Cell) -> Counts:
        """Counts of a cell over all labels."""
        return add_counts(self.counts[cell].values())

    @property
    def redact(self) -> Counts:
        """Label-blind tokens: what redaction removes."""
        return self.micro(REDACT)

    @property
    def redact_direct(self) -> Counts:
        """Label-blind tokens of direct identifiers alone: what of them redaction removes."""
        direct = (c for label, c in self.counts[REDACT].items() if is_direct(label))
        return add_counts(direct)


def total(scores: Iterable[Score]) -> Score:
    """Add the scores of notes, or of groups of notes."""
    every = list(scores)
    mistakes = Counter[MistakeKey]()
    for each in every:
        mistakes.update(each.mistakes)
    return Score(
        {cell: _total_counts([each.counts[cell] for each in every]) for cell in CELLS},
        {cell: _total_means([each.means[cell] for each in every]) for cell in CELLS},
        _total_burden([each.all_notes for each in every]),
        _total_burden([each.clean_notes for each in every]),
        _total_leaks([each.leaks for each in every]),
        mistakes,
    )


def _total_counts(every: Sequence[ByLabel]) -> ByLabel:
    by_label: dict[PhiLabel, list[Counts]] = defaultdict(list)
    for each in every:
        for label, counts in each.items():
            by_label[label].append(counts)
    return {label: add_counts(by_label[label]) for label in sorted(by_label)}


def _total_means(every: Sequence[Means]) -> Means:
    rows = [astuple(each) for each in every]
    return Means(*map(sum, zip(*rows, strict=True)))


def _total_burden(every: Sequence[Burden]) -> Burden:
    rows = [astuple(each) for each in every]
    return Burden(*map(sum, zip(*rows, strict=True)))


def _total_leaks(every: Sequence[Leaks]) -> Leaks:
    rows = [astuple(each) for each in every]
    return Leaks(*map(sum, zip(*rows, strict=True)))


THOUSAND = 1000
STRICT = Cell(Criterion.STRICT, typed=True, scope=LabelSet.ALL)
RELAXED = Cell(Criterion.RELAXED, typed=True, scope=LabelSet.ALL)
OVERLAP = Cell(Criterion.OVERLAP, typed=True, scope=LabelSet.ALL)
REDACT_HIPAA = Cell(Criterion.COVERED, typed=False, scope=LabelSet.HIPAA)

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Headline:
    """Micro figures; ``None`` where there is nothing to divide by."""

    redact_recall: float | None
    """Share of the tokens of PHI that are covered, under whatever label."""
    redact_recall_interval: Interval | None
    redact_precision: float | None
    """Share of the covered tokens that are PHI, under whatever label."""
    redact_precision_interval: Interval | None
    redact_f1: float | None
    direct_recall: float | None
    """Redact recall over the tokens of direct identifiers alone."""
    direct_recall_interval: Interval | None
    hipaa_recall: float | None
    """Redact recall over the tokens of the HIPAA labels alone."""
    strict_f1: float | None
    """Spans with their labels: same start, same end."""
    relaxed_f1: float | None
    """Spans with their labels: same start, end within 2 characters."""
    overlap_f1: float | None
    """Spans with their labels: any overlap, one to one."""
    leak_free_notes: float | None
    """Share of all notes in which every token of PHI is covered."""
    leak_free_notes_with_phi: float | None
    """The same over the notes that hold PHI."""
    leaking_spans: float | None
    """Share of gold spans with a token that is not covered: the leak rate per span."""
    missed_spans: float | None
    """Share of gold spans with no token covered."""
    leaks_per_1000_notes: float | None
    """Gold spans with a token that is not covered."""
    missed_per_1000_notes: float | None
    """Gold spans with no token covered."""
    false_alarms_per_1000_words: float | None
    """Predicted spans that touch no gold span."""
    needless_tokens_per_1000_words: float | None
    """Covered tokens that are not PHI."""
    clean_false_alarms_per_1000_words: float | None
    """False alarms in the notes without PHI."""
    clean_needless_tokens_per_1000_words: float | None


def headline(score: Score) -> Headline:
    """Compute the headline of a score."""
    redact, direct, leaks, notes = (
        score.redact,
        score.redact_direct,
        score.leaks,
        score.all_notes.notes,
    )
    return Headline(
        redact_recall=redact.recall,
        redact_recall_interval=redact.recall_interval,
        redact_precision=redact.precision,
        redact_precision_interval=redact.precision_interval,
        redact_f1=redact.f1,
        direct_recall=direct.recall,
        direct_recall_interval=direct.recall_interval,
        hipaa_recall=score.micro(REDACT_HIPAA).recall,
        strict_f1=score.micro(STRICT).f1,
        relaxed_f1=score.micro(RELAXED).f1,
        overlap_f1=score.micro(OVERLAP).f1,
        leak_free_notes=rate(notes - leaks.leaking_notes, notes),
        leak_free_notes_with_phi=rate(
            leaks.notes_with_phi - leaks.leaking_notes, leaks.notes_with_phi
        ),
        leaking_spans=rate(leaks.leaking, leaks.spans),
        missed_spans=rate(leaks.missed, leaks.spans),
        leaks_per_1000_notes=rate(THOUSAND * leaks.leaking, notes),
        missed_per_1000_notes=rate(THOUSAND * leaks.missed, notes),
        false_alarms_per_1000_words=_alarms(score.all_notes),
        needless_tokens_per_1000_words=_needless(score.all_notes),
        clean_false_alarms_per_1000_words=_alarms(score.clean_notes),
        clean_needless_tokens_per_1000_words=_needless(score.clean_notes),
    )


def _alarms(burden: Burden) -> float | None:
    return rate(THOUSAND * burden.false_alarms, burden.words)


def _needless(burden: Burden) -> float | None:
    return rate(THOUSAND * burden.needless_tokens, burden.words)
