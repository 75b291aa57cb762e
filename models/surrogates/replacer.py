"""Plan, allocate and substitute: from spans to text with surrogates."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from deidstream.models.detection.obfuscation.meant_text import read_as_meant
from deidstream.models.keyring import Keyring, canonical
from deidstream.models.mention import Draws, Identity, Mention
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.redact import is_label, write_label
from deidstream.models.operators.table import doubtful_operators
from deidstream.models.phi.terms import leak_terms
from deidstream.models.records import (
    ConsistencyScope,
    Detected,
    Planned,
    ScopedIdentity,
    ScopedMention,
    Substituted,
)
from deidstream.models.surrogates.allocation import AllocatedSurrogates, Allocation
from deidstream.models.surrogates.collisions import is_distinct, redraw_collisions, spelled_words
from deidstream.models.surrogates.columns import keep_columns
from deidstream.models.surrogates.mentions import mentions
from deidstream.models.surrogates.scopes import MappingSpace, make_scope, slot_name
from deidstream.models.surrogates.seeds import Seeds
from deidstream.models.surrogates.substitute import substitute
from deidstream.models.text.html_entities import (
    MARKUP,
    find_entities,
    read_spellings,
    write_entities,
)
from deidstream.models.text.search import Term
from deidstream.models.time_budget import check_time, within_time
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName, Policy, Scope
from deidstream.schemas.span import Replacement, Span

_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{4,15}(?:Z|[+-][0-9:]{4,5})?)?")

_LABELLING = frozenset({"redact", "mask", "hash"})
"""Operators that are meant to leave no date."""


@dataclass(frozen=True, slots=True)
class DrawnSurrogates:
    """The surrogates of the identities of one note."""

    drawn: Mapping[ScopedIdentity, str] = field(repr=False)
    """From the store, or the first draw."""
    written: Mapping[ScopedIdentity, str] = field(repr=False)
    """Those that the note has: others in place of those that collide in it."""

    def count_displaced(self) -> int:
        """Count the surrogates that the store has and this note does not use."""
        redrawn = [s for s, first in self.drawn.items() if self.written[s] != first]
        return sum(not s.scope.within_note for s in redrawn)


@dataclass(frozen=True, slots=True)
class Replacer:
    """Chooses the surrogates of notes under one policy and key."""

    policy: Policy
    operators: Mapping[str, Operator]
    """By the name of the label."""
    root: bytes = field(repr=False)
    key_version: int
    older: Mapping[int, bytes] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """Roots of earlier key versions."""
    epoch: int = 1
    """Number of the mapping epoch; another number gives every original another surrogate."""
    fresh_seed: Callable[[], bytes] | None = field(repr=False, default=None)
    """Draws 32 bytes from a CSPRNG: surrogates are random, and the store is their only home.
    ``None``: they are drawn by the key, and the store keeps only which identity holds which."""
    doubtful: Mapping[str, Operator] = field(init=False, repr=False)
    """The operators of spans that may be no PHI."""

    def __post_init__(self) -> None:
        """Choose the operators of doubtful spans."""
        object.__setattr__(self, "doubtful", doubtful_operators(self.policy))

    def keyring(self, note: RawNote) -> Keyring:
        """Return the keys of the note's tenant."""
        return Keyring(self.root, self.key_version, note.tenant, self.older)

    def name_keys(self, note: RawNote) -> Keyring:
        """Return the keys that make the note's names in the store.

        Surrogates drawn by the key change with it; random ones keep their names over a rotation.
        """
        keyring = self.keyring(note)
        return keyring.anchor() if self.fresh_seed else keyring

    def plan(self, detected: Detected) -> Planned:
        """Find the identities of a note, and the surrogates that the store has to give."""
        note, read, spans = detected.note, detected.note, detected.spans
        if (plain := read_as_meant(note.text)) is not None:
            read, spans = replace(note, text=plain.text), tuple(plain.from_note(spans))
        space = MappingSpace(self.epoch, self.policy.surrogate_release)
        scopes = _NoteScopes(self.name_keys(note), space, self.policy, note)
        found: list[ScopedMention] = []
        for mention, span in zip(mentions(read, spans), detected.spans, strict=True):
            operator = self.operator_of(span)
            found.append(self._scope_mention(scopes, mention, span.start, operator))
        date = self._date_of_writing(note)
        of_dates = self.operators[PhiLabel.DATE]
        authored = self._scope_mention(scopes, date, 0, of_dates) if date else None
        needs: dict[ScopedIdentity, Mention] = {}
        words: list[str] = []
        for each in (*found, authored) if authored else found:
            for identity in each.identities:
                needs[ScopedIdentity(each.scope, identity)] = each.mention
            if each.identities:
                words += spelled_words(each.mention)
        distinct = [
            s
            for s in sorted(needs, key=ScopedIdentity.sorting_key)
            if is_distinct(s.identity, needs[s].label)
        ]
        return Planned(
            detected=detected,
            mentions=tuple(found),
            authored=authored,
            needs=needs,
            leak_terms=self._leak_terms(read, spans),
            exclusive=tuple(s for s in distinct if not s.scope.within_note),
            reserved=scopes.slots_of([*(s.identity.value for s in distinct), *words]),
        )

    def allocate(self, batch: Sequence[Planned], *, together: bool = False) -> Allocation:
        """Begin the allocation of surrogates to a batch, in the order of its notes.

        Args:
            batch: The notes.
            together: Whether the batch has all notes of its patients; then their order is nothing.
        """
        seeds = Seeds(lambda p: (self.name_keys(p.note), self.keyring(p.note)), self.fresh_seed)
        return Allocation(
            batch, lambda p: self.name_keys(p.note), self.derive, seeds, together=together
        )

    def substitute(self, planned: Planned, allocated: AllocatedSurrogates) -> Substituted:
        """Write a note with surrogates.

        Args:
            planned: The note.
            allocated: What was allocated to its batch.

        Raises:
            InvalidSpan: The spans overlap.
        """
        surrogates = self.draw(planned, allocated)
        by_scope = _group_by_scope(surrogates.written)
        replacements: list[Replacement] = []
        spans = within_time(planned.detected.spans)
        for span, each in zip(spans, planned.mentions, strict=True):
            operator = self.operator_of(span)
            text = self._render(operator, each.mention, by_scope.get(each.scope, {}))
            replacements.append(Replacement(span, text, operator.name))
        written = _write_as_note(planned, replacements)
        escaped = planned.detected.messages.escape(written)
        if planned.note.form is None and not planned.detected.messages.segments:
            escaped = list(keep_columns(planned.note.text, escaped))
        text, placed = substitute(planned.note.text, escaped)
        return Substituted(
            planned=planned,
            text=text,
            replacements=placed,
            authored_at=self._render_authored(planned.authored, by_scope),
            displaced=surrogates.count_displaced(),
            unread_dates=count_unread_dates(placed),
        )

    def draw(self, planned: Planned, allocated: AllocatedSurrogates) -> DrawnSurrogates:
        """Draw the surrogates of a note's identities that were not allocated, and free all of them.

        Args:
            planned: The note.
            allocated: What was allocated to its batch.
        """

        def derive(scoped: ScopedIdentity, number: int) -> str:
            return self.derive(planned, scoped, number, allocated.seeds)

        drawn: dict[ScopedIdentity, str] = {}
        for scoped in planned.needs:
            known = allocated.surrogates.get(scoped)
            drawn[scoped] = derive(scoped, 0) if known is None else known
        return DrawnSurrogates(drawn, redraw_collisions(planned, drawn, derive))

    def derive(self, planned: Planned, scoped: ScopedIdentity, number: int, seeds: Seeds) -> str:
        """Derive one draw of an identity of a note, by its number."""
        check_time()
        operator = self.operators[planned.needs[scoped].name]
        return operator.derive(scoped.identity, self.draws_of(planned, scoped, number, seeds))

    def draws_of(
        self, planned: Planned, scoped: ScopedIdentity, number: int, seeds: Seeds
    ) -> Draws:
        """Return the keyed draws that one draw of an identity is derived from."""
        ring, names = self.keyring(planned.note), self.name_keys(planned.note)
        return seeds.draws(ring, names, scoped, number)

    def operator_of(self, span: Span) -> Operator:
        """Return the operator of a span: that of its label, or a more careful one in doubt."""
        doubtful = self.policy.is_doubtful(span.name, span.score)
        return self.doubtful[span.name] if doubtful else self.operators[span.name]

    def _scope_mention(
        self, scopes: "_NoteScopes", mention: Mention, start: int, operator: Operator
    ) -> ScopedMention:
        check_time()
        identities = operator.identities(mention)
        return ScopedMention(mention, scopes.scope_of(mention.label, start), identities)

    def _date_of_writing(self, note: RawNote) -> Mention | None:
        operator = self.policy.operators[PhiLabel.DATE]
        if note.authored_at is None or operator in {OperatorName.REDACT, OperatorName.KEEP}:
            return None
        return Mention(note.authored_at.strip(), PhiLabel.DATE)

    def _leak_terms(self, read: RawNote, spans: Iterable[Span]) -> tuple[Term, ...]:
        kept = OperatorName.KEEP
        replaced = [span for span in spans if self.policy.operators[span.name] is not kept]
        return leak_terms(replaced, read.text, self.policy.allow)

    def _render(
        self, operator: Operator, mention: Mention, surrogates: Mapping[Identity, str]
    ) -> str:
        text = operator.render(mention, surrogates)
        kept = self.policy.operators[mention.name] is OperatorName.KEEP
        if is_direct(mention.label) and not kept and canonical(text) == canonical(mention.text):
            # A label is better than the original in the place of a surrogate.
            return write_label(mention, self.policy.redact_style)
        return text

    def _render_authored(
        self,
        authored: ScopedMention | None,
        surrogates: Mapping[ConsistencyScope, Mapping[Identity, str]],
    ) -> str | None:
        if authored is None:
            return None
        own = surrogates.get(authored.scope, {})
        moment = self.operators[PhiLabel.DATE].render(authored.mention, own)
        # A text that is not wholly a date and a time may hold anything.
        return moment if _MOMENT.fullmatch(moment) else None


