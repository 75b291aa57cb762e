"""The part of a policy about risk: which measures count, from where on, and what red does."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from annotated_types import Interval

from deidstream.schemas.outcome import LevelCuts, RiskLevel


class RiskMeasure(StrEnum):
    """What is measured of a de-identified note."""

    CONTEXT_UNIQUENESS = "context-uniqueness"
    """Share of the replaced spans whose context no reference context resembles (DeIDClinic)."""
    RESIDUAL = "residual"
    """Probability that a direct identifier was overlooked and can be told from surrogates."""
    QUASI = "quasi"
    """Load of what singles a person out in combination: rare words, and facts that stay true."""
    LINKAGE = "linkage"
    """Probability that who holds the originals finds the note's own by its wording."""


class Adversary(StrEnum):
    """Whom the risk level is about."""

    HOLDS_NO_ORIGINALS = "holds-no-originals"
    """A reader of the outputs: ``residual`` and ``quasi`` count."""
    HOLDS_ORIGINALS = "holds-originals"
    """One who has the original notes, or many of them, and wants to know which output is whose:
    ``linkage`` counts too."""


MEASURES_OF = {
    Adversary.HOLDS_NO_ORIGINALS: (RiskMeasure.RESIDUAL, RiskMeasure.QUASI),
    Adversary.HOLDS_ORIGINALS: (RiskMeasure.RESIDUAL, RiskMeasure.QUASI, RiskMeasure.LINKAGE),
}
"""The measures that count against each adversary, where a policy names none."""
THRESHOLDS_OF = {
    RiskMeasure.CONTEXT_UNIQUENESS: ("yellow", "red"),
    RiskMeasure.RESIDUAL: ("residual_yellow", "residual"),
    RiskMeasure.QUASI: ("quasi_yellow", "quasi"),
    RiskMeasure.LINKAGE: ("linkage_yellow", "linkage"),
}
"""The keys of ``[risk]`` that say where yellow and red begin."""
KEYS_OF = {
    RiskMeasure.CONTEXT_UNIQUENESS: ("similarity", "yellow", "red", "window_words"),
    RiskMeasure.RESIDUAL: THRESHOLDS_OF[RiskMeasure.RESIDUAL],
    RiskMeasure.QUASI: THRESHOLDS_OF[RiskMeasure.QUASI],
    RiskMeasure.LINKAGE: THRESHOLDS_OF[RiskMeasure.LINKAGE],
}
"""The keys of ``[risk]`` that have an effect only if one measure counts. ``population`` has one
always: ``quasi`` is measured of every note."""


_YELLOW_OF_RED = 0.65
"""Where yellow begins, as a share of where red does; docs/risk.md has how many notes are yellow."""


class RedAction(StrEnum):
    """Where a note with risk level red goes."""

    EMIT = "emit"
    QUARANTINE = "quarantine"
    STRENGTHEN = "strengthen"
    """It is made again by the stronger technique and assessed again."""


class StrongerTechnique(StrEnum):
    """What a red note is made again by."""

    REDACT = "redact"
    """Whatever any recognizer finds, however unsure it is, becomes its label."""
    KNEO_SENTENCES = "kneo-sentences"
    """Its sentences are exchanged too."""
    KNEO_NOTES = "kneo-notes"
    """Its sentences are exchanged for those of few notes that resemble it."""
    KNEO_WORDS = "kneo-words"
    """Its words are exchanged too."""


_YELLOW_OF_RED_SHARE = 3
"""How many times as many notes are yellow as are red, under levels by share."""

_Share = Annotated[float, Interval(ge=0.0, le=1.0)]


