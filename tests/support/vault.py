"""Notes with marked names, and a small world of workers around one store."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

from deidstream.models.operators.table import operators
from deidstream.models.records import Claim, Detected, Planned, Recall, Substituted
from deidstream.models.surrogates.allocation import Allocation
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName, Policy, Scope, Technique
from deidstream.schemas.span import Span
from support.detected import as_detected

ROOT = bytes(range(32))
KEPT = frozenset({PhiLabel.AGE})


def policy(scopes: Mapping[PhiLabel, Scope]) -> Policy:
    """Surrogates for everything but ages, with other scopes for the labels that are named."""
    named: dict[str, OperatorName] = {
        label: OperatorName.KEEP if label in KEPT else OperatorName.SURROGATE for label in PhiLabel
    }
    made = Policy("laws", Technique.SURROGATE, frozenset(), MappingProxyType(named))
    return replace(made, scopes=MappingProxyType(dict(scopes)))


def replacer(
    fresh_seed: Callable[[], bytes] | None = None,
    scopes: Mapping[PhiLabel, Scope] = MappingProxyType({}),
) -> Replacer:
    """A replacer under a fixed key."""
    under = policy(scopes)
    return Replacer(under, operators(under), ROOT, 1, fresh_seed=fresh_seed)


def detected(
    items: Sequence[tuple[PhiLabel, str]], patient: str = "P1", number: int = 1
) -> Detected:
    """A note that holds each item in a line of its own, and nothing else."""
    spans: list[Span] = []
    text = ""
    for label, item in items:
        spans.append(Span(len(text), len(text) + len(item), label))
        text += item + "\n"
    note = RawNote(f"note-{patient}-{number}", patient, text)
    return as_detected(note, spans)


def lines(written: Substituted) -> list[str]:
    """The surrogate of each item."""
    return [r.text for r in written.replacements]


class Store(Protocol):
    """A real store, asked in turn."""

    def recall(self, names: Sequence[bytes]) -> Sequence[bytes | None]: ...

    def claim(self, pairs: Sequence[tuple[bytes, bytes]]) -> Sequence[bytes]: ...

    def held(self) -> Mapping[bytes, bytes]: ...


@dataclass(slots=True)
class World:
    """A store and its client, which counts the round trips."""

    kept: dict[bytes, bytes] = field(default_factory=dict[bytes, bytes])
    trips: int = 0
    store: Store | None = None
    """Asked in the place of ``kept``, if there is one."""

    def answer(self, allocation: Allocation) -> bool:
        """Answer one question; tell whether there was one."""
        ask = allocation.ask
        if ask is None:
            return False
        self.trips += 1
        if isinstance(ask, Recall):
            allocation.take_answers(self.recalled(ask))
        else:
            allocation.take_answers(self.claimed(ask))
        return True

    def recalled(self, ask: Recall) -> Sequence[bytes | None]:
        """The stored values, by name."""
        if self.store:
            return self.store.recall(ask.names)
        return [self.kept.get(name) for name in ask.names]

    def claimed(self, ask: Claim) -> Sequence[bytes]:
        """The winners."""
        if self.store:
            return self.store.claim(ask.pairs)
        return [self.kept.setdefault(name, value) for name, value in ask.pairs]

    def held(self) -> dict[bytes, bytes]:
        """All that is kept."""
        return dict(self.store.held() if self.store else self.kept)

    def write(self, made: Replacer, notes: Sequence[Detected], batch: int = 8) -> list[Substituted]:
        """Bring notes to their end, some at a time."""
        written: list[Substituted] = []
        for begin in range(0, len(notes), batch):
            planned = [made.plan(note) for note in notes[begin : begin + batch]]
            allocation = made.allocate(planned)
            while self.answer(allocation):
                pass
            written += self.finish(made, planned, allocation)
        return written

    @staticmethod
    def finish(
        made: Replacer, planned: Sequence[Planned], allocation: Allocation
    ) -> list[Substituted]:
        """Write notes whose allocation has ended."""
        return [made.substitute(one, allocation.result()) for one in planned]
