"""The conversation of a batch with the store that ends with a surrogate for each identity.

The store keeps for each surrogate whose it is: a hash table with open addressing, probed linearly,
whose slots are never given back. An identity's surrogate is the first of its draws whose slot is
its own, else the first whose slot is free, which it then claims. All workers see the same taken
slots, so two that meet a new identity at once end with the same surrogate, and no two identities of
a scope have one. A surrogate that is written in two forms, such as a given name with its short
form, needs a slot for each; where one is another's, the whole draw is passed over. Originals are
marked in the same table, so that none becomes a surrogate later.

Source: the insertion of a lock-free hash table by compare-and-set (Purcell and Harris, Non-blocking
hash tables with open addressing, DISC 2005, without deletion).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.keyring import Keyring
from deidstream.models.records import Claim, Planned, Recall, Scoped
from deidstream.models.surrogates.scopes import forms, holder, original, slot_name
from deidstream.models.surrogates.seeds import Seeds

PROBES = 15
"""Draws of an identity that are looked at; if all are others', it shares the next one with whoever
has it, because its pool is all but used up."""
_WINDOWS = 4
"""Looked at 1, 2, 4 and 8 at a time, so that no batch asks more often."""

Names = Callable[[Planned], Keyring]
"""The keys that make a note's names."""
Derive = Callable[[Planned, Scoped, int, Seeds], str]
"""A draw of a note's identity, by its number."""


@dataclass(frozen=True, slots=True)
class Settled:
    """What a batch came to."""

    surrogates: Mapping[Scoped, str] = field(repr=False)
    """Of what is registered; the rest is drawn when it is written."""
    seeds: Seeds = field(repr=False)
    claimed: int
    """Surrogates that were new to the store."""
    shared: int
    """Surrogates that are others' too, their pools being all but used up."""


@dataclass(slots=True)
class Settling:
    """One batch on its way from plans to surrogates. It asks; the caller asks the store.

    While ``ask`` is not ``None``, ask the store that and give its answers to ``hear``. Claims come
    in the order of the notes, and no note's surrogates depend on those behind it: however notes
    are batched, they settle alike.
    """

    batch: Sequence[Planned]
    names: Names
    derive: Derive
    seeds: Seeds
    ask: Recall | Claim | None = None
    _steps: "list[_Mark | _Search]" = field(default_factory=list["_Mark | _Search"], repr=False)
    _seen: dict[bytes, bytes | None] = field(default_factory=dict[bytes, bytes | None], repr=False)
    _claimed: set[bytes] = field(default_factory=set[bytes], repr=False)
    _recalls: int = 0

    def __post_init__(self) -> None:
        """Think of the first thing to ask."""
        self._steps = list(_steps(self))
        self.ask = self.seeds.recall(self.batch) or self._next()

    def hear(self, answers: Sequence[bytes | None]) -> None:
        """Take the store's answers to ``ask``, and think of the next.

        Raises:
            ValueError: A stored seed was sealed under another key.
        """
        asked = self.ask
        if asked is not None and self.seeds.waiting:
            self.ask = self.seeds.hear(asked, answers) or self._next()
        elif asked is not None:
            self._seen.update(zip(asked.names, answers, strict=True))
            self.ask = self._next()

    def settled(self) -> Settled:
        """The surrogates, when there is nothing more to ask.

        Raises:
            ValueError: There is.
        """
        if self.ask is not None:
            msg = "the store has not answered yet"
            raise ValueError(msg)
        found = [step for step in self._steps if isinstance(step, _Search)]
        return Settled(
            {search.scoped: search.found.surrogate for search in found},
            self.seeds,
            sum(s.at < PROBES and not self._claimed.isdisjoint(s.found.slots) for s in found),
            sum(search.at == PROBES for search in found),
        )

    def _next(self) -> Recall | Claim | None:
        """Go through the batch as if its notes came one by one."""
        walk = _Walk(self._seen, 1 << min(self._recalls, _WINDOWS - 1))
        for step in self._steps:
            step.go(walk)
        if walk.unknown:
            self._recalls += 1
            return Recall(tuple(walk.unknown))
        self._claimed |= walk.claims.keys()
        return Claim(tuple(walk.claims.items())) if walk.claims else None


