"""What guards read of a sentence: computed once, compared as integers."""

from dataclasses import dataclass, field
from typing import Final

from deidstream.models.kneo.guards.cues import NEGATED, read_cues
from deidstream.models.kneo.guards.drugs import find_drugs
from deidstream.models.kneo.guards.negation import find_cues, split_by_negation
from deidstream.models.kneo.guards.numbers import read_numbers
from deidstream.models.kneo.guards.tokens import codes_of_terms, tokens_of

NOTHING: Final = frozenset[int]()


@dataclass(frozen=True, slots=True)
class Features:
    """What a sentence says of the things that guards compare; terms by their codes."""

    cues: int = 0
    """Bits of ``Cue``."""
    numbers: frozenset[int] = field(default=NOTHING, repr=False)
    """Values with units."""
    drugs: frozenset[int] = field(default=NOTHING, repr=False)
    negated: frozenset[int] = field(default=NOTHING, repr=False)
    """Words in the scope of a negation."""
    affirmed: frozenset[int] = field(default=NOTHING, repr=False)
    """The other words."""


def read_features(text: str) -> Features:
    """Read the features of a sentence, in time linear in its length."""
    tokens = tokens_of(text)
    denials = find_cues(tokens)
    negated, affirmed = split_by_negation(tokens, denials)
    return Features(
        read_cues(tokens) | (NEGATED if denials else 0),
        codes_of_terms(set(read_numbers(tokens))),
        codes_of_terms(set(find_drugs(tokens))),
        codes_of_terms(negated),
        codes_of_terms(affirmed),
    )
