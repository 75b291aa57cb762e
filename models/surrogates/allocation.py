"""Allocate one surrogate to each identity of a batch, by questions to the store and its answers.

The store keeps which identity holds which surrogate: a hash table with open addressing, probed
linearly, whose slots are never given back. An identity's surrogate is the first of its draws whose
slot it holds, else the first whose slot is free, which it then claims. All workers see the same
taken slots, so two that meet a new identity at once end with the same surrogate, and no two
identities of a scope have one. A surrogate that is written in two forms, such as a given name with
its short form, needs a slot for each; if another identity holds one of them, the whole draw is
passed over. Originals are reserved in the same table, so that none becomes a surrogate later.

Source: the insertion of a lock-free hash table by compare-and-set (Purcell and Harris, Non-blocking
hash tables with open addressing, DISC 2005, without deletion).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.keyring import Keyring
from deidstream.models.records import Claim, Planned, Recall, ScopedIdentity
from deidstream.models.surrogates.scopes import (
    holder_value,
    reserved_value,
    slot_name,
    written_forms,
)
from deidstream.models.surrogates.seeds import Seeds

PROBES = 15
"""Draws of an identity that are considered. If others hold them all, it shares the next one with
its holder: the pool is then nearly exhausted."""
_WINDOWS = 4
"""The slots of 1, 2, 4 and then 8 draws are asked for together, which bounds the questions."""

NameKeys = Callable[[Planned], Keyring]
"""Returns the keys that make a note's names."""
Derive = Callable[[Planned, ScopedIdentity, int, Seeds], str]
"""Returns one draw of a note's identity, by its number."""


@dataclass(frozen=True, slots=True)
class AllocatedSurrogates:
    """The surrogates that a batch ended with."""

    surrogates: Mapping[ScopedIdentity, str] = field(repr=False)
    """Those of the exclusive identities; the others are drawn when a note is written."""
    seeds: Seeds = field(repr=False)
    claimed: int
    """Surrogates that were new to the store."""
    shared: int
    """Surrogates that another identity holds too, because their pools are nearly exhausted."""


@dataclass(slots=True)
class Allocation:
    """The allocation of surrogates to one batch. It forms questions; the caller asks the store.

    While ``ask`` is not ``None``, put it to the store and give the answers to ``take_answers``.
    Claims come in the order of the notes, and no note's surrogates depend on the notes behind it,
    so the result does not depend on how notes are batched. If the batch has all notes of its
    patients (``together``), the result does not depend on the order of the notes either: their
    originals are reserved first, and then identities choose in the order of their keys.

    After each answer the batch is replayed from its start. That is part of the rule, not a
    shortcut: an answer may give an identity an earlier draw than the one it claimed (ADR 11).
    """

    batch: Sequence[Planned]
    names: NameKeys
    derive: Derive
    seeds: Seeds
    together: bool = field(default=False, kw_only=True)
    """Whether the batch has all notes of its patients."""
    ask: Recall | Claim | None = None
    _steps: "list[_Reservation | _Candidates]" = field(
        default_factory=list["_Reservation | _Candidates"], repr=False
    )
    _known: dict[bytes, bytes | None] = field(default_factory=dict[bytes, bytes | None], repr=False)
    """By name, what the store has answered; never forgotten."""
    _claimed: set[bytes] = field(default_factory=set[bytes], repr=False)
    _chosen: Mapping[ScopedIdentity, int] = field(
        default_factory=dict[ScopedIdentity, int], repr=False
    )
    _recalls: int = 0

    def __post_init__(self) -> None:
        """Prepare the first question."""
        self._steps = list(_list_steps(self))
        if self.together:
            self._steps.sort(key=_rank_step)
        self.ask = self.seeds.recall(self.batch) or self._next_question()

    def take_answers(self, answers: Sequence[bytes | None]) -> None:
        """Take the store's answers to ``ask``, and prepare the next question.

        Raises:
            ValueError: A stored seed was sealed under another key.
        """
        asked = self.ask
        if asked is None:
            return
        if self.seeds.waiting:
            self.ask = self.seeds.take_answers(asked, answers) or self._next_question()
        else:
            self._known.update(zip(asked.names, answers, strict=True))
            self.ask = self._next_question()

    def result(self) -> AllocatedSurrogates:
        """Return the surrogates, once there is nothing more to ask.

        Raises:
            ValueError: The store has not answered the last question.
        """
        if self.ask is not None:
            msg = "the store has not answered yet"
            raise ValueError(msg)
        surrogates: dict[ScopedIdentity, str] = {}
        claimed = shared = 0
        for step in self._steps:
            if isinstance(step, _Reservation):
                continue
            number = self._chosen[step.scoped]
            draw = step.draw(number)
            surrogates[step.scoped] = draw.surrogate
            if number == PROBES:
                shared += 1
            elif not self._claimed.isdisjoint(draw.slots):
                claimed += 1
        return AllocatedSurrogates(surrogates, self.seeds, claimed, shared)

    def _next_question(self) -> Recall | Claim | None:
        window = 1 << min(self._recalls, _WINDOWS - 1)
        replay = _Replay(self._known, window)
        for step in self._steps:
            if isinstance(step, _Reservation):
                replay.reserve(step)
            else:
                replay.choose(step)
        if replay.unknown:
            self._recalls += 1
            return Recall(tuple(replay.unknown))
        self._chosen = replay.chosen
        self._claimed |= replay.claims.keys()
        return Claim(tuple(replay.claims.items())) if replay.claims else None


