"""Compare the ratios of two benches: absolute times depend on what else the machine does."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

MOST_LOSS = 0.15
"""Share of the earlier ratio to the engine that may be lost."""
SAME = ("mode", "policy", "notes", "pieces", "batch")
"""What two benches must have in common for their ratios to mean the same."""


@dataclass(frozen=True, slots=True)
class RatioChange:
    """One ratio in an earlier and in a later bench."""

    name: str
    before: float
    after: float

    @property
    def loss(self) -> float:
        """Share of the earlier value that is gone; negative where it has grown."""
        return 1 - self.after / self.before if self.before else 0.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """An earlier and a later bench."""

    engine: RatioChange | None
    """``None`` where one of them had no tagger."""
    engine_cpu: RatioChange | None
    """The same for processor time."""
    shares: tuple[RatioChange, ...]
    """The shares of the stages."""
    differing: tuple[str, ...]
    """What they have not in common."""

    @property
    def regressed(self) -> bool:
        """Whether more of the ratio to the engine is lost than may be."""
        return self.engine is not None and self.engine.loss > MOST_LOSS


def compare_figures(before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Compare two records of ``bench_figures.encode_figures``."""
    paths = before["path"], after["path"]
    subjects = before["subject"], after["subject"]
    differing = tuple(name for name in SAME if subjects[0][name] != subjects[1][name])
    return Comparison(
        engine=_compare_medians("ratio to the engine", "engine_ratio", *paths),
        engine_cpu=_compare_medians(
            "processor time of the engine by all", "engine_cpu_share", *paths
        ),
        shares=tuple(_compare_stages(before, after)),
        differing=differing,
    )


def _compare_medians(
    name: str, figure: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> RatioChange | None:
    old, new = before[figure], after[figure]
    if old is None or new is None:
        return None
    return RatioChange(name, old["median"], new["median"])


def _compare_stages(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[RatioChange]:
    old, new = before["stages"], after["stages"]
    for stage in dict.fromkeys((*old, *new)):
        shares = (stages.get(stage, {}).get("share", 0.0) for stages in (old, new))
        yield RatioChange(f"share of {stage}", *shares)


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print what changed."""
    if comparison.differing:
        names = ", ".join(comparison.differing)
        console.print(f"the two benches differ in {names}: their ratios may not mean the same")
    table = Table(title="ratios")
    table.add_column("ratio")
    for heading in ("before", "now"):
        table.add_column(heading, justify="right")
    for change in (comparison.engine, comparison.engine_cpu, *comparison.shares):
        if change is None:
            continue
        table.add_row(change.name, f"{change.before:.3f}", f"{change.after:.3f}")
    console.print(table)
    if comparison.regressed:
        console.print(f"the ratio to the engine is more than {MOST_LOSS:.0%} below the earlier one")