@dataclass(frozen=True, slots=True)
class RiskPolicy:
    """Which measures make the risk level, their thresholds, and what is done with a red note."""

    adversary: Adversary = Adversary.HOLDS_NO_ORIGINALS
    """Says which measures count where ``measures`` names none."""
    measures: tuple[RiskMeasure, ...] = ()
    """The measures that count, in place of those of the adversary; the level is the worst."""
    residual: _Share = 0.2
    """Probability of an overlooked direct identifier from which a note is red. docs/risk.md says
    how many are; for a release to the public EMA Policy 0070 and Health Canada ask for 0.09."""
    residual_yellow: _Share | None = None
    """Where yellow begins; 0.65 of where red does, if it is not given."""
    quasi: _Share = 0.2
    """Load of quasi-identifiers from which a note is red."""
    quasi_yellow: _Share | None = None
    """Where yellow begins; 0.65 of where red does, if it is not given."""
    linkage: _Share = 0.09
    """Probability of being found again from which a note is red."""
    linkage_yellow: _Share | None = None
    """Where yellow begins; 0.65 of where red does, if it is not given."""
    population: Annotated[int, Interval(ge=1, le=10_000_000_000)] = 1_000_000
    """People among whom the patient is looked for, for ``quasi``."""
    similarity: Annotated[float, Interval(ge=-1.0, le=1.0)] = 0.5
    """A context with no reference context at least this similar (cosine) is unique."""
    yellow: _Share = 0.25
    """Share of unique contexts from which a note is yellow."""
    red: _Share = 0.5
    """Share of unique contexts above which a note is red."""
    red_share: Annotated[float, Interval(ge=0.0001, le=0.5)] | None = None
    """The share of notes that are red on their records, the worst ones; if it is not given, the
    thresholds decide. 0.05: the worst twentieth of each note type."""
    yellow_share: Annotated[float, Interval(ge=0.0, le=1.0)] | None = None
    """The share that is yellow, beside those that are red; 3 times ``red_share``, if it is not
    given."""
    on_red: RedAction = RedAction.EMIT
    """What is done with a note that reaches a threshold of red, whatever ``red_share`` is."""
    stronger: StrongerTechnique = StrongerTechnique.REDACT
    """Used where ``on_red`` is ``strengthen``."""
    still_red: Literal[RedAction.EMIT, RedAction.QUARANTINE] = RedAction.QUARANTINE
    """What is done with a note that is red after that."""
    window_words: Annotated[int, Interval(ge=1, le=50)] = 5
    """Words of context on either side, for ``context-uniqueness``."""

    @property
    def counted(self) -> tuple[RiskMeasure, ...]:
        """The measures that make the level."""
        return self.measures or MEASURES_OF[self.adversary]

    @property
    def unused_keys(self) -> Mapping[str, str]:
        """The keys that nothing reads, each with when they have no effect."""
        unused: dict[str, str] = {}
        if self.measures:
            unused["adversary"] = "beside risk.measures, which name what counts"
        for measure, keys in KEYS_OF.items():
            if measure not in self.counted:
                unused |= dict.fromkeys(keys, f"unless {measure} counts: see risk.measures")
        if self.red_share is None:
            unused["yellow_share"] = "unless risk.red_share is given"
        if self.on_red is not RedAction.STRENGTHEN:
            unused |= dict.fromkeys(("stronger", "still_red"), 'unless risk.on_red is "strengthen"')
        return unused

    @property
    def shares(self) -> tuple[float, float] | None:
        """The shares of notes that are red and yellow; ``None``: thresholds decide."""
        if self.red_share is None:
            return None
        if self.yellow_share is not None:
            return self.red_share, self.yellow_share
        return self.red_share, min(1 - self.red_share, _YELLOW_OF_RED_SHARE * self.red_share)

    def level(self, share: float) -> RiskLevel:
        """Level of a share of unique contexts: green below ``yellow``, red above ``red``."""
        if share > self.red:
            return RiskLevel.RED
        return RiskLevel.YELLOW if share >= self.yellow else RiskLevel.GREEN

    def red_from(self, measure: RiskMeasure) -> float:
        """Return the value of a measure from which a note is red; of contexts, above which."""
        return {
            RiskMeasure.CONTEXT_UNIQUENESS: self.red,
            RiskMeasure.RESIDUAL: self.residual,
            RiskMeasure.QUASI: self.quasi,
            RiskMeasure.LINKAGE: self.linkage,
        }[measure]

    def yellow_from(self, measure: RiskMeasure) -> float:
        """Return the value of a measure from which a note is yellow."""
        given = {
            RiskMeasure.CONTEXT_UNIQUENESS: self.yellow,
            RiskMeasure.RESIDUAL: self.residual_yellow,
            RiskMeasure.QUASI: self.quasi_yellow,
            RiskMeasure.LINKAGE: self.linkage_yellow,
        }[measure]
        return self.red_from(measure) * _YELLOW_OF_RED if given is None else given

    def cuts_of(self, measure: RiskMeasure) -> LevelCuts:
        """Return the thresholds of a measure."""
        return LevelCuts(self.yellow_from(measure), self.red_from(measure))

    @property
    def crossed(self) -> tuple[RiskMeasure, ...]:
        """The measures whose yellow would begin behind their red."""
        return tuple(one for one in RiskMeasure if self.yellow_from(one) > self.red_from(one))

    def level_of(self, measure: RiskMeasure, value: float) -> RiskLevel:
        """Level of a measure by its two thresholds; a value that reaches one has its level."""
        if measure is RiskMeasure.CONTEXT_UNIQUENESS:
            return self.level(value)
        if value >= self.red_from(measure):
            return RiskLevel.RED
        return RiskLevel.YELLOW if value >= self.yellow_from(measure) else RiskLevel.GREEN
