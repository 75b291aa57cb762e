"""Sentence KNEO: each sentence becomes one of its nearest neighbours in a de-identified pool.

Source: K-Nearest Embeddings Obfuscation of Abdalla et al., at sentence level as in "Anonymization
Through Substitution: Words vs Sentences", section 4.5: one of the five most similar is drawn.
It is applied after surrogates, and the query is embedded with replaced spans written as labels, so
identity does not steer the choice. Where the policy says so, neighbours come from few notes that
resemble the whole note (``donors``), and the output is attacked before it leaves (``deniability``).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from deidstream.models.kneo.deniability import Deniability
from deidstream.models.kneo.donors import DonorChooser, Donors
from deidstream.models.kneo.drafts import Choice, NoteDraft, Standing, choose_otherwise
from deidstream.models.kneo.index import Index
from deidstream.models.kneo.kneo_query import KneoQuery, KneoResult
from deidstream.models.kneo.neighbours import NeighbourSearch, OpenUnit
from deidstream.models.kneo.rebuilding import rebuild
from deidstream.models.kneo.units import Unit, cut_units
from deidstream.models.references.own_attack import NoteTrace
from deidstream.models.references.reference_notes import mean_vector
from deidstream.schemas.kneo_policy import KneoPolicy, OtherLines, Take
from deidstream.schemas.ports import Embedder

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SentenceKneo:
    """Draws sentences of an index in place of a note's own; a pure function of note and key."""

    index: Index
    embedder: Embedder
    policy: KneoPolicy
    search: NeighbourSearch = field(init=False, repr=False)
    chooser: DonorChooser | None = field(init=False, repr=False)
    deniability: Deniability | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay out the reference notes once."""
        notes, policy = self.index.notes, self.policy
        search = NeighbourSearch(self.index, policy)
        chooser = DonorChooser.of(notes, policy) if policy.donors else None
        deniability = Deniability.of(self.index, policy) if policy.deniability else None
        object.__setattr__(self, "search", search)
        object.__setattr__(self, "chooser", chooser)
        object.__setattr__(self, "deniability", deniability)

    def substitute(self, batch: Sequence[KneoQuery]) -> list[KneoResult]:
        """Substitute the sentences of each note; all are embedded in one call.

        Returns:
            One result a note, in order. It does not depend on the notes beside it, provided the
            embedder's vectors do not.
        """
        cut = [cut_units(query.text, query.replacements, self.policy.min_words) for query in batch]
        vectors = self._embed(cut)
        notes = [
            [OpenUnit(query, unit, vectors.get(unit.query, self._absent)) for unit in units]
            for query, units in zip(batch, cut, strict=True)
        ]
        pooled: Iterator[list[int]] = iter(())
        if self.chooser is None:
            asked = [one for note in notes for one in note if one.unit.open]
            pooled = iter(self.search.search_pool(asked))
        return [
            self._finish(self._draft_note(query, note, pooled))
            for query, note in zip(batch, notes, strict=True)
        ]

    def _embed(self, cut: Sequence[Sequence[Unit]]) -> Mapping[str, Rows]:
        """Embed the open units, and all others where whole notes are compared."""
        whole = self.chooser is not None or self.deniability is not None
        texts = sorted({unit.query for units in cut for unit in units if whole or unit.open})
        return dict(zip(texts, self.embedder.embed(texts), strict=True)) if texts else {}

    def _draft_note(
        self, query: KneoQuery, note: Sequence[OpenUnit], pooled: Iterator[list[int]]
    ) -> Iterator[NoteDraft]:
        """Yield a draft for each choice of donors, or the one draft where they are not chosen."""
        original = self._trace(note)
        if self.chooser is None or original is None:
            found = [next(pooled) if one.unit.open else [] for one in note]
            yield self._draw(_empty_draft(query, note, found, original))
            return
        for donors in self.chooser.choose(query, original, self.index.digest):
            rows = self._rows_of(query, donors)
            whole = rows if self.policy.take is Take.ALL else None
            found = [
                self.search.search_rows(one, sorted(rows)) if one.unit.open and not whole else []
                for one in note
            ]
            draft = _empty_draft(query, note, found, original)
            draft.donors, draft.whole = donors, whole
            yield self._draw(draft)

    def _trace(self, note: Sequence[OpenUnit]) -> NoteTrace | None:
        """Return what an attacker who holds the original compares of it, where that is needed."""
        if self.chooser is None and self.deniability is None:
            return None
        words = self.index.notes.sketch("\n".join(one.unit.query for one in note))
        return NoteTrace(words, mean_vector(_stack(note, self.embedder.dimension)))

    def _rows_of(self, query: KneoQuery, donors: Donors) -> list[int]:
        """Return the sentences of donors in their order, but for those that may not stand."""
        notes = [self.index.notes.rows.of(number).tolist() for number in donors.drawn]
        rows = dict.fromkeys(row for note in notes for row in note)
        return [
            row
            for row in rows
            if not self.index.donors.holds(row, query.donors)
            and not query.banned(self.index.texts[row])
        ]

    def _draw(self, draft: NoteDraft) -> NoteDraft:
        """Draw a neighbour for each open unit; no sentence twice in a note."""
        used: set[int] = set()
        for number, unit in enumerate(draft.units):
            if not unit.open:
                draft.choices.append(self._choose_closed(unit))
                continue
            unused = (row for row in draft.candidates[number] if row not in used)
            rows = list(islice(unused, self.policy.neighbours))
            if not rows:
                draft.choices.append(choose_otherwise(self.policy.otherwise))
                continue
            parts = (draft.query.note_id, str(number), self.index.digest)
            row = rows[draft.query.keyring.draw("kneo", *parts).below(len(rows))]
            used.add(row)
            draft.choices.append(Choice(Standing.POOL, row))
        return draft

    def _choose_closed(self, unit: Unit) -> Choice:
        """Choose whether a unit that is no prose stays."""
        lines, least = self.policy.other_lines, self.policy.common_lines
        stays = lines is OtherLines.KEEP or (
            lines is OtherLines.COMMON and self.index.notes.count_line(unit.query) >= least
        )
        return Choice(Standing.OWN if stays else Standing.DROPPED)

    def _finish(self, drafts: Iterator[NoteDraft]) -> KneoResult:
        if self.deniability is None:
            return rebuild(next(drafts), self.index, self.policy)
        draft, report = self.deniability.settle(drafts)
        return rebuild(draft, self.index, self.policy, report)

    @property
    def _absent(self) -> Rows:
        """The vector of a unit that was not embedded, as nothing asks for it."""
        return np.zeros(self.embedder.dimension, np.float32)


def _empty_draft(
    query: KneoQuery,
    note: Sequence[OpenUnit],
    candidates: Sequence[Sequence[int]],
    original: NoteTrace | None,
) -> NoteDraft:
    units = [one.unit for one in note]
    dimension = len(note[0].vector) if note else 0
    return NoteDraft(query, units, _stack(note, dimension), original, None, candidates, [])


def _stack(note: Sequence[OpenUnit], dimension: int) -> Rows:
    return np.array([one.vector for one in note], np.float32).reshape(len(note), dimension)