@dataclass(slots=True)
class _NoteScopes:
    """The scopes of one note, each made once."""

    ring: Keyring
    space: MappingSpace
    policy: Policy
    note: RawNote
    _made: dict[tuple[Scope, int], ConsistencyScope] = field(
        default_factory=dict[tuple[Scope, int], ConsistencyScope]
    )

    def scope_of(self, label: PhiLabel, start: int) -> ConsistencyScope:
        """Return the scope of a mention of this label that begins at ``start``."""
        kind = self._kind(label)
        return self._make(kind, start if kind is Scope.MENTION else 0)

    def slots_of(self, originals: Sequence[str]) -> tuple[bytes, ...]:
        """Return the slots of originals among the patient's surrogates, if the policy has such."""
        if all(self._kind(label) is not Scope.PATIENT for label in PhiLabel):
            return ()
        scope = self._make(Scope.PATIENT, 0)
        forms = dict.fromkeys(map(canonical, originals))
        return tuple(slot_name(self.ring, scope, form) for form in forms)

    def _kind(self, label: PhiLabel) -> Scope:
        return self.policy.scopes.get(label, Scope.PATIENT)

    def _make(self, kind: Scope, start: int) -> ConsistencyScope:
        made = self._made.get((kind, start))
        if made is None:
            made = make_scope(self.ring, kind, self.space, self.note, start)
            self._made[kind, start] = made
        return made


