"""Plan, choose and substitute: from spans to text with surrogates."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from deidstream.models.displace import displaced
from deidstream.models.keyring import Keyring, canonical
from deidstream.models.operators.date_roles import day_first
from deidstream.models.operators.operator import Draws, Identity, Mention, NoteFacts, Operator
from deidstream.models.stages import Detected, Need, Planned, Substituted
from deidstream.models.substitute import substitute
from deidstream.schemas.label import PhiLabel, is_direct
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import OperatorName, Policy
from deidstream.schemas.span import Replacement

POOLS = "1"
"""Raised when what surrogates are drawn from changes; what was claimed before is then left."""
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{4,15}(?:Z|[+-][0-9:]{4,5})?)?")


@dataclass(frozen=True, slots=True)
class Replacer:
    """Chooses the surrogates of notes under one policy and key."""

    policy: Policy
    operators: Mapping[PhiLabel, Operator]
    root: bytes = field(repr=False)
    key_version: int

    def keyring(self, note: RawNote) -> Keyring:
        """The keys of the note's tenant."""
        return Keyring(self.root, self.key_version, note.tenant)

    def plan(self, detected: Detected) -> Planned:
        """Name the surrogates a note needs."""
        mentions, authored = self._mentions(detected), self._authored(detected.note)
        asked = (*mentions, authored) if authored else mentions
        labels = {i: m.label for m in asked for i in self.operators[m.label].identities(m)}
        return Planned(detected, mentions, authored, self._needs(detected.note, labels))

    def choose(
        self, batch: Sequence[Planned], known: Mapping[bytes, bytes]
    ) -> list[tuple[bytes, bytes]]:
        """Derive the surrogates that the store does not know yet: pairs of name and sealed value.

        A surrogate depends on key, tenant, patient and original alone, never on the note: whoever
        claims it first, and in whatever order, claims the same.
        """
        claims = {
            need.name: self._sealed(planned.note, identity, need)
            for planned in batch
            for identity, need in planned.needs.items()
            if need.name not in known
        }
        return list(claims.items())

    def substitute(self, planned: Planned, stored: Mapping[bytes, bytes]) -> Substituted:
        """Write a note anew; ``stored`` holds every name of its plan.

        Raises:
            InvalidSpan: The spans overlap.
            ValueError: A stored surrogate was sealed under another key.
        """
        keyring = self.keyring(planned.note)
        claimed = {i: keyring.unseal(n.name, stored[n.name]) for i, n in planned.needs.items()}
        settled = displaced(planned, claimed, self._derived)
        text, landed = substitute(planned.note.text, self._replacements(planned, settled))
        authored_at = self._authored_at(planned, settled)
        moved = sum(settled[identity] != claimed[identity] for identity in claimed)
        return Substituted(planned, text, landed, authored_at, moved)

    def _mentions(self, detected: Detected) -> tuple[Mention, ...]:
        text, language = detected.note.text, detected.note.language
        dates = [text[s.start : s.end] for s in detected.spans if s.label is PhiLabel.DATE]
        facts = NoteFacts(day_first(dates, language), language)
        return tuple(Mention(text[s.start : s.end], s.label, facts) for s in detected.spans)

    def _authored(self, note: RawNote) -> Mention | None:
        operator = self.policy.operators[PhiLabel.DATE]
        if note.authored_at is None or operator in {OperatorName.REDACT, OperatorName.KEEP}:
            return None
        return Mention(note.authored_at.strip(), PhiLabel.DATE)

    def _needs(self, note: RawNote, labels: Mapping[Identity, PhiLabel]) -> Mapping[Identity, Need]:
        keyring, patient = self.keyring(note), note.patient_id
        return {
            i: Need(keyring.digest("store", POOLS, self._range(i), patient, i.kind, i.value), label)
            for i, label in sorted(labels.items())
        }

    def _range(self, identity: Identity) -> str:
        # A shift claimed under another range must not outlive a change of policy.
        return str(self.policy.dates.max_shift_days) if identity.kind == "date.shift" else ""

    def _sealed(self, note: RawNote, identity: Identity, need: Need) -> bytes:
        return self.keyring(note).seal(need.name, self._derived(note, identity, need.label, 0))

    def _derived(self, note: RawNote, identity: Identity, label: PhiLabel, probe: int) -> str:
        draws = Draws(self.keyring(note), note.patient_id, probe)
        return self.operators[label].derive(identity, draws)

    def _replacements(
        self, planned: Planned, surrogates: Mapping[Identity, str]
    ) -> list[Replacement]:
        pairs = zip(planned.detected.spans, planned.mentions, strict=True)
        return [
            Replacement(span, self._rendered(mention, surrogates), self.operators[span.label].name)
            for span, mention in pairs
        ]

    def _rendered(self, mention: Mention, surrogates: Mapping[Identity, str]) -> str:
        text = self.operators[mention.label].render(mention, surrogates)
        kept = self.policy.operators[mention.label] is OperatorName.KEEP
        if is_direct(mention.label) and not kept and canonical(text) == canonical(mention.text):
            # No surrogate at all is better than the original for one.
            return f"[{mention.label}]"
        return text

    def _authored_at(self, planned: Planned, surrogates: Mapping[Identity, str]) -> str | None:
        if planned.authored is None:
            return None
        moment = self.operators[PhiLabel.DATE].render(planned.authored, surrogates)
        # What is not a date and a time through and through may hold anything.
        return moment if _MOMENT.fullmatch(moment) else None
