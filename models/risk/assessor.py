"""Assess de-identified notes: every measure of risk, and the level of those that count."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from deidstream.models.records import Substituted, remaining
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.linkage import LinkageRisk
from deidstream.models.risk.measured import make_report
from deidstream.models.risk.miss_rates import read_residual_table
from deidstream.models.risk.quasi import QuasiLoad
from deidstream.models.risk.residual import ResidualRisk
from deidstream.models.risk.uniqueness import RiskQuery, measure_uniqueness
from deidstream.schemas.outcome import RiskReport
from deidstream.schemas.policy import Policy
from deidstream.schemas.ports import Embedder
from deidstream.schemas.risk_policy import RiskMeasure
from deidstream.schemas.time_budget import within_time


def hold_nothing(word: str) -> bool:  # noqa: ARG001
    """Stand for an index without reference notes: none holds the word."""
    return False


@dataclass(frozen=True, slots=True)
class Assessor:
    """The measures of risk under one policy."""

    policy: Policy
    references: NDArray[np.float32] = field(repr=False)
    """The reference contexts of the index, for the uniqueness of contexts."""
    embedder: Embedder
    is_held: Callable[[str], bool] = field(repr=False, default=hold_nothing)
    """Whether several reference notes hold a word, for the load of quasi-identifiers."""
    linkage: LinkageRisk | None = None
    """Where linkage counts: it embeds every sentence of the note and of its output."""

    def assess(self, items: Sequence[Substituted]) -> list[RiskReport]:
        """Assess each note as it would be emitted, in order.

        The contexts of all are embedded in one call. No report depends on the notes beside it.
        """
        rules = self.policy.risk
        queries = [RiskQuery(one.text, remaining(one.replacements)) for one in items]
        unique = measure_uniqueness(queries, self.references, self.embedder, rules)
        residual = ResidualRisk(self.policy, read_residual_table())
        quasi = QuasiLoad(self.policy, self.is_held)
        linked = self.linkage.measure(items) if self.linkage else []
        reports: list[RiskReport] = []
        for place, item in enumerate(within_time(items)):
            left = LeftWords.of_output(item)
            measured = {
                RiskMeasure.CONTEXT_UNIQUENESS: unique[place],
                RiskMeasure.RESIDUAL: residual.measure(item, left),
                RiskMeasure.QUASI: quasi.measure(item, left),
            }
            if linked:
                measured[RiskMeasure.LINKAGE] = linked[place]
            reports.append(make_report(measured, rules, len(queries[place].replacements)))
        return reports
