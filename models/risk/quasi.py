"""Quasi-identifiers left: facts that stay true in an output, and words that few notes hold.

Two loads are joined: ``1 - (1 - match) * (1 - rare)``.

- ``match``: one over the expected number of people of the population who share the facts that the
  policy leaves true (an age, a year, three digits of a ZIP code), each taken as independent of the
  others (R4 of the literature: prosecutor risk). So is what the text tells of a person whom others
  know (``told_facts``): a public person, an event in the news, a rare disease. So is a whole date
  that a recognizer saw and that stays beside dates that moved: it also gives their shift away.
- ``rare``: the share of the note's own words in the output that neither the word lists of the
  package nor two of the reference notes hold: rare diseases and events, brands, misspellings (after
  Lison and Anderson, arXiv 2510.06383, for runs of words).
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from deidstream.models.phi.dates.date_forms import whole_date_forms
from deidstream.models.phi.not_phi import clinical_terms, common_words
from deidstream.models.records import Substituted
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.measured import Measured, rank_reasons
from deidstream.models.risk.told_facts import SHARES as SHARES_TOLD
from deidstream.models.risk.told_facts import ToldFact, ToldKind, find_told_facts
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName, Policy

_DIGITS: Final = 4
_REASONS: Final = 3
_LETTERS: Final = 3
"""Shorter words are abbreviations, of which every note has its own."""
_RARE = "RARE_WORDS"
_KEPT = "TRUE_FACT"
_TOLD = "TOLD_FACT"

_MOVING = frozenset({OperatorName.SHIFT, OperatorName.RELATIVE})
_KEEP, _COARSER = OperatorName.KEEP, OperatorName.GENERALISE
SHARES: Mapping[tuple[OperatorName, PhiLabel], float] = MappingProxyType(
    {
        (_KEEP, PhiLabel.AGE): 1 / 80,
        (_COARSER, PhiLabel.AGE): 1 / 80,
        (_KEEP, PhiLabel.DATE): 1 / 3650,
        (_COARSER, PhiLabel.DATE): 1 / 10,
        (_KEEP, PhiLabel.ZIP): 1 / 40_000,
        (_COARSER, PhiLabel.ZIP): 1 / 900,
        (_KEEP, PhiLabel.CITY): 1 / 5_000,
        (_COARSER, PhiLabel.CITY): 1 / 50,
        (_KEEP, PhiLabel.STATE): 1 / 50,
        (_KEEP, PhiLabel.COUNTRY): 1 / 20,
        (_KEEP, PhiLabel.LOCATION_OTHER): 1 / 2_000,
        (_KEEP, PhiLabel.PROFESSION): 1 / 300,
        (_KEEP, PhiLabel.HOSPITAL): 1 / 5_000,
        (_KEEP, PhiLabel.ORGANIZATION): 1 / 10_000,
    }
)
"""Share of people whom one true fact fits: orders of magnitude for the United States. A day is one
of ten years, a year one of ten, and an age one of 80."""


@dataclass(frozen=True, slots=True)
class QuasiLoad:
    """The load of quasi-identifiers under one policy."""

    policy: Policy
    is_held: Callable[[str], bool]
    """Whether several reference notes hold a folded word."""

    def measure(self, item: Substituted, left: LeftWords) -> Measured:
        """Measure one note as it would be emitted, with the words that are left of it."""
        facts = {f"{_KEPT}:{label}": share for label, share in self._list_facts(item, left)}
        facts |= {f"{_TOLD}:{told.kind}": SHARES_TOLD[told.kind] for told in list_told(item, left)}
        people = self.policy.risk.population * math.prod(facts.values())
        match = 1 / max(1.0, people) if facts else 0.0
        rare = self._find_rare_share(left)
        weights = {code: -math.log(share) for code, share in facts.items()}
        total = sum(weights.values())
        told = {code: match * weight / total for code, weight in weights.items()}
        value = 1 - (1 - match) * (1 - rare)
        return Measured(round(value, _DIGITS), rank_reasons(told | {_RARE: rare}, _REASONS))

    def _list_facts(self, item: Substituted, left: LeftWords) -> Iterator[tuple[PhiLabel, float]]:
        """Yield each label with a fact that stays true, and whom the fact fits."""
        if self.policy.operators[PhiLabel.DATE] in _MOVING and _holds_left_date(item, left):
            yield PhiLabel.DATE, SHARES[_KEEP, PhiLabel.DATE]
        for one in item.replacements:
            known = one.operator in {_KEEP, _COARSER} and not one.text.startswith("[")
            if known and (share := SHARES.get((OperatorName(one.operator), one.span.label))):
                band = self.policy.ages.band if one.span.label is PhiLabel.AGE else 0
                yield one.span.label, share * max(1, band)

    def _find_rare_share(self, left: LeftWords) -> float:
        common, clinical = common_words(), clinical_terms()
        counted = rare = 0
        for word, count in left.written.items():
            if len(word) >= _LETTERS and word.isalpha():
                counted += count
                if not (word in common or word in clinical or self.is_held(word)):
                    rare += left.kept[word]
        return rare / max(1, counted)


def list_told(item: Substituted, left: LeftWords) -> Iterator[ToldFact]:
    """Yield what the text tells of its person that the output tells too, by its places there."""
    text = item.planned.note.text
    for told in find_told_facts(text):
        touched = {
            one.operator
            for one in item.replacements
            if one.span.start < told.end and told.start < one.span.end
        }
        # A profession that a recognizer saw and that is kept is a true fact already.
        kept = touched == {_KEEP} and told.kind is not ToldKind.OCCUPATION
        if kept or (not touched and left.hold(text[told.start : told.end])):
            yield told


def _holds_left_date(item: Substituted, left: LeftWords) -> bool:
    """Return whether a whole date stays that a recognizer saw, among those that were moved."""
    text = item.planned.note.text
    doubts = [doubt for doubt in item.planned.detected.doubts if doubt.label is PhiLabel.DATE]
    written = [text[doubt.start : doubt.end] for doubt in doubts]
    return any(left.hold(each) and whole_date_forms(each, ()) for each in written)
