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
from deidstream.models.text.word_files import read_data
from deidstream.schemas.label import LabelGroup

FILE = "risk/residual.json"


class Sight(StrEnum):
    """With or without the model: what is overlooked differs."""

    TAGGER = "tagger"
    """The tagger reads the notes, alone or with others."""
    RULES = "rules"
    """It does not."""


@dataclass(frozen=True, slots=True)
class ResidualTable:
    """Weights of the evidence for a suspect, and rates of mentions that no recognizer saw."""

    weights: Mapping[Sight, Mapping[str, float]] = field(repr=False)
    """Log odds by evidence; evidence that is not named weighs nothing."""
    rates: Mapping[Sight, Mapping[LabelGroup, float]] = field(repr=False)
    """Mentions that no recognizer saw for each one that was found: the group's own share, drawn to
    the upper 95 % bound of all groups as far as its mentions are few."""

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
