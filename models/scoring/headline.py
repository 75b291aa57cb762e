"""The few figures by which recognizers are told apart."""

from dataclasses import dataclass

from deidstream.models.scoring.cells import Cell, Criterion, Scope
from deidstream.models.scoring.counts import rate
from deidstream.models.scoring.totals import Burden, Score

THOUSAND = 1000
STRICT = Cell(Criterion.STRICT, typed=True, scope=Scope.ALL)
RELAXED = Cell(Criterion.RELAXED, typed=True, scope=Scope.ALL)
OVERLAP = Cell(Criterion.OVERLAP, typed=True, scope=Scope.ALL)
REDACT_HIPAA = Cell(Criterion.COVERED, typed=False, scope=Scope.HIPAA)

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
    """Draw the headline from a score."""
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
