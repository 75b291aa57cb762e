"""Decide whether a neighbour contradicts the sentence that it is to replace.

What is compared is what a clinician would act on. A neighbour may say less than the original, since
that is what KNEO is for; it may not say the opposite, nor state what the original does not.
"""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Final

from deidstream.models.kneo.guards.cues import (
    ACTIONS,
    CHANGES,
    FINDINGS,
    NEGATED,
    NOT_TAKEN,
    SEXES,
    SIDES,
    TAKEN,
)
from deidstream.models.kneo.guards.features import Features
from deidstream.schemas.kneo_policy import Guard


def contradicts(own: Features, theirs: Features, guards: Collection[Guard]) -> bool:
    """Return whether any of the guards refuses a neighbour.

    Args:
        own: Features of the sentence that is to be replaced.
        theirs: Features of the neighbour.
        guards: Those that the policy names.
    """
    return any(_REFUSES[guard](own, theirs) for guard in guards)


def _differs_in_negation(own: Features, theirs: Features) -> bool:
    if (own.cues ^ theirs.cues) & NEGATED:
        return True
    return not (own.negated.isdisjoint(theirs.affirmed) and own.affirmed.isdisjoint(theirs.negated))


def _brings_side(own: Features, theirs: Features) -> bool:
    return bool(theirs.cues & ~own.cues & SIDES)


def _brings_sex(own: Features, theirs: Features) -> bool:
    return bool(theirs.cues & ~own.cues & SEXES)


def _brings_number(own: Features, theirs: Features) -> bool:
    return not theirs.numbers <= own.numbers


def _brings_drug_or_turns_action(own: Features, theirs: Features) -> bool:
    if not theirs.drugs <= own.drugs:
        return True
    if theirs.drugs:
        return bool((own.cues ^ theirs.cues) & ACTIONS)
    return _turns(own, theirs, TAKEN, NOT_TAKEN) or _turns(own, theirs, NOT_TAKEN, TAKEN)


def _turns(own: Features, theirs: Features, one: int, other: int) -> bool:
    """Return whether only ``one`` is said, and the neighbour says only ``other``."""
    said, told = own.cues & (one | other), theirs.cues & (one | other)
    return bool(said and told) and not (said & other or told & one)


def _brings_finding(own: Features, theirs: Features) -> bool:
    return bool(theirs.cues & ~own.cues & FINDINGS)


def _brings_change(own: Features, theirs: Features) -> bool:
    return bool(theirs.cues & ~own.cues & CHANGES)


_REFUSES: Final[Mapping[Guard, Callable[[Features, Features], bool]]] = MappingProxyType(
    {
        Guard.NEGATION: _differs_in_negation,
        Guard.LATERALITY: _brings_side,
        Guard.SEX: _brings_sex,
        Guard.NUMBERS: _brings_number,
        Guard.DRUGS: _brings_drug_or_turns_action,
        Guard.CHANGE: _brings_change,
        Guard.FINDINGS: _brings_finding,
    }
)
