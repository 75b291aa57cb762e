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
    old, new = before["path"]["engine_ratio"], after["path"]["engine_ratio"]
    engine = None
    if old is not None and new is not None:
        engine = RatioChange("ratio to the engine", old["median"], new["median"])
    subjects = before["subject"], after["subject"]
    differing = tuple(name for name in SAME if subjects[0][name] != subjects[1][name])
    return Comparison(engine, tuple(_compare_stages(before, after)), differing)


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
    engine = (comparison.engine,) if comparison.engine else ()
    for change in (*engine, *comparison.shares):
        table.add_row(change.name, f"{change.before:.3f}", f"{change.after:.3f}")
    console.print(table)
    if comparison.regressed:
        console.print(f"the ratio to the engine is more than {MOST_LOSS:.0%} below the earlier one")
