"""One span of a note as operators see it, and the keyed draws of its surrogates."""

from dataclasses import dataclass, field
from datetime import date
from enum import Enum, auto

from deidstream.models.date_reading import DateReading
from deidstream.models.keyring import Draw, Keyring, seeded
from deidstream.schemas.label import PhiLabel


class Distinct(Enum):
    """What the surrogate of an identity must differ from."""

    FROM_ALL = auto()
    """The other surrogates of the scope, and the originals of the note."""
    FROM_ORIGINALS = auto()
    """The originals of the note: it is a word that a person may be called by, such as ``Lake``."""
    FROM_NOTHING = auto()
    """Such surrogates are too short or too few not to recur."""


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """What a surrogate replaces: a kind, and the normal form of the original.

    Two identities are equal if their kind and value are.
    """

    kind: str
    """Such as ``name.last``, ``date.shift``, ``id.MEDICALRECORD``; says how to derive."""
    value: str = field(repr=False, default="")
    """Normal form of the original; empty for what a patient has once, such as his date shift."""
    distinct: Distinct = field(repr=False, compare=False, default=Distinct.FROM_ALL)
    """The same for all identities of a kind."""


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
    dates: tuple[DateReading, ...] | None = field(repr=False, default=None)
    """Of a date: how it was read, empty if it cannot be; ``None`` where nobody has read it yet."""


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
