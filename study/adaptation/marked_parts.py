"""Divide the marked notes of a site: to learn from, to choose on, and to measure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus.split_by_patient import split_by_patient

CHOSEN_ON = 0.25
"""Share of the patients that are not kept apart, on whose notes thresholds are chosen."""


@dataclass(frozen=True, slots=True)
class MarkedParts:
    """Marked notes, each part with the notes of other patients."""

    learnt: list[LabelledNote] = field(repr=False)
    """The tagger learns from these."""
    chosen_on: list[LabelledNote] = field(repr=False)
    """Thresholds are chosen on these, and whether the taught tagger is better."""
    apart: list[LabelledNote] = field(repr=False)
    """Measured, before and after; nothing is chosen by them."""

    @property
    def read(self) -> list[LabelledNote]:
        """All that is not kept apart."""
        return [*self.learnt, *self.chosen_on]

    def count(self) -> dict[str, int]:
        """Return how many notes each part has."""
        parts = {"learnt": self.learnt, "chosen_on": self.chosen_on, "apart": self.apart}
        return {name: len(notes) for name, notes in parts.items()}


def split_marked(marked: Sequence[LabelledNote], *, apart: float) -> MarkedParts:
    """Divide marked notes by patient.

    Patients are drawn by their ids: who is kept apart stays apart when more notes are marked.

    Args:
        marked: All of them.
        apart: Share of the patients that is kept apart.
    """
    rest, kept = split_by_patient(marked, share=apart, draw="adapt:apart")
    learnt, chosen_on = split_by_patient(rest, share=CHOSEN_ON, draw="adapt:choose")
    return MarkedParts(learnt, chosen_on, kept)
