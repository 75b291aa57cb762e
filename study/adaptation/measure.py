"""Measure settings on notes whose PHI readers have marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deidstream.agents.runtime.load_models import load_detector
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import Settings
from deidstream.models.detection.detector import Detector
from deidstream.schemas.label import is_direct
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.span import Span
from deidstream.study.scoring.cells import Counts
from deidstream.study.scoring.match import prepare_reference
from deidstream.study.scoring.score import score
from deidstream.study.scoring.totals import Score, total

BETA = 1.25
"""How many times recall weighs more than precision, as for the thresholds of the tagger."""
CHUNK = 32


@dataclass(frozen=True, slots=True)
class Measured:
    """What a detector found of marked notes."""

    spans: Sequence[Sequence[Span]] = field(repr=False)
    """Of each note."""
    score: Score = field(repr=False)

    @property
    def direct(self) -> Counts:
        """Tokens of direct identifiers."""
        return self.score.redact_direct

    @property
    def every(self) -> Counts:
        """Tokens of all PHI, and all that was found."""
        return self.score.redact

    @property
    def f_beta(self) -> float:
        """One figure of both recall and precision; 0 if nothing is PHI."""
        recall, precision = self.every.recall or 0.0, self.every.precision or 0.0
        weighed = BETA**2 * precision + recall
        return (1 + BETA**2) * precision * recall / weighed if weighed else 0.0

    def encode(self) -> dict[str, Any]:
        """Return the figures, without text."""
        leaks = self.score.leaks
        return {
            "notes": self.score.all_notes.notes,
            "identifiers": leaks.spans,
            "direct_recall": self.direct.recall,
            "direct_recall_interval": self.direct.recall_interval,
            "recall": self.every.recall,
            "recall_interval": self.every.recall_interval,
            "precision": self.every.precision,
            "precision_interval": self.every.precision_interval,
            "leaking_notes": leaks.leaking_notes,
            "leaking_identifiers": leaks.leaking,
        }


def open_detector(settings: Settings) -> Detector:
    """Load the detector of settings.

    Raises:
        MissingArtefact: A model cannot be loaded.
        InvalidPolicy: The policy is wrong.
    """
    return load_detector(settings, find_policy(settings.policy))[0]


def find_spans(detector: Detector, notes: Sequence[RawNote]) -> list[tuple[Span, ...]]:
    """Return what a detector finds in each note."""
    found: list[tuple[Span, ...]] = []
    for at in range(0, len(notes), CHUNK):
        found += [each.spans for each in detector.detect(notes[at : at + CHUNK])]
    return found


def measure(detector: Detector, marked: Sequence[LabelledNote]) -> Measured:
    """Detect in marked notes, and score what was found."""
    spans = find_spans(detector, [labelled.note for labelled in marked])
    scores = [
        score(prepare_reference(labelled), own) for labelled, own in zip(marked, spans, strict=True)
    ]
    return Measured(spans, total(scores))


@dataclass(frozen=True, slots=True)
class Changes:
    """Direct identifiers that one of two detectors covers wholly, and the other one does not."""

    gained: int
    lost: int


def compare(marked: Sequence[LabelledNote], before: Measured, after: Measured) -> Changes:
    """Count the direct identifiers that are covered after alone, and before alone."""
    gained = lost = 0
    for labelled, old, new in zip(marked, before.spans, after.spans, strict=True):
        for span in labelled.spans:
            if is_direct(span.label):
                had, has = _covers(old, span), _covers(new, span)
                gained += has and not had
                lost += had and not has
    return Changes(gained, lost)


def _covers(found: Sequence[Span], span: Span) -> bool:
    return sum(_overlap(one, span) for one in found) >= span.end - span.start


def _overlap(one: Span, other: Span) -> int:
    return max(0, min(one.end, other.end) - max(one.start, other.start))


def show_figures(rows: Mapping[str, Measured]) -> str:
    """Lay figures out, a line for each of some detectors."""
    lines = [f"{'':8}  {'direct recall':>22}  {'recall':>22}  {'precision':>22}  leaking notes"]
    for name, measured in rows.items():
        direct = _show(measured.direct.recall, measured.direct.recall_interval)
        recall = _show(measured.every.recall, measured.every.recall_interval)
        precision = _show(measured.every.precision, measured.every.precision_interval)
        notes = f"{measured.score.leaks.leaking_notes} of {measured.score.all_notes.notes}"
        lines.append(f"{name:8}  {direct:>22}  {recall:>22}  {precision:>22}  {notes}")
    return "\n".join(lines)


def _show(share: float | None, interval: tuple[float, float] | None) -> str:
    if share is None or interval is None:
        return "none"
    return f"{share:.3f} ({interval[0]:.3f}-{interval[1]:.3f})"
