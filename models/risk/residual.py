"""Residual risk: the probability that a direct identifier was overlooked and can be recognised.

Each suspect left in the text (``suspects``) is an identifier with a probability fitted on labelled
notes, and for each mention that was found one without a suspect may have been overlooked, at the
rate measured for its kind (``miss_rates``). A single one is a leak, so the chances of none are
multiplied: ``prod(1 - p_i) * prod((1 - f_t) ** n_t)``. Its logarithm, negated, is the number of
leaks to expect, which is corrected by what the whole note tells (``note_evidence``). Of the leaks
those count that a reader can tell from what stands in the places of the others: ``p * e`` in the
place of ``p``, with ``e = 1`` beside labels.

Source: Scaiano et al., J Biomed Inform 63 (2016) 174: direct identifiers leak all or nothing. The
product form and the bounds are this project's.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from deidstream.models.records import Detected, Substituted
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.measured import Measured, rank_reasons
from deidstream.models.risk.miss_rates import ResidualTable, Sight
from deidstream.models.risk.note_evidence import gather_evidence
from deidstream.models.risk.suspects import Suspect, SuspectKind, find_suspects
from deidstream.schemas.label import LABELS, PERSONS, PhiLabel, is_direct
from deidstream.schemas.policy import OperatorName, Policy, Profile, RecognizerName

_DIGITS: Final = 4
_REASONS: Final = 3
TOLD_APART: Final = 0.68
"""Probability that an attacker tells a leftover original from surrogates around it: the recall of
the parrot attack (Carrell et al., JAMIA 27(9), 2020, 1374); people reach 0.27."""
SUREST: Final = 1 - 1e-6
"""Highest probability of a suspect: of one that is certain the logarithm has no value."""
_UNSEEN = "UNSEEN_IDENTIFIER"
_SUSPECTED = "POSSIBLE_IDENTIFIER"
_LABEL_OF_KIND = {
    SuspectKind.NAME: PhiLabel.PATIENT,
    SuspectKind.NUMBER: PhiLabel.MEDICALRECORD,
}
"""Whose surrogates a leftover of a kind hides among."""


class _Chance(NamedTuple):
    """What may have been overlooked."""

    code: str
    leaks: float
    """The probability that it was."""
    told: float
    """The probability that it can be told from surrogates."""
    times: int = 1
    """How many there are of it."""


@dataclass(frozen=True, slots=True)
class WeighedSuspect:
    """A suspect, and the probability that it is a direct identifier."""

    suspect: Suspect
    chance: float


@dataclass(frozen=True, slots=True)
class ResidualRisk:
    """Residual risk under one policy."""

    policy: Policy
    table: ResidualTable = field(repr=False)

    def measure(self, item: Substituted, left: LeftWords) -> Measured:
        """Measure one note as it would be emitted, with the words that are left of it."""
        leaks = told = 0.0
        weights: defaultdict[str, float] = defaultdict(float)
        for chance in self._list_chances(item, left):
            missed = min(chance.leaks, SUREST)
            leaks -= chance.times * math.log1p(-missed)
            told -= chance.times * math.log1p(-missed * chance.told)
            weights[chance.code] += 1 - (1 - chance.leaks * chance.told) ** chance.times
        if not leaks:
            return Measured(0.0)
        evidence = gather_evidence(item.planned.detected)
        expected = self.table.corrections[self._sight].correct(leaks, evidence)
        value = -math.expm1(-expected * told / leaks)
        return Measured(round(value, _DIGITS), rank_reasons(weights, _REASONS))

    def weigh_suspects(self, detected: Detected) -> Iterator[WeighedSuspect]:
        """Yield the suspects of a note in the order of its text."""
        for suspect in find_suspects(detected, self.policy.allow):
            yield WeighedSuspect(suspect, self.table.probability(suspect.evidence, self._sight))

    def _list_chances(self, item: Substituted, left: LeftWords) -> Iterator[_Chance]:
        """Yield what may have been overlooked."""
        detected = item.planned.detected
        sight = self._sight
        for weighed in self.weigh_suspects(detected):
            suspect = weighed.suspect
            if left.hold(suspect.text):
                told = self._told_apart(_LABEL_OF_KIND[suspect.kind])
                yield _Chance(f"{_SUSPECTED}:{suspect.kind}", weighed.chance, told)
        mentions = Counter(span.label for span in detected.spans if is_direct(span.label))
        if not any(label in mentions for label in PERSONS):
            # A note names its patient or its author, or somebody overlooked them.
            mentions[PhiLabel.PATIENT] = 1
        share = left.share
        for label in sorted(mentions):
            group = LABELS[label].group
            missed = self.table.miss_rate(group, sight) * share
            told = self._told_apart(label)
            yield _Chance(f"{_UNSEEN}:{group.name}", missed, told, mentions[label])

    @property
    def _sight(self) -> Sight:
        if RecognizerName.TAGGER not in self.policy.recognizers:
            return Sight.RULES
        precise = self.policy.detection.profile is Profile.PRECISE
        return Sight.PRECISE if precise else Sight.TAGGER

    def _told_apart(self, label: PhiLabel) -> float:
        invented = self.policy.operators[label] is OperatorName.SURROGATE
        return TOLD_APART if invented else 1.0
