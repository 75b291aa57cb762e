"""Plan, settle and substitute: from spans to text with surrogates."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from deidstream.models.detection.sweep import leak_terms
from deidstream.models.keyring import Keyring, canonical
from deidstream.models.mention import Identity, Mention
from deidstream.models.operators.operator import Operator
from deidstream.models.operators.redact import redacted
from deidstream.models.records import Detected, Planned, Realm, Scoped, Substituted
from deidstream.models.surrogates.allocation import Settled, Settling
from deidstream.models.surrogates.collisions import displaced, is_distinct, spelled
from deidstream.models.surrogates.mentions import mentions
from deidstream.models.surrogates.scopes import realm_of, slot_name
from deidstream.models.surrogates.seeds import Seeds
from deidstream.models.surrogates.substitute import substitute
from deidstream.models.text.search import Term
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName, Policy, RedactStyle, Scope
from deidstream.schemas.span import Replacement

_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{4,15}(?:Z|[+-][0-9:]{4,5})?)?")

_MEANT = frozenset({"redact", "mask", "hash"})


@dataclass(frozen=True, slots=True)
class Replacer:
    """Chooses the surrogates of notes under one policy and key."""

    policy: Policy
    operators: Mapping[PhiLabel, Operator]
    root: bytes = field(repr=False)
    key_version: int
    older: Mapping[int, bytes] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    """Roots of earlier key versions."""
    epoch: int = 1
    """Number of the mapping epoch: another number maps every original anew."""
    fresh_seed: Callable[[], bytes] | None = field(repr=False, default=None)
    """Draws 32 bytes from a CSPRNG: surrogates are random, and the store is their only home.
    ``None``: they are drawn by the key, and the store tells no more than whose they are."""

    def keyring(self, note: RawNote) -> Keyring:
        """The keys of the note's tenant."""
        return Keyring(self.root, self.key_version, note.tenant, self.older)

    def names(self, note: RawNote) -> Keyring:
        """The keys that make names: what the key draws is another with another key, what is drawn
        at random outlives a rotation.
        """  # noqa: D205
        keyring = self.keyring(note)
        return keyring.anchor() if self.fresh_seed else keyring

    def plan(self, detected: Detected) -> Planned:
        """Name the surrogates a note needs."""
        found = mentions(detected.note, detected.spans)
        authored = self._authored(detected.note)
        realms = _Realms(self.names(detected.note), self.epoch, self.policy, detected.note)
        starts = [span.start for span in detected.spans]
        where = [realms.of(m, start) for m, start in zip(found, starts, strict=True)]
        asked = list(zip(found, where, strict=True))
        if authored:
            asked.append((authored, realms.of(authored, 0)))
        named = [(m, realm, self.operators[m.label].identities(m)) for m, realm in asked]
        needs = {Scoped(realm, i): m.label for m, realm, some in named for i in some}
        words = [word for m, _, some in named if some for word in spelled(m)]
        apart = [s for s in sorted(needs) if is_distinct(s.identity, needs[s])]
        return Planned(
            detected,
            found,
            authored,
            needs,
            self._leak_terms(detected),
            tuple(realm for _, realm in asked),
            tuple(scoped for scoped in apart if not scoped.realm.alone),
            realms.marks([*(scoped.identity.value for scoped in apart), *words]),
        )

    def settle(self, batch: Sequence[Planned]) -> Settling:
        """Begin the conversation with the store about a batch, in the order of its notes."""
        seeds = Seeds(lambda p: (self.names(p.note), self.keyring(p.note)), self.fresh_seed)
        return Settling(batch, lambda p: self.names(p.note), self._derived, seeds)

    def substitute(self, planned: Planned, settled: Settled) -> Substituted:
        """Write a note anew; ``settled`` is what its batch came to.

        Raises:
            InvalidSpan: The spans overlap.
        """

        def derive(scoped: Scoped, probe: int) -> str:
            return self._derived(planned, scoped, probe, settled.seeds)

        known = settled.surrogates
        drawn = {s: known[s] if s in known else derive(s, 0) for s in planned.needs}
        written = displaced(planned, drawn, derive)
        by_realm = _by_realm(written)
        text, landed = substitute(planned.note.text, self._replacements(planned, by_realm))
        moved = sum(written[s] != drawn[s] for s in drawn if not s.realm.alone)
        authored_at = self._authored_at(planned, by_realm)
        return Substituted(planned, text, landed, authored_at, moved, unread_dates(landed))

    def _leak_terms(self, detected: Detected) -> tuple[Term, ...]:
        kept = OperatorName.KEEP
        spans = [s for s in detected.spans if self.policy.operators[s.label] is not kept]
        return leak_terms(spans, detected.note.text, self.policy.allow)

    def _authored(self, note: RawNote) -> Mention | None:
        operator = self.policy.operators[PhiLabel.DATE]
        if note.authored_at is None or operator in {OperatorName.REDACT, OperatorName.KEEP}:
            return None
        return Mention(note.authored_at.strip(), PhiLabel.DATE)

    def _derived(self, planned: Planned, scoped: Scoped, probe: int, seeds: Seeds) -> str:
        ring, names = self.keyring(planned.note), self.names(planned.note)
        operator = self.operators[planned.needs[scoped]]
        return operator.derive(scoped.identity, seeds.draws(ring, names, scoped, probe))

    def _replacements(
        self, planned: Planned, surrogates: Mapping[Realm, Mapping[Identity, str]]
    ) -> list[Replacement]:
        spans, told = planned.detected.spans, planned.mentions
        realms = planned.realms[: len(told)]
        return [
            Replacement(
                span, self._rendered(m, surrogates.get(realm, {})), self.operators[m.label].name
            )
            for span, m, realm in zip(spans, told, realms, strict=True)
        ]

    def _rendered(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        text = self.operators[mention.label].render(mention, surrogates)
        kept = self.policy.operators[mention.label] is OperatorName.KEEP
        if is_direct(mention.label) and not kept and canonical(text) == canonical(mention.text):
            # No surrogate at all is better than the original for one.
            return redacted(mention.label, self.policy.redact_style)
        return text

    def _authored_at(
        self, planned: Planned, surrogates: Mapping[Realm, Mapping[Identity, str]]
    ) -> str | None:
        if planned.authored is None:
            return None
        own = surrogates.get(planned.realms[-1], {})
        moment = self.operators[PhiLabel.DATE].render(planned.authored, own)
        # What is not a date and a time through and through may hold anything.
        return moment if _MOMENT.fullmatch(moment) else None


@dataclass(slots=True)
class _Realms:
    """The scopes of one note, each made once."""

    ring: Keyring
    epoch: int
    policy: Policy
    note: RawNote
    _made: dict[tuple[Scope, int], Realm] = field(default_factory=dict[tuple[Scope, int], Realm])

    def of(self, mention: Mention, start: int) -> Realm:
        scope = self._scope(mention.label)
        return self._realm(scope, start if scope is Scope.MENTION else 0)

    def marks(self, originals: Sequence[str]) -> tuple[bytes, ...]:
        """Slots of originals among the patient's surrogates, where the policy has such."""
        if all(self._scope(label) is not Scope.PATIENT for label in PhiLabel):
            return ()
        realm = self._realm(Scope.PATIENT, 0)
        forms = dict.fromkeys(map(canonical, originals))
        return tuple(slot_name(self.ring, realm, form) for form in forms)

    def _scope(self, label: PhiLabel) -> Scope:
        return self.policy.scopes.get(label, Scope.PATIENT)

    def _realm(self, scope: Scope, start: int) -> Realm:
        made = self._made.get((scope, start))
        if made is None:
            made = realm_of(self.ring, scope, self.epoch, self.note, start)
            self._made[scope, start] = made
        return made


def _by_realm(surrogates: Mapping[Scoped, str]) -> dict[Realm, dict[Identity, str]]:
    found: dict[Realm, dict[Identity, str]] = {}
    for scoped, surrogate in surrogates.items():
        found.setdefault(scoped.realm, {})[scoped.identity] = surrogate
    return found


def unread_dates(replacements: Iterable[Replacement]) -> int:
    """Count the dates of a note that were to be moved, counted or shortened, and became labels.

    Either the date cannot be read, or it has nothing that the operator keeps, as a weekday has no
    year, or it shows a great age.
    """
    labels = {redacted(PhiLabel.DATE, style) for style in RedactStyle}
    return sum(
        one.span.label is PhiLabel.DATE and one.operator not in _MEANT and one.text in labels
        for one in replacements
    )