@dataclass(frozen=True, slots=True)
class _Reservation:
    """A slot that no identity may take, because its text is an original."""

    name: bytes
    value: bytes


@dataclass(frozen=True, slots=True)
class _Draw:
    """One draw of an identity."""

    surrogate: str = field(repr=False)
    slots: Mapping[bytes, bytes]
    """The slots it needs: by name, the value that says that the identity holds it."""


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The draws of one identity, each derived when it is first considered."""

    allocation: Allocation = field(repr=False)
    planned: Planned = field(repr=False)
    ring: Keyring
    scoped: ScopedIdentity
    _derived: dict[int, _Draw] = field(default_factory=dict[int, _Draw], repr=False)

    def draw(self, number: int) -> _Draw:
        """Return the draw of this number."""
        if number not in self._derived:
            self._derived[number] = self._derive(number)
        return self._derived[number]

    def _derive(self, number: int) -> _Draw:
        identity, scope = self.scoped.identity, self.scoped.scope
        allocation = self.allocation
        surrogate = allocation.derive(self.planned, self.scoped, number, allocation.seeds)
        slots: dict[bytes, bytes] = {}
        for form in written_forms(identity, surrogate):
            name = slot_name(self.ring, scope, form)
            slots[name] = holder_value(self.ring, name, identity)
        return _Draw(surrogate, slots)


def _list_steps(allocation: Allocation) -> "Iterator[_Reservation | _Candidates]":
    """Yield what the notes need, in their order; what two need comes where it is first needed."""
    reserved, wanted = set[bytes](), set[ScopedIdentity]()
    for planned in allocation.batch:
        ring = allocation.names(planned)
        for name in planned.reserved:
            if name not in reserved:
                reserved.add(name)
                yield _Reservation(name, reserved_value(ring, name))
        for scoped in planned.exclusive:
            if scoped not in wanted:
                wanted.add(scoped)
                yield _Candidates(allocation, planned, ring, scoped)


def _rank_step(step: "_Reservation | _Candidates") -> tuple[object, ...]:
    """Return what brings steps into one order, whatever the order of the notes was.

    The identities of one note alone have the same order, so that a patient with one note has the
    same surrogates either way.
    """
    if isinstance(step, _Reservation):
        return (False, step.name)
    return (True, *step.scoped.sorting_key())


@dataclass(slots=True)
class _Replay:
    """One pass through the batch, as if its notes came one by one, given what is known."""

    known: Mapping[bytes, bytes | None]
    window: int
    """How many draws to ask for together, from the first whose slots are not known."""
    chosen: dict[ScopedIdentity, int] = field(default_factory=dict[ScopedIdentity, int])
    """Number of each identity's draw; ``PROBES`` where it shares that one."""
    claims: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])
    """Slots to claim, in the order of the notes."""
    unknown: dict[bytes, None] = field(default_factory=dict[bytes, None])
    """Slots to ask for, in order. While there are any, ``chosen`` and ``claims`` do not count."""

    def reserve(self, reservation: _Reservation) -> None:
        """Claim the slot of an original unless it is taken."""
        name = reservation.name
        if name not in self.known:
            self.unknown[name] = None
        elif self.known[name] is None:
            self.claims.setdefault(name, reservation.value)

    def choose(self, candidates: _Candidates) -> None:
        """Choose the first draw whose slots the identity holds or may claim."""
        for number in range(PROBES):
            slots = candidates.draw(number).slots
            if not slots.keys() <= self.known.keys():
                self._look_ahead(candidates, number)
                return
            if self._take(slots):
                self.chosen[candidates.scoped] = number
                return
        self.chosen[candidates.scoped] = PROBES

    def _look_ahead(self, candidates: _Candidates, first: int) -> None:
        for number in range(first, min(first + self.window, PROBES)):
            self.unknown |= dict.fromkeys(candidates.draw(number).slots)

    def _take(self, slots: Mapping[bytes, bytes]) -> bool:
        """Claim those of known slots that are free, unless another identity holds one of them."""
        free: dict[bytes, bytes] = {}
        for name, value in slots.items():
            taken = self.known[name] or self.claims.get(name)
            if taken is None:
                free[name] = value
            elif taken != value:
                return False
        self.claims |= free
        return True


def allocate_without_store(allocation: Allocation) -> AllocatedSurrogates:
    """Bring an allocation to its end with an empty store that is thrown away."""
    kept: dict[bytes, bytes] = {}
    while (ask := allocation.ask) is not None:
        if isinstance(ask, Recall):
            allocation.take_answers([kept.get(name) for name in ask.names])
        else:
            allocation.take_answers([kept.setdefault(name, value) for name, value in ask.pairs])
    return allocation.result()
