"""Read what was measured of overlooked identifiers: the table behind the residual risk.

``benchmarks/risk/fit_residual.py`` makes it from labelled notes that no recognizer learnt from.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Self

import orjson

from deidstream.models.detection.reconcile import SCORE_DIGITS
from deidstream.models.risk.note_evidence import NoteEvidence
from deidstream.models.text.word_files import read_data
from deidstream.schemas.label import LabelGroup

FILE = "risk/residual.json"
_MOST_LOG = 5.0
"""Logarithm of so many leaks that one is certain."""


class Sight(StrEnum):
    """With or without the model, and how sure it must be: what is overlooked differs."""

    TAGGER = "tagger"
    """The tagger reads the notes, alone or with others."""
    PRECISE = "precise"
    """It reads them, and only what it is surer of counts: profile ``precise``."""
    RULES = "rules"
    """It does not."""


@dataclass(frozen=True, slots=True)
class NoteWeights:
    """How the leaks that suspects and rates let expect in a note are corrected by its evidence."""

    always: float = 0.0
    expected: float = 1.0
    unsure: float = 0.0
    torn: float = 0.0

    def correct(self, expected: float, note: NoteEvidence) -> float:
        """Return the number of leaks to expect; without suspects and rates none.

        The logarithm of the number is linear in those of the evidence, so that the probability of
        a leak follows a complementary log-log regression.
        """
        if expected <= 0:
            return 0.0
        log = self.always + self.expected * math.log(expected)
        log += self.unsure * math.log1p(note.unsure) + self.torn * math.log1p(note.torn)
        return math.exp(min(log, _MOST_LOG))


@dataclass(frozen=True, slots=True)
class ResidualTable:
    """What was fitted: to suspects, to mentions that no recognizer saw, and to whole notes."""

    weights: Mapping[Sight, Mapping[str, float]] = field(repr=False)
    """Log odds by evidence; evidence that is not named weighs nothing."""
    rates: Mapping[Sight, Mapping[LabelGroup, float]] = field(repr=False)
    """Mentions that no recognizer saw for each one that was found: the group's own share, drawn to
    the upper 95 % bound of all groups as far as its mentions are few."""
    corrections: Mapping[Sight, NoteWeights] = field(
        repr=False, default_factory=lambda: dict.fromkeys(Sight, NoteWeights())
    )

    @classmethod
    def parse(cls, content: Mapping[str, Any]) -> Self:
        """Read the content of the file."""
        return cls(
            {sight: content["weights"][sight] for sight in Sight},
            {
                sight: {
                    LabelGroup(name): float(row["rate"])
                    for name, row in content["unseen"][sight].items()
                }
                for sight in Sight
            },
            {sight: NoteWeights(**content["corrections"][sight]) for sight in Sight},
        )

    def probability(self, evidence: Mapping[str, float], sight: Sight) -> float:
        """Return the probability that a suspect is a direct identifier, rounded."""
        weights = self.weights[sight]
        odds = sum(weights.get(name, 0.0) * value for name, value in evidence.items())
        return round(1 / (1 + math.exp(-odds)), SCORE_DIGITS)

    def miss_rate(self, group: LabelGroup, sight: Sight) -> float:
        """Return the rate of a group of labels."""
        return self.rates[sight][group]


@cache
def read_residual_table() -> ResidualTable:
    """Read the table that comes with the package."""
    return ResidualTable.parse(orjson.loads(read_data(FILE)))
