"""What an operator is.

A mention is one span of a note. An operator names the *identities* a mention rests on (a surname, a
patient's date shift, an account number), derives a surrogate for each identity from a keyed draw,
and writes the mention anew from the surrogates of its identities. Two mentions that share an
identity thereby agree, in one note or across notes, whatever their written form.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from deidstream.models.keyring import Draw, Keyring, seeded
from deidstream.schemas.label import PhiLabel


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """What a surrogate stands for: a kind, and the normal form of the original."""

    kind: str
    """Such as ``name.last``, ``date.shift``, ``id.MEDICALRECORD``; says how to derive."""
    value: str = field(repr=False, default="")
    """Normal form of the original; empty for what a patient has once, such as his date shift."""


@dataclass(frozen=True, slots=True)
class NoteYears:
    """What a note says of when it was written and of how old people in it are."""

    authored: int | None = None
    """Year in which the note was written, if it came with it."""
    latest: int | None = None
    """Latest year of its dates; of a note of unknown year the best guess."""
    oldest: float = field(repr=False, default=0)
    """Highest age in it, in years; of whomever."""


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """What the operators need to know of the whole note; computed once from all its mentions."""

    day_first: bool = False
    """Numeric dates are written day before month."""
    language: str | None = None
    years: NoteYears = field(default_factory=NoteYears)
    noted: date | None = field(repr=False, default=None)
    """The note's own date: of its metadata, or the first date of the year it mostly speaks of."""
    unpadded: bool = False
    """Numeric dates are written without leading zeros, ``1/3/24``."""


@dataclass(frozen=True, slots=True)
class Mention:
    """The text of one span."""

    text: str = field(repr=False)
    label: PhiLabel
    facts: NoteFacts = field(default_factory=NoteFacts)
    before: str = field(repr=False, default="")
    """Of a date: the earlier one that a dash, ``to`` or ``and`` joins to it."""
    after: str = field(repr=False, default="")
    """Likewise the later one. Of an age: the characters that follow it."""


@dataclass(frozen=True, slots=True)
class Draws:
    """The keyed draws of one consistency scope, such as one patient."""

    keyring: Keyring
    scope: str = field(repr=False)
    probe: int = 0
    """How many earlier surrogates of the identity had to be passed over."""
    seed: bytes = field(default=b"", repr=False)
    """The identity's own random seed, whose only home is the store; empty: drawn by the key."""
    common: bytes = field(default=b"", repr=False)
    """The random seed that the scope's identities share; empty: drawn by the key."""

    def own(self, identity: "Identity") -> Draw:
        """The stream of one identity; another one for each probe."""
        if self.seed:
            # The value must not come in: what is drawn at random derives from nobody's data.
            return seeded(self.seed, identity.kind, str(self.probe))
        parts = (self.scope, identity.kind, identity.value, str(self.probe))
        return self.keyring.draw("surrogate", *parts)

    def shared(self, purpose: str) -> Draw:
        """A stream that all identities of the scope share, whatever the probe."""
        if self.common:
            return seeded(self.common, purpose)
        return self.keyring.draw("shared:" + purpose, self.scope)


class Operator(Protocol):
    """Replaces mentions of the labels it is given."""

    @property
    def name(self) -> str:
        """What replacements call it."""
        ...

    def identities(self, mention: Mention) -> tuple[Identity, ...]:
        """Name the identities the mention rests on; none when it is replaced without memory."""
        ...

    def derive(self, identity: Identity, draws: Draws) -> str:
        """Derive an identity's surrogate from keyed draws alone; never the identity's own value.

        It must not depend on the note, so that any worker derives the same. Should the surrogate
        be an original of the note, the caller asks again with the next ``probe``.
        """
        ...

    def render(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        """Write the mention anew; ``surrogates`` holds every identity of it."""
        ...
