"""Residual risk: the probability that a direct identifier was overlooked and can be recognised.

Each suspect left in the text (``suspects``) is an identifier with a probability fitted on labelled
notes, and for each mention that was found one without a suspect may have been overlooked, at the
rate measured for its kind (``miss_rates``). A single one is a leak, so the chances of none are
multiplied:
``1 - prod(1 - p_i * e_i) * prod((1 - f_t * e_t) ** n_t)``. Here ``e`` is the probability that a
reader can tell a leftover from what stands in the places of the others: 1 beside labels.

Source: Scaiano et al., J Biomed Inform 63 (2016) 174: direct identifiers leak all or nothing. The
product form and the bounds are this project's.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from deidstream.models.records import Substituted
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.measured import Measured, rank_reasons
from deidstream.models.risk.miss_rates import ResidualTable, Sight
from deidstream.models.risk.suspects import SuspectKind, find_suspects
from deidstream.schemas.label import LABELS, PERSONS, PhiLabel, is_direct
from deidstream.schemas.policy import OperatorName, Policy, RecognizerName

_DIGITS: Final = 4
_REASONS: Final = 3
TOLD_APART: Final = 0.68
"""Probability that an attacker tells a leftover original from surrogates around it: the recall of
the parrot attack (Carrell et al., JAMIA 27(9), 2020, 1374); people reach 0.27."""
_UNSEEN = "UNSEEN_IDENTIFIER"
_SUSPECTED = "POSSIBLE_IDENTIFIER"
_LABEL_OF_KIND = {
    SuspectKind.NAME: PhiLabel.PATIENT,
    SuspectKind.NUMBER: PhiLabel.MEDICALRECORD,
}
"""Whose surrogates a leftover of a kind hides among."""


@dataclass(frozen=True, slots=True)
class ResidualRisk:
    """Residual risk under one policy."""

    policy: Policy
    table: ResidualTable = field(repr=False)

    def measure(self, item: Substituted, left: LeftWords) -> Measured:
        """Measure one note as it would be emitted, with the words that are left of it."""
        odds = [(code, chance * told) for code, chance, told in self._list_chances(item, left)]
        none = math.prod(1 - chance for _, chance in odds)
        weights: defaultdict[str, float] = defaultdict(float)
        for code, chance in odds:
            weights[code] += chance
        return Measured(round(1 - none, _DIGITS), rank_reasons(weights, _REASONS))

    def _list_chances(
        self, item: Substituted, left: LeftWords
    ) -> Iterator[tuple[str, float, float]]:
        """Yield the code, the probability of a leak, and that of its being told apart."""
        detected = item.planned.detected
        sight = self._sight
        for suspect in find_suspects(detected):
            if left.hold(suspect.text):
                chance = self.table.probability(suspect.evidence, sight)
                told = self._told_apart(_LABEL_OF_KIND[suspect.kind])
                yield f"{_SUSPECTED}:{suspect.kind}", chance, told
        mentions = Counter(span.label for span in detected.spans if is_direct(span.label))
        if not any(label in mentions for label in PERSONS):
            # A note names its patient or its author, or somebody overlooked them.
            mentions[PhiLabel.PATIENT] = 1
        share = left.share
        for label in sorted(mentions):
            group = LABELS[label].group
            missed = self.table.miss_rate(group, sight) * share
            chance = 1 - (1 - missed * self._told_apart(label)) ** mentions[label]
            yield f"{_UNSEEN}:{group.name}", chance, 1.0

    @property
    def _sight(self) -> Sight:
        tagged = RecognizerName.TAGGER in self.policy.recognizers
        return Sight.TAGGER if tagged else Sight.RULES

    def _told_apart(self, label: PhiLabel) -> float:
        invented = self.policy.operators[label] is OperatorName.SURROGATE
        return TOLD_APART if invented else 1.0
