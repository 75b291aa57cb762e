"""Assess de-identified notes: every measure of risk, and the level of those that count."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.records import Substituted, remaining
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.linkage import LinkageRisk
from deidstream.models.risk.measured import Measured, make_report
from deidstream.models.risk.miss_rates import read_residual_table
from deidstream.models.risk.quasi import QuasiLoad
from deidstream.models.risk.residual import ResidualRisk
from deidstream.models.risk.uniqueness import ContextUniqueness
from deidstream.models.time_budget import within_time
from deidstream.schemas.outcome import RiskReport
from deidstream.schemas.policy import Policy
from deidstream.schemas.risk_policy import RiskMeasure


def hold_nothing(word: str) -> bool:  # noqa: ARG001
    """Stand for an index without reference notes: none holds the word."""
    return False


@dataclass(frozen=True, slots=True)
class Assessor:
    """The measures of risk under one policy.

    Those that embed text are there only if they count: the uniqueness of contexts took a quarter of
    a note's time, and a measure that does not count decides nothing.
    """

    policy: Policy
    is_held: Callable[[str], bool] = field(repr=False, default=hold_nothing)
    """Whether several reference notes hold a word, for the load of quasi-identifiers."""
    uniqueness: ContextUniqueness | None = None
    """Where the uniqueness of contexts counts: it embeds the words around each replaced span."""
    linkage: LinkageRisk | None = None
    """Where linkage counts: it embeds every sentence of the note and of its output."""

    def assess(self, items: Sequence[Substituted]) -> list[RiskReport]:
        """Assess each note as it would be emitted, in order.

        What a measure embeds of all notes is embedded in one call. No report depends on the notes
        beside it.
        """
        residual = ResidualRisk(self.policy, read_residual_table())
        quasi = QuasiLoad(self.policy, self.is_held)
        embedded = self._measure_by_vectors(items)
        reports: list[RiskReport] = []
        for place, item in enumerate(within_time(items)):
            left = LeftWords.of_output(item)
            measured = {
                RiskMeasure.RESIDUAL: residual.measure(item, left),
                RiskMeasure.QUASI: quasi.measure(item, left),
            }
            for measure, each in embedded.items():
                measured[measure] = each[place]
            entities = len(remaining(item.replacements))
            reports.append(make_report(measured, self.policy.risk, entities))
        return reports

    def _measure_by_vectors(
        self, items: Sequence[Substituted]
    ) -> Mapping[RiskMeasure, list[Measured]]:
        """Return what the measures that embed text say of each note, in order."""
        measured: dict[RiskMeasure, list[Measured]] = {}
        if self.uniqueness:
            measured[RiskMeasure.CONTEXT_UNIQUENESS] = self.uniqueness.measure(items)
        if self.linkage:
            measured[RiskMeasure.LINKAGE] = self.linkage.measure(items)
        return measured