def _steps(settling: Settling) -> "Iterator[_Mark | _Search]":
    """What notes need, in their order; what is needed twice comes where it is needed first."""
    marked, sought = set[bytes](), set[Scoped]()
    for planned in settling.batch:
        ring = settling.names(planned)
        for name in planned.marks:
            if name not in marked:
                marked.add(name)
                yield _Mark(name, original(ring, name))
        for scoped in planned.registered:
            if scoped not in sought:
                sought.add(scoped)
                yield _Search(settling, planned, ring, scoped)


@dataclass(slots=True)
class _Walk:
    """What a batch comes to, given what the store is known to have."""

    seen: Mapping[bytes, bytes | None]
    window: int
    """How many slots to look at together where one is not known."""
    claims: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])
    """Slots to claim, in the order of the notes."""
    unknown: dict[bytes, None] = field(default_factory=dict[bytes, None])
    """Slots to ask for; while there are any, nothing else here counts."""

    def take(self, slots: Mapping[bytes, bytes]) -> bool:
        """Claim what is free of known slots, unless one of them is another's."""
        taken = {name: self.seen[name] or self.claims.get(name) for name in slots}
        if any(taken[name] not in {None, mine} for name, mine in slots.items()):
            return False
        self.claims |= {name: mine for name, mine in slots.items() if taken[name] is None}
        return True


@dataclass(frozen=True, slots=True)
class _Mark:
    name: bytes
    value: bytes

    def go(self, walk: _Walk) -> None:
        """Mark an original, unless its slot is known to be taken."""
        if self.name not in walk.seen:
            walk.unknown[self.name] = None
        elif walk.seen[self.name] is None:
            walk.claims.setdefault(self.name, self.value)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A draw of an identity."""

    surrogate: str = field(repr=False)
    slots: Mapping[bytes, bytes]
    """By the name of each slot it needs, what the store has there if it is the identity's."""


@dataclass(slots=True)
class _Search:
    """An identity in search of its draw."""

    settling: Settling = field(repr=False)
    planned: Planned = field(repr=False)
    ring: Keyring
    scoped: Scoped
    at: int = 0
    _draws: list[_Drawn] = field(default_factory=list[_Drawn], repr=False)

    @property
    def found(self) -> _Drawn:
        return self._drawn(self.at)

    def go(self, walk: _Walk) -> None:
        """Find the first draw whose slots are the identity's or free, or what to ask first."""
        for self.at in range(PROBES):
            slots = self._drawn(self.at).slots
            if not slots.keys() <= walk.seen.keys():
                last = min(self.at + walk.window, PROBES)
                for number in range(self.at, last):
                    walk.unknown |= dict.fromkeys(self._drawn(number).slots)
                return
            if walk.take(slots):
                return
        self.at = PROBES

    def _drawn(self, number: int) -> _Drawn:
        while len(self._draws) <= number:
            probe, identity = len(self._draws), self.scoped.identity
            surrogate = self.settling.derive(self.planned, self.scoped, probe, self.settling.seeds)
            names = [self._name(form) for form in forms(identity, surrogate)]
            mine = {name: holder(self.ring, name, identity) for name in names}
            self._draws.append(_Drawn(surrogate, mine))
        return self._draws[number]

    def _name(self, form: str) -> bytes:
        return slot_name(self.ring, self.scoped.realm, form)


def settled_alone(settling: Settling) -> Settled:
    """Settle a batch with a store that knows nothing and is thrown away."""
    kept: dict[bytes, bytes] = {}
    while (ask := settling.ask) is not None:
        if isinstance(ask, Recall):
            settling.hear([kept.get(name) for name in ask.names])
        else:
            settling.hear([kept.setdefault(name, value) for name, value in ask.pairs])
    return settling.settled()
