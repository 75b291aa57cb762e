"""Keeps surrogates apart from the originals of their own note."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
    originals = _Originals.of(planned)
    return {
        identity: _apart(planned, identity, surrogate, originals, derive)
        for identity, surrogate in surrogates.items()
    }


@dataclass(frozen=True, slots=True)
class _Originals:
    whole: frozenset[str]
    words: frozenset[str]
    """Of persons: a street's word is no identifier by itself."""

    @classmethod
    def of(cls, planned: Planned) -> "_Originals":
        wanted = [mention for mention in planned.mentions if mention.label not in SMALL_SETS]
        whole = {canonical(mention.text) for mention in wanted}
        persons = [canonical(mention.text) for mention in wanted if mention.label in PERSONS]
        values = {i.value for i, need in planned.needs.items() if need.label not in SMALL_SETS}
        return cls(
            frozenset(whole | values), frozenset(w for text in persons for w in _words(text))
        )

    def hold(self, surrogate: str) -> bool:
        text = canonical(surrogate)
        return text in self.whole or not self.words.isdisjoint(_words(text))


def _words(text: str) -> list[str]:
    return text.replace(",", " ").replace("-", " ").split()


def _apart(
    planned: Planned,
    identity: Identity,
    surrogate: str,
    originals: _Originals,
    derive: Derive,
) -> str:
    label = planned.needs[identity].label
    if label in SMALL_SETS or identity.kind in ONCE:
        return surrogate
    probe = 0
    while originals.hold(surrogate) and probe < MOST_PROBES:
        probe += 1
        surrogate = derive(planned.note, identity, label, probe)
    return surrogate
