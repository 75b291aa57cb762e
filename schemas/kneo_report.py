"""What KNEO did with one note, as its output record states it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class DeniabilityReport:
    """The outcome of the attack on the output before it leaves."""

    wanted: int
    """Rank that the policy asks for."""
    jaccard: int
    """Rank of the note's own original among reference notes, by shared words; 1: it is nearest."""
    dense: int
    """The same by the vectors of sentences."""
    of: int
    """Reference notes that it was ranked among."""
    rounds: int
    """How often the output was changed for its sake."""
    redacted: bool = False
    """Whether every sentence was left out because the rank could not be reached."""

    @property
    def reached(self) -> bool:
        """Whether both ranks are at least the wanted one."""
        return min(self.jaccard, self.dense) >= self.wanted


@dataclass(frozen=True, slots=True)
class KneoReport:
    """Counts, shares, ranks and places; no text."""

    units: int
    """Sentences and other lines; of word KNEO words and numbers."""
    replaced: int
    """Units in whose place a sentence of the pool, or a drawn word or number, stands."""
    kept: Mapping[str, int] = field(default_factory=dict[str, int])
    """Units that stay as they were, by their form."""
    withheld: int = 0
    """Units that were dropped or redacted."""
    kept_characters: float = 0.0
    """Share of the characters of units that stand in kept ones, to four digits."""
    donors: int = 0
    """Patients, or notes where donors are chosen by the note, that gave the sentences."""
    anonymity_set: int | None = None
    """How many reference notes the donors were drawn among, for each donor (docs/privacy.md);
    absent where donors are not chosen by the note."""
    deniability: DeniabilityReport | None = None
    """Absent where the policy asks for none."""
    exchanged: tuple[tuple[int, int], ...] = ()
    """``[start, end)`` in code points of the output's text: each sentence of the pool, or each
    drawn word or number; in order, disjoint, ``replaced`` of them."""
