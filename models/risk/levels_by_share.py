"""Give notes levels by share: the worst ones of their type are red, whatever their scores are.

What a note's measures are, and what becomes of it, never depends on other notes: the level on its
record alone does, and says so.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.risk.score_counts import BinCuts, find_bin, find_cuts
from deidstream.schemas.outcome import Anonymized, LevelRule, Outcome, Ranking

ALL_TYPES = ""
"""In place of a note type: the notes of all types."""
MOST_TYPES = 40
"""Note types of one group that are counted apart; notes of further ones count among all alone."""


def list_parts(ranking: Ranking) -> tuple[str, ...]:
    """Return the parts of its group in which a note counts: its type, if it has one, and all."""
    return (ranking.note_type, ALL_TYPES) if ranking.note_type else (ALL_TYPES,)


def level_by_share(outcome: Anonymized, cuts: Mapping[str, BinCuts]) -> Anonymized:
    """Return a note with its level among those of its type, or of all types if that has no cuts.

    Args:
        outcome: Its level waits for a share.
        cuts: Of its group, by part; the level by thresholds stays if there are none.
    """
    ranking, risk = outcome.ranking, outcome.risk
    part = next((one for one in list_parts(ranking) if one in cuts), None) if ranking else None
    if part is None or risk.cuts is None:
        return replace(outcome, ranking=None)
    by_share = cuts[part].of_threshold(risk.cuts.red)
    rule = LevelRule.SHARE if part == ALL_TYPES else LevelRule.SHARE_OF_TYPE
    level = by_share.level_of(risk.score)
    risk = replace(risk, level=level, rule=rule, cuts=by_share)
    return replace(outcome, risk=risk, ranking=None)


@dataclass(slots=True)
class GroupCounts:
    """Notes of one group by part and bin."""

    parts: dict[str, Counter[int]] = field(default_factory=dict[str, Counter[int]])

    def add(self, ranking: Ranking, number: int, notes: int = 1) -> None:
        """Count notes of one bin in the parts of the group that they belong to."""
        for part in list_parts(ranking):
            if part in self.parts or len(self.parts) <= MOST_TYPES:
                self.parts.setdefault(part, Counter())[number] += notes

    def find_all_cuts(self, red: float, yellow: float) -> dict[str, BinCuts]:
        """Return the cuts of the parts that have enough notes for these shares."""
        found = {part: find_cuts(counts, red, yellow) for part, counts in self.parts.items()}
        return {part: cuts for part, cuts in found.items() if cuts is not None}


@dataclass(slots=True)
class OwnRanks:
    """The counts of one process, or of one job, in its memory."""

    groups: dict[str, GroupCounts] = field(default_factory=dict[str, GroupCounts])

    def rank(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        """Count notes, then give those that wait for it their level by share, in order."""
        waiting = [one for one in outcomes if isinstance(one, Anonymized) and one.ranking]
        for one in waiting:
            assert one.ranking is not None  # noqa: S101 - chosen above
            group = self.groups.setdefault(one.ranking.group, GroupCounts())
            group.add(one.ranking, find_bin(one.risk))
        found: dict[Ranking, Mapping[str, BinCuts]] = {}
        for ranking in {one.ranking for one in waiting if one.ranking is not None}:
            group = self.groups[ranking.group]
            found[ranking] = group.find_all_cuts(ranking.red_share, ranking.yellow_share)
        return [
            level_by_share(one, found[one.ranking])
            if isinstance(one, Anonymized) and one.ranking
            else one
            for one in outcomes
        ]

    def save(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return the counts as JSON has them, for :meth:`restore`."""
        return {
            name: {
                part: {str(number): notes for number, notes in sorted(counts.items())}
                for part, counts in group.parts.items()
            }
            for name, group in self.groups.items()
        }

    def restore(self, saved: Mapping[str, Mapping[str, Mapping[str, int]]]) -> None:
        """Go on with the counts that :meth:`save` returned."""
        self.groups = {
            name: GroupCounts(
                {
                    part: Counter({int(number): notes for number, notes in counts.items()})
                    for part, counts in parts.items()
                }
            )
            for name, parts in saved.items()
        }
