"""Change the draft of a note until its own original is one of many that it might come from.

Source: plausible deniability of Bindschaedler, Shokri and Gunter (VLDB 2017): a synthetic record is
released only if at least k records of the input might have given it. Here the draft is attacked as
``deidstream attack`` would attack the output: the rank of the own original among reference notes,
by words and by vectors, has to be at least k.

The order of changes depends on the draft alone, not on k: a larger k goes further on the same way,
so that it never ends at a lower rank.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from deidstream.models.kneo.donors import find_alike, find_numbers, number_patients
from deidstream.models.kneo.drafts import Choice, NoteDraft, Standing
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.revealing import TracedDraft, TracePart, weigh_units
from deidstream.models.references.own_attack import ComparedNotes, OwnAttack, attack_output
from deidstream.models.time_budget import within_time
from deidstream.schemas.kneo_policy import KneoPolicy, OnUndeniable
from deidstream.schemas.kneo_report import DeniabilityReport

MOST_DONORS: Final = 12
"""How often other donors are drawn before units are changed."""
MOST_ROUNDS: Final = 40
"""How often units are changed."""
_REDRAWS: Final = 2
"""How often another sentence is drawn for a unit before it is dropped."""
_AT_ONCE: Final = 10
"""A round changes this share, one in so many, of the units that can be changed."""


@dataclass(frozen=True, slots=True)
class Deniability:
    """Attacks drafts and changes them, against the reference notes of an index."""

    index: Index
    policy: KneoPolicy
    compared: ComparedNotes = field(repr=False)
    notes_of: Mapping[str, Sequence[int]] = field(repr=False)
    """Numbers of the reference notes of each patient."""

    @classmethod
    def of(cls, index: Index, policy: KneoPolicy) -> "Deniability":
        """Lay out the reference notes of an index."""
        compared = ComparedNotes.choose(index.notes, policy.references)
        return cls(index, policy, compared, number_patients(index.notes))

    def settle(self, drafts: Iterator[NoteDraft]) -> tuple[NoteDraft, DeniabilityReport]:
        """Return the first draft whose rank is the wanted one, or else change the best of them.

        Args:
            drafts: Of one note, each with other donors; at least one.

        Returns:
            The draft as it is to be written: where the rank is not reached, that of the best rank
            or, as the policy says, one without any sentence.
        """
        best: TracedDraft | None = None
        attack: OwnAttack | None = None
        rounds = -1
        for draft in within_time(islice(drafts, MOST_DONORS)):
            rounds += 1
            traced = self._trace(draft)
            found = self._attack(traced)
            if attack is None or found.rank > attack.rank:
                best, attack = traced, found
            if attack.rank >= self.policy.deniability:
                break
        if best is None or attack is None:
            msg = "a note without a draft"
            raise ValueError(msg)
        attack, changes = self._change_units(best, attack)
        report = self._report(attack, rounds + changes)
        if report.reached or self.policy.on_undeniable is not OnUndeniable.REDACT:
            return best.draft, report
        return best.draft, self._withhold(best.draft, report.rounds)

    def _change_units(self, traced: TracedDraft, attack: OwnAttack) -> tuple[OwnAttack, int]:
        """Change the units that give most away; the draft becomes the best on the way."""
        best, choices, rounds = attack, list(traced.draft.choices), 0
        while best.rank < self.policy.deniability and rounds < MOST_ROUNDS:
            changing = self._choose_revealing(traced, attack)
            if not changing:
                break
            for number in within_time(changing):
                self._change(traced, number)
            rounds += 1
            attack = self._attack(traced)
            if attack.rank > best.rank:
                best, choices = attack, list(traced.draft.choices)
        traced.draft.choices[:] = choices
        return best, rounds

    def _trace(self, draft: NoteDraft) -> TracedDraft:
        if draft.original is None:
            msg = "a draft without the trace of its original"
            raise ValueError(msg)
        alike = find_alike(self.compared, draft.original, self.policy)
        own = find_numbers(self.notes_of, draft.query.donors)
        left_out = frozenset(alike.tolist()) | frozenset(own)
        parts = self._parts(draft)
        return TracedDraft(draft, draft.original, left_out, parts, [0] * len(parts))

    def _parts(self, draft: NoteDraft) -> list[TracePart]:
        if draft.whole is not None:
            return [self._row_part(row) for row in draft.whole]
        return [self._unit_part(draft, number) for number in range(len(draft.units))]

    def _unit_part(self, draft: NoteDraft, number: int) -> TracePart:
        choice = draft.choices[number]
        if choice.standing is Standing.DROPPED:
            return TracePart.nothing(self.index.facts.dimension)
        if choice.standing is Standing.POOL:
            return self._row_part(choice.row)
        return TracePart(self.index.notes.sketch(draft.units[number].query), draft.vectors[number])

    def _row_part(self, row: int) -> TracePart:
        return TracePart(
            self.index.notes.sketch(self.index.texts[row]), self.index.vectors_of([row])[0]
        )

    def _attack(self, traced: TracedDraft) -> OwnAttack:
        left_out = self._left_out(traced)
        return attack_output(traced.original, traced.output(), self.compared, left_out)

    def _left_out(self, traced: TracedDraft) -> frozenset[int]:
        """Return the reference notes that do not count: the note, the patient's, the donors."""
        draft = traced.draft
        if draft.donors is not None:
            return traced.left_out | frozenset(draft.donors.drawn)
        patients = {one for row in draft.rows() for one in self.index.donors.of(row)[:1]}
        return traced.left_out | frozenset(find_numbers(self.notes_of, patients))

    def _choose_revealing(self, traced: TracedDraft, attack: OwnAttack) -> list[int]:
        """Return the units that give most away: those to be changed next, in their order."""
        if traced.draft.whole is not None:
            return []
        able = [n for n in range(len(traced.parts)) if self._is_changeable(traced, n)]
        if not able:
            return []
        kept = self.compared.keep_but(self._left_out(traced))
        gives = weigh_units(traced, attack, self.compared, kept)
        order = sorted(able, key=lambda number: (-gives[number], number))
        return sorted(order[: len(able) // _AT_ONCE + 1])

    def _is_changeable(self, traced: TracedDraft, number: int) -> bool:
        choice = traced.draft.choices[number]
        if choice.standing is Standing.DROPPED:
            return False
        redrawn = choice.standing is Standing.POOL and traced.redraws[number] < _REDRAWS
        return redrawn or self._may_drop(traced)

    def _may_drop(self, traced: TracedDraft) -> bool:
        return traced.dropped + 1 <= self.policy.most_dropped * len(traced.parts)

    def _change(self, traced: TracedDraft, number: int) -> None:
        """Draw a farther neighbour for a unit, or drop the unit if the pool has no other."""
        choices = traced.draft.choices
        farther = None
        if choices[number].standing is Standing.POOL and traced.redraws[number] < _REDRAWS:
            traced.redraws[number] += 1
            farther = self._draw_farther(traced, number)
        if farther is not None:
            choices[number] = farther
        elif self._may_drop(traced):
            choices[number] = Choice(Standing.DROPPED)
            traced.dropped += 1
        else:
            traced.redraws[number] = _REDRAWS
        traced.parts[number] = self._unit_part(traced.draft, number)

    def _draw_farther(self, traced: TracedDraft, number: int) -> Choice | None:
        """Draw among the neighbours behind those drawn from before."""
        draft, redraw, wanted = traced.draft, traced.redraws[number], self.policy.neighbours
        used = set(draft.rows())
        unused = [row for row in draft.candidates[number] if row not in used]
        rows = unused[wanted * redraw - 1 :][:wanted]
        if not rows:
            return None
        parts = (draft.query.note_id, str(number), self.index.digest, str(redraw))
        row = rows[draft.query.keyring.draw("kneo", *parts).below(len(rows))]
        return Choice(Standing.POOL, row)

    def _withhold(self, draft: NoteDraft, rounds: int) -> DeniabilityReport:
        """Drop every sentence, and every other line that not many notes have."""
        draft.whole = () if draft.whole is not None else None
        for number, unit in enumerate(draft.units):
            common = self.index.notes.count_line(unit.query) >= self.policy.common_lines
            if unit.open or not common:
                draft.choices[number] = Choice(Standing.DROPPED)
        return replace(self._report(self._attack(self._trace(draft)), rounds), redacted=True)

    def _report(self, attack: OwnAttack, rounds: int) -> DeniabilityReport:
        ranks = (attack.jaccard.rank, attack.dense.rank, attack.jaccard.of)
        return DeniabilityReport(self.policy.deniability, *ranks, rounds)
