"""Which labels of a policy must share a consistency scope, as their surrogates agree."""

from collections.abc import Iterator, Mapping

from deidstream.schemas.label import HANDLES, PERSONS, PhiLabel
from deidstream.schemas.policy import OperatorName, Scope

_ADDRESS = (PhiLabel.CITY, PhiLabel.STATE, PhiLabel.ZIP)
"""Of one address, where the state has moved to."""

Operators = Mapping[PhiLabel, OperatorName]
Scopes = Mapping[PhiLabel, Scope]


def disagreements(
    operators: Operators, scopes: Scopes
) -> Iterator[tuple[tuple[PhiLabel, ...], str]]:
    """Find labels whose surrogates would not agree with those that they are made to agree with.

    A name of one scope is another in another scope: under ``EMAIL = "document"`` the address would
    name somebody whom the note does not know. Only operator ``surrogate`` makes any agree.

    Args:
        operators: Of every label.
        scopes: Of every label.

    Yields:
        The labels concerned, and what is wrong with their scopes.
    """
    drawn = {label for label, operator in operators.items() if operator is OperatorName.SURROGATE}
    persons = tuple(label for label in PhiLabel if label in drawn & PERSONS)
    # A handle is made of the surrogates of the names that it holds.
    for label in (one for one in PhiLabel if one in drawn & HANDLES):
        if persons and scopes[label] not in {scopes[one] for one in persons}:
            yield (label, *persons), f"{label} must be of the scope of {' or '.join(persons)}"
    places = tuple(label for label in _ADDRESS if label in drawn)
    if len({scopes[label] for label in places}) > 1:
        yield places, f"{', '.join(places)} must be of one scope"
