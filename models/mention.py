"""One span of a note as operators see it, and the keyed draws of its surrogates."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, auto
from types import MappingProxyType
from typing import Any, TypeVar, TypeVarTuple

from deidstream.models.date_reading import DateReading
from deidstream.models.keyring import Draw, Keyring, seed_draw
from deidstream.schemas.label import PhiLabel

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Distinct(Enum):
    """Surrogates and originals that the surrogate of an identity must differ from."""

    FROM_ALL = auto()
    """The other surrogates of the scope, and the originals of the note."""
    FROM_ORIGINALS = auto()
    """The originals of the note: it is a word that may be a person's name, such as ``Lake``."""
    FROM_NOTHING = auto()
    """Such surrogates are too short or too few not to recur."""


@dataclass(frozen=True, slots=True, order=True)
class Identity:
    """The key of a surrogate: a kind, and the normal form of the original.

    Two identities are equal if their kind and value are.
    """

    kind: str
    """Such as ``name.last``, ``date.shift``, ``id.MEDICALRECORD``; says how to derive."""
    value: str = field(repr=False, default="")
    """Normal form of the original; empty for what a patient has once, such as his date shift."""
    distinct: Distinct = field(repr=False, compare=False, default=Distinct.FROM_ALL)
    """The same for all identities of a kind."""

    def __hash__(self) -> int:
        """Hash the value alone, which keeps its hash: hardly two kinds of a note share one."""
        return hash(self.value)


@dataclass(frozen=True, slots=True)
class NoteYears:
    """When a note was written, and how old the people in it are."""

    authored: int | None = None
    """Year in which the note was written, if it came with it."""
    latest: int | None = None
    """Latest year of its dates: the best guess for a note of unknown year."""
    oldest: float = field(repr=False, default=0)
    """Highest age of any person in it, in years."""


@dataclass(frozen=True, slots=True)
class NameUse:
    """How a note uses a name that the lists leave open."""

    given: bool
    """As a given name; else as a surname."""
    sex: str = ""
    """``f`` or ``m``, if the note says so of whom it calls by that given name."""
    people: str = ""
    """Of what people the names beside it are, if it is on no list of a people itself."""
    of: str = field(repr=False, default="")
    """The name of the note that it is a slip, a short form or the plural of."""
    initials: bool = False
    """In capitals it is the initials of a name of the note."""


NameUses = Mapping[str, NameUse]
"""By name, in plain letters."""
NO_USES: NameUses = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class NotedLands:
    """Where a note says that its towns lie."""

    land: str = ""
    """Code of the country in which most of its places lie; empty if nothing tells."""
    towns: Mapping[str, str] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    """By the key of a city of which the lists say nothing or something else: the code of its
    country or, as in ``US.MA``, of its province."""
    states: Mapping[str, str] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    """By the name of a state of which the lists do not say in which country it lies: its code."""


@dataclass(frozen=True, slots=True)
class NoteFacts:
    """Facts about the whole note for the operators; computed once from all its mentions."""

    day_first: bool = False
    """Numeric dates are written day before month."""
    year_after_month: bool = False
    """Two digits alone behind a month's name are its year, ``Mar 24``."""
    language: str | None = field(repr=False, default=None)
    years: NoteYears = field(default_factory=NoteYears)
    noted: date | None = field(repr=False, default=None)
    """The note's own date: of its metadata, or the first date of its most frequent year."""
    days: tuple[date, ...] = field(repr=False, default=())
    """The dates of the note, and of its metadata, that are written with year, month and day."""
    unpadded: bool = False
    """Numeric dates are written without leading zeros, ``1/3/24``."""
    towns: frozenset[str] = field(repr=False, default=frozenset())
    """Keys of its cities, such as ``cut bank``."""
    names: NameUses = field(repr=False, default_factory=lambda: NO_USES)
    """How it uses names that the lists leave open."""
    lands: NotedLands = field(repr=False, default_factory=NotedLands)
    institutions: tuple[str, ...] = field(repr=False, default=())
    """Its institutions that are named by more than one word."""
    codes: Mapping[str, str] = field(repr=False, default_factory=lambda: MappingProxyType({}))
    """Its longest number or code by each shorter form that it may have."""


@dataclass(frozen=True, slots=True)
class Readings:
    """The answers of functions of a text and its note, by function and text.

    The mentions of one note share one, and it is gone with them: it holds text of the note.
    """

    kept: dict[tuple[Callable[..., object], str], Any] = field(
        default_factory=dict[tuple[Callable[..., object], str], Any], repr=False
    )

    def read(self, reader: Callable[[str, *Ts], T], text: str, *facts: *Ts) -> T:
        """Return what ``reader`` returns for a text; it is called once.

        Args:
            reader: A function whose answer depends on its arguments alone and is never changed.
            text: Of a mention.
            facts: Further arguments, the same for all mentions of the note.
        """
        key = (reader, text)
        if key not in self.kept:
            self.kept[key] = reader(text, *facts)
        known: T = self.kept[key]
        return known


@dataclass(frozen=True, slots=True)
class Mention:
    """The text of one span."""

    text: str = field(repr=False)
    label: PhiLabel
    facts: NoteFacts = field(default_factory=NoteFacts)
    before: str = field(repr=False, default="")
    """For dates: the earlier one that a dash, ``to`` or ``and`` joins to it. For cities: the one
    that a comma joins to it."""
    after: str = field(repr=False, default="")
    """For dates: the later one. For ages: the characters that follow."""
    dates: tuple[DateReading, ...] | None = field(repr=False, default=None)
    """For dates: the reading, empty if it cannot be read; ``None`` if it was not read yet."""
    readings: Readings = field(default_factory=Readings, repr=False, compare=False)
    """The readings of operators, shared by all mentions of a note."""
    own: str = ""
    """The name that the site's policy has for what is like the label; empty: none."""

    @property
    def name(self) -> str:
        """The name of its label, by which its operator is chosen."""
        return self.own or self.label


@dataclass(frozen=True, slots=True)
class Draws:
    """The keyed draws of one consistency scope, such as one patient."""

    keyring: Keyring
    scope: str = field(repr=False)
    probe: int = 0
    """How many earlier surrogates of the identity had to be passed over."""
    seed: bytes = field(default=b"", repr=False)
    """The identity's own random seed, kept in the store only; empty: drawn by the key."""
    common: bytes = field(default=b"", repr=False)
    """The random seed that the scope's identities share; empty: drawn by the key."""

    def own(self, identity: "Identity") -> Draw:
        """Return the stream of one identity; another one for each probe."""
        if self.seed:
            # The value is left out: what is drawn at random must not derive from anybody's data.
            return seed_draw(self.seed, identity.kind, str(self.probe))
        parts = (self.scope, identity.kind, identity.value, str(self.probe))
        return self.keyring.draw("surrogate", *parts)

    def shared(self, purpose: str) -> Draw:
        """Return a stream that all identities of the scope share, the same for every probe."""
        if self.common:
            return seed_draw(self.common, purpose)
        return self.keyring.draw("shared:" + purpose, self.scope)
