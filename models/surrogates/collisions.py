"""Keeps surrogates apart within their note: from its originals, and from each other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from deidstream.models.keyring import canonical
from deidstream.models.mention import Distinct, Identity, Mention
from deidstream.models.records import Planned, Realm, Scoped
from deidstream.models.surrogates.allocation import PROBES
from deidstream.models.surrogates.scopes import forms
from deidstream.schemas.label import FEW_VALUES, PERSONS, PhiLabel

MOST_PROBES = 12

Derive = Callable[[Scoped, int], str]
"""A draw of an identity, by its number."""


def is_distinct(identity: Identity, label: PhiLabel) -> bool:
    """Tell whether a surrogate must be nobody else's, and nobody's original.

    What a scope has once, such as a date shift, has no value; it need not be told from others.
    """
    everything = identity.distinct is Distinct.FROM_ALL
    return bool(identity.value) and label not in FEW_VALUES and everything


def spelled(mention: Mention) -> list[str]:
    """The words of a person's name as they are written: a spelling is no identity's normal form,
    but may well be a surrogate.
    """  # noqa: D205
    wanted = _words(canonical(mention.text)) if mention.label in PERSONS else []
    return [word for word in wanted if word.isalpha() and len(word) > 1]


def displaced(planned: Planned, drawn: Mapping[Scoped, str], derive: Derive) -> dict[Scoped, str]:
    """Draw anew, in this note, each surrogate that is an original of this note.

    What the store keeps stays what it is in every other note. What is drawn here depends on the
    note alone, so that a replay writes the same. Within a scope that one note holds, surrogates
    are told apart here too.
    """
    originals, taken = _Originals.of(planned), _Taken()
    settled = dict(drawn)
    wanted = [s for s in sorted(drawn) if is_distinct(s.identity, planned.needs[s])]
    for scoped in wanted:
        if not scoped.realm.alone and not originals.hold(scoped, drawn[scoped]):
            taken.add(scoped, drawn[scoped])
    for scoped in wanted:
        alone = scoped.realm.alone
        if originals.hold(scoped, drawn[scoped]) or (alone and taken.holds(scoped, drawn[scoped])):
            first = 1 if alone else PROBES + 1
            settled[scoped] = _apart(scoped, first, originals, taken, derive)
        taken.add(scoped, settled[scoped])
    for scoped in (s for s in sorted(drawn) if s.identity.distinct is Distinct.FROM_ORIGINALS):
        if originals.hold(scoped, drawn[scoped]):
            settled[scoped] = _apart(scoped, 1, originals, _Taken(), derive)
    return settled


def _apart(
    scoped: Scoped, first: int, originals: "_Originals", taken: "_Taken", derive: Derive
) -> str:
    surrogate = ""
    for probe in range(first, first + MOST_PROBES):
        surrogate = derive(scoped, probe)
        if not originals.hold(scoped, surrogate) and not taken.holds(scoped, surrogate):
            break
    return surrogate


@dataclass(frozen=True, slots=True)
class _Taken:
    written: set[tuple[Realm, str]] = field(default_factory=set[tuple[Realm, str]])

    def add(self, scoped: Scoped, surrogate: str) -> None:
        self.written.update(_placed(scoped, surrogate))

    def holds(self, scoped: Scoped, surrogate: str) -> bool:
        return not self.written.isdisjoint(_placed(scoped, surrogate))


def _placed(scoped: Scoped, surrogate: str) -> set[tuple[Realm, str]]:
    return {(scoped.realm, form) for form in forms(scoped.identity, surrogate)}


@dataclass(frozen=True, slots=True)
class _Originals:
    whole: frozenset[str]
    words: frozenset[str]
    """Of persons, and cities of one word: a street's word is no identifier by itself."""

    @classmethod
    def of(cls, planned: Planned) -> "_Originals":
        wanted = [mention for mention in planned.mentions if mention.label not in FEW_VALUES]
        whole = {canonical(mention.text) for mention in wanted}
        named = [canonical(mention.text) for mention in wanted if _is_worded(mention)]
        values = {s.identity.value for s, label in planned.needs.items() if label not in FEW_VALUES}
        return cls(frozenset(whole | values), frozenset(w for text in named for w in _words(text)))

    def hold(self, scoped: Scoped, surrogate: str) -> bool:
        if not self.whole.isdisjoint(forms(scoped.identity, surrogate)):
            return True
        return not self.words.isdisjoint(_words(canonical(surrogate)))


def _is_worded(mention: Mention) -> bool:
    city = mention.label is PhiLabel.CITY and len(_words(mention.text)) == 1
    return city or mention.label in PERSONS


def _words(text: str) -> list[str]:
    return text.replace(",", " ").replace("-", " ").split()
