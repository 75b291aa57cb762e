"""Keeps surrogates apart from the originals of their own note."""

from collections.abc import Callable, Mapping

from deidstream.models.keyring import canonical
from deidstream.models.operators.operator import Identity
from deidstream.models.stages import Planned
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote

MOST_PROBES = 12
PERSONS = frozenset({PhiLabel.PATIENT, PhiLabel.DOCTOR})
ONCE = frozenset({"date.shift", "name.letters", "place.code", "phone.ext"})
"""Kinds that a patient has once, or whose surrogates are too short not to recur."""
SMALL_SETS = frozenset({PhiLabel.AGE, PhiLabel.DATE, PhiLabel.STATE, PhiLabel.COUNTRY})
"""Labels of so few values that the surrogate of one is bound to be the original of another."""

Derive = Callable[[RawNote, Identity, PhiLabel, int], str]


def displaced(
    planned: Planned, surrogates: Mapping[Identity, str], derive: Derive
) -> dict[Identity, str]:
    """Derive anew, in this note, each surrogate that is an original of this note.

    The claimed surrogate stays what it is in every other note. What is derived here depends on the
    note alone, so that a replay writes the same.
    """
    originals = _originals(planned)
    return {
        identity: _apart(planned, identity, surrogate, originals, derive)
        for identity, surrogate in surrogates.items()
    }


def _originals(planned: Planned) -> frozenset[str]:
    """Whole mentions, and of persons each word: a street's word is no identifier by itself."""
    wanted = [mention for mention in planned.mentions if mention.label not in SMALL_SETS]
    whole = {canonical(mention.text) for mention in wanted}
    persons = [canonical(mention.text) for mention in wanted if mention.label in PERSONS]
    words = {word for text in persons for word in text.replace(",", " ").split()}
    values = {i.value for i, need in planned.needs.items() if need.label not in SMALL_SETS}
    return frozenset(whole | words | values)


def _apart(
    planned: Planned,
    identity: Identity,
    surrogate: str,
    originals: frozenset[str],
    derive: Derive,
) -> str:
    label = planned.needs[identity].label
    if label in SMALL_SETS or identity.kind in ONCE:
        return surrogate
    probe = 0
    while canonical(surrogate) in originals and probe < MOST_PROBES:
        probe += 1
        surrogate = derive(planned.note, identity, label, probe)
    return surrogate