def _group_by_scope(
    surrogates: Mapping[ScopedIdentity, str],
) -> dict[ConsistencyScope, dict[Identity, str]]:
    found: dict[ConsistencyScope, dict[Identity, str]] = {}
    for scoped, surrogate in surrogates.items():
        found.setdefault(scoped.scope, {})[scoped.identity] = surrogate
    return found


def _write_as_note(planned: Planned, replacements: Sequence[Replacement]) -> list[Replacement]:
    """Write surrogates with the entities that their note has; what stays is as it was."""
    note = planned.note
    spellings: Mapping[str, str] = {}
    if not planned.detected.messages.segments and next(find_entities(note.text), None) is not None:
        spellings = read_spellings(note.text)
        if note.form is None:
            spellings = {**MARKUP, **spellings}
    written: list[Replacement] = []
    for one, each in zip(replacements, planned.mentions, strict=True):
        text = write_entities(one.text, spellings)
        if one.text == each.mention.text:
            text = note.text[one.span.start : one.span.end]
        written.append(replace(one, text=text))
    return written


def count_unread_dates(replacements: Iterable[Replacement]) -> int:
    """Count the dates that should have been shifted, counted or shortened, and became labels.

    Such a date cannot be read, or has nothing that the operator keeps, as a weekday has no year, or
    shows a great age.
    """
    count = 0
    for one in replacements:
        is_date = one.span.label is PhiLabel.DATE and one.operator not in _LABELLING
        count += is_date and is_label(one.text, one.span)
    return count
