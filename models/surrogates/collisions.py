"""Redraw the surrogates of a note that collide with its originals or with each other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from deidstream.models.keyring import canonical
from deidstream.models.mention import Distinct, Identity, Mention
from deidstream.models.records import Planned, ScopedIdentity
from deidstream.models.surrogates.allocation import PROBES
from deidstream.models.surrogates.scopes import written_forms
from deidstream.schemas.label import FEW_VALUES, PERSONS, PhiLabel

MOST_REDRAWS = 12

DeriveAt = Callable[[ScopedIdentity, int], str]
"""Returns one draw of an identity, by its number."""


def is_distinct(identity: Identity, label: PhiLabel) -> bool:
    """Return whether a surrogate must differ from all others of its scope and from originals.

    An identity without a value, such as the date shift of a patient, occurs once in its scope and
    has nothing to differ from.
    """
    if not identity.value or label in FEW_VALUES:
        return False
    return identity.distinct is Distinct.FROM_ALL


def spelled_words(mention: Mention) -> list[str]:
    """Return the words of a person's name as they are written.

    An identity holds the normal form of a name only, yet its spelling could become a surrogate.
    """
    if mention.label not in PERSONS:
        return []
    words = _split_words(canonical(mention.text))
    return [word for word in words if word.isalpha() and len(word) > 1]


def redraw_collisions(
    planned: Planned, drawn: Mapping[ScopedIdentity, str], derive: DeriveAt
) -> dict[ScopedIdentity, str]:
    """Return the surrogates of a note, those redrawn that are originals of the same note.

    The store keeps its surrogate for every other note. What is drawn here depends on the note
    alone, so a replay writes the same. In a scope that lies within the note, which the store does
    not know, surrogates are also redrawn until they differ from each other.

    Args:
        planned: The note.
        drawn: The surrogate of each identity, from the store or from its first draw.
        derive: Derives further draws.
    """
    originals, taken = _Originals.of_note(planned), _TakenForms()
    written = dict(drawn)
    ordered = sorted(drawn, key=ScopedIdentity.sorting_key)
    distinct = [s for s in ordered if is_distinct(s.identity, planned.needs[s].label)]
    colliding = {s for s in distinct if originals.contain(s, drawn[s])}
    for scoped in distinct:
        if not scoped.scope.within_note and scoped not in colliding:
            taken.add(scoped, drawn[scoped])
    for scoped in distinct:
        surrogate, local = drawn[scoped], scoped.scope.within_note
        if scoped in colliding or (local and taken.contain(scoped, surrogate)):
            # The store may give the draws up to PROBES to others.
            first = 1 if local else PROBES + 1
            written[scoped] = _draw_free(scoped, first, derive, originals, taken)
        elif not local:
            continue  # taken already
        taken.add(scoped, written[scoped])
    for scoped in ordered:
        only_from_originals = scoped.identity.distinct is Distinct.FROM_ORIGINALS
        if only_from_originals and originals.contain(scoped, drawn[scoped]):
            written[scoped] = _draw_free(scoped, 1, derive, originals, _TakenForms())
    return written


def _draw_free(
    scoped: ScopedIdentity,
    first: int,
    derive: DeriveAt,
    originals: "_Originals",
    taken: "_TakenForms",
) -> str:
    """Return the first draw from number ``first`` on that collides with nothing.

    If ``MOST_REDRAWS`` draws all collide, the last of them is returned though it collides: the note
    then holds nearly all of the pool, and no draw of it would be better.
    """
    surrogate = ""
    for number in range(first, first + MOST_REDRAWS):
        surrogate = derive(scoped, number)
        if not originals.contain(scoped, surrogate) and not taken.contain(scoped, surrogate):
            return surrogate
    return surrogate


@dataclass(frozen=True, slots=True)
class _TakenForms:
    """The forms of surrogates that are already written in the note, by scope."""

    forms: set[tuple[bytes, str]] = field(default_factory=set[tuple[bytes, str]], repr=False)
    """The digest of the scope, whose hash is computed once, and the form."""

    def add(self, scoped: ScopedIdentity, surrogate: str) -> None:
        self.forms.update(_scoped_forms(scoped, surrogate))

    def contain(self, scoped: ScopedIdentity, surrogate: str) -> bool:
        return not self.forms.isdisjoint(_scoped_forms(scoped, surrogate))


def _scoped_forms(scoped: ScopedIdentity, surrogate: str) -> set[tuple[bytes, str]]:
    return {(scoped.scope.digest, form) for form in written_forms(scoped.identity, surrogate)}


@dataclass(frozen=True, slots=True)
class _Originals:
    """The originals of a note that a surrogate can be mistaken for."""

    texts: frozenset[str] = field(repr=False)
    """Normal forms of whole mentions and of the values of identities."""
    words: frozenset[str] = field(repr=False)
    """Words of persons, and cities of one word: one word of a street identifies no person."""

    @classmethod
    def of_note(cls, planned: Planned) -> "_Originals":
        texts, words = set[str](), set[str]()
        for scoped, needing in planned.needs.items():
            if needing.label not in FEW_VALUES:
                texts.add(scoped.identity.value)
        for mention in (each.mention for each in planned.mentions):
            text = canonical(mention.text)
            if mention.label not in FEW_VALUES:
                texts.add(text)
            if _identifies_by_words(mention):
                words.update(_split_words(text))
        return cls(frozenset(texts), frozenset(words))

    def contain(self, scoped: ScopedIdentity, surrogate: str) -> bool:
        forms = written_forms(scoped.identity, surrogate)
        if not self.texts.isdisjoint(forms):
            return True
        return any(not self.words.isdisjoint(_split_words(form)) for form in forms)


def _identifies_by_words(mention: Mention) -> bool:
    if mention.label is PhiLabel.CITY:
        return len(_split_words(mention.text)) == 1
    return mention.label in PERSONS


def _split_words(text: str) -> list[str]:
    return text.replace(",", " ").replace("-", " ").split()
