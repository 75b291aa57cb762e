"""Sentence KNEO: each sentence becomes one of its nearest neighbours in a de-identified pool.

Source: K-Nearest Embeddings Obfuscation of Abdalla et al., at sentence level as in "Anonymization
Through Substitution: Words vs Sentences", section 4.5: one of the five most similar is drawn.
It is applied after surrogates, and the query is embedded with replaced spans written as labels, so
identity does not steer the choice.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.index import Index, Neighbour
from deidstream.models.kneo.units import Unit, cut_units
from deidstream.models.output_record import patient_pseudonym
from deidstream.models.records import KNEO, Substituted
from deidstream.models.text.context import Condition
from deidstream.models.text.folding import words_of
from deidstream.models.text.search import MOST_WORDS, Term, find_occurrences
from deidstream.schemas.policy import KneoPolicy
from deidstream.schemas.ports import Embedder
from deidstream.schemas.span import Replacement
from deidstream.schemas.time_budget import within_time

# Neighbours are asked for in steps of 4, 16 and 64 times the wanted, as far as they are needed.
_STEPS: Final = (4, 16, 64)


@dataclass(frozen=True, slots=True)
class KneoQuery:
    """A text whose PHI has been replaced and whose sentences are to be replaced."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    """Sorted, disjoint, landed in ``text``."""
    note_id: str = field(repr=False)
    donor: str = field(repr=False)
    """The patient's pseudonym: the patient's own sentences are not drawn."""
    keyring: Keyring
    banned: Callable[[str], bool] = field(repr=False)
    """Returns whether a pool sentence holds a direct identifier of the original note."""


@dataclass(frozen=True, slots=True)
class KneoResult:
    """The text of a note after KNEO."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    """Those still in the text, at their new places; the others went with their sentence."""
    substituted: tuple[tuple[int, int], ...]
    """``[start, end)`` in ``text`` of each sentence that came from the pool."""
    sources: tuple[tuple[int, int], ...]
    """``[start, end)`` in the query's text of the sentence that each of them replaces."""
    kept: int
    """Sentences and headings that were not replaced, being too short or without a neighbour."""


@dataclass(frozen=True, slots=True)
class _Nearest:
    """A query's vector and its nearest neighbours so far."""

    row: NDArray[np.float32]
    near: tuple[Neighbour, ...]


@dataclass(frozen=True, slots=True)
class SentenceKneo:
    """Draws sentences of an index in place of a note's own; a pure function of note and key."""

    index: Index
    embedder: Embedder
    policy: KneoPolicy

    def substitute(self, batch: Sequence[KneoQuery]) -> list[KneoResult]:
        """Substitute the sentences of each note; all are embedded in one call.

        Returns:
            One result a note, in order. It does not depend on the notes beside it, provided the
            embedder's vectors do not.
        """
        cut = [cut_units(query.text, query.replacements, self.policy.min_words) for query in batch]
        found = self._search_queries(
            sorted({unit.query for note in cut for unit in note if unit.open})
        )
        return [
            _rebuild(query, self._draw_neighbours(query, note, found))
            for query, note in zip(batch, cut, strict=True)
        ]

    def _search_queries(self, queries: Sequence[str]) -> dict[str, _Nearest]:
        if not queries:
            return {}
        rows = self.embedder.embed(queries)
        near = self.index.search(rows, _STEPS[0] * self.policy.neighbours)
        return {q: _Nearest(rows[i : i + 1], near[i]) for i, q in enumerate(queries)}

    def _draw_neighbours(
        self, query: KneoQuery, note: Sequence[Unit], found: Mapping[str, _Nearest]
    ) -> list[tuple[Unit, str | None]]:
        """Draw a neighbour for each open unit; no sentence twice in a note."""
        used: set[int] = set()
        drawn: list[tuple[Unit, str | None]] = []
        for number, unit in enumerate(within_time(note)):
            rows = self._find_candidates(query, unit, found, used) if unit.open else []
            if not rows:
                drawn.append((unit, None))
                continue
            parts = (query.note_id, str(number), self.index.digest)
            row = rows[query.keyring.draw("kneo", *parts).below(len(rows))]
            used.add(row)
            drawn.append((unit, self.index.texts[row]))
        return drawn

    def _find_candidates(
        self, query: KneoQuery, unit: Unit, found: Mapping[str, _Nearest], used: set[int]
    ) -> list[int]:
        """Return the nearest rows that may be drawn; widen the search while there are too few."""
        wanted = self.policy.neighbours
        here = found[unit.query]
        own = (_word_set(unit.query), _word_set(query.text[unit.start : unit.end]))
        rows: list[int] = []
        for step in _STEPS:
            near = here.near
            if step != _STEPS[0]:
                near = self.index.search(here.row, step * wanted)[0]
            fitting = (n.row for n in near if n.row not in used and self._is_allowed(query, own, n))
            rows = list(islice(fitting, wanted))
            if len(rows) >= wanted or len(near) == len(self.index.texts):
                break
        return rows

    def _is_allowed(self, query: KneoQuery, own: Sequence[frozenset[str]], near: Neighbour) -> bool:
        if near.cosine > self.policy.max_cosine:
            return False
        donor, text = self.index.donors[near.row], self.index.texts[near.row]
        if donor and donor == query.donor:
            return False
        theirs = _word_set(text)
        if any(_jaccard(words, theirs) > self.policy.max_jaccard for words in own):
            return False
        return not query.banned(text)


def _rebuild(query: KneoQuery, drawn: Sequence[tuple[Unit, str | None]]) -> KneoResult:
    parts: list[str] = []
    substituted: list[tuple[int, int]] = []
    moves: list[tuple[int, int, int]] = []
    at, length = 0, 0
    for unit, text in drawn:
        if text is None:
            continue
        gap = query.text[at : unit.start]
        moves.append((unit.start, unit.end, length + len(gap) + len(text) - unit.end))
        substituted.append((length + len(gap), length + len(gap) + len(text)))
        parts += [gap, text]
        at, length = unit.end, substituted[-1][1]
    parts.append(query.text[at:])
    return KneoResult(
        text="".join(parts),
        replacements=tuple(_shift_replacements(query.replacements, moves)),
        substituted=tuple(substituted),
        sources=tuple((start, end) for start, end, _ in moves),
        kept=len(drawn) - len(substituted),
    )


def _shift_replacements(
    replacements: Sequence[Replacement], moves: Sequence[tuple[int, int, int]]
) -> Iterator[Replacement]:
    """Yield the replacements outside all substituted units, shifted by what came before them."""
    at = 0
    for one in replacements:
        while at < len(moves) and moves[at][1] <= one.out_start:
            at += 1
        if at == len(moves) or one.out_end <= moves[at][0]:
            shift = moves[at - 1][2] if at else 0
            yield replace(one, out_start=one.out_start + shift, out_end=one.out_end + shift)


def _word_set(text: str) -> frozenset[str]:
    bare = ("".join(c for c in word if c.isalnum()) for word in text.casefold().split())
    return frozenset(word for word in bare if word)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    union = len(one | other)
    return len(one & other) / union if union else 0.0


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Replaces the sentences of notes by neighbours, under one key."""

    kneo: SentenceKneo
    root: bytes = field(repr=False)
    key_version: int

    def rewrite(self, batch: Sequence[Substituted]) -> list[Substituted]:
        """Rewrite each note; all sentences of the batch are embedded in one call."""
        results = self.kneo.substitute([self._query(item) for item in batch])
        return [_apply_result(item, result) for item, result in zip(batch, results, strict=True)]

    def _query(self, item: Substituted) -> KneoQuery:
        note = item.planned.note
        keyring = Keyring(self.root, self.key_version, note.tenant)
        return KneoQuery(
            text=item.text,
            replacements=item.replacements,
            note_id=note.note_id,
            donor=patient_pseudonym(keyring, note.patient_id),
            keyring=keyring,
            banned=_holds_any([_without_condition(t) for t in item.planned.leak_terms]),
        )


def _without_condition(term: Term) -> Term:
    # What precedes a neighbour in the note is not known to the pool, so no condition can be judged.
    return replace(term, condition=Condition.ANYWHERE)


def _holds_any(terms: Collection[Term]) -> Callable[[str], bool]:
    """Return a test of short texts for any of ``terms``: quick to say no, exact when it says yes.

    An occurrence has every word of its term, and a loose one has its letters and digits in a row;
    only a text that may hold one is searched.
    """
    exact = [frozenset(words_of(term.text)[:MOST_WORDS]) for term in terms if not term.loose]
    loose = ["".join(words_of(term.text)) for term in terms if term.loose]

    def holds(text: str) -> bool:
        words = words_of(text)
        found = set(words)
        joined = "".join(words)
        maybe = any(words and words <= found for words in exact) or any(k in joined for k in loose)
        return maybe and bool(find_occurrences(text, terms))

    return holds


def _apply_result(item: Substituted, result: KneoResult) -> Substituted:
    return replace(item, text=result.text, replacements=tuple(_follow_replacements(item, result)))


def _follow_replacements(item: Substituted, result: KneoResult) -> Iterator[Replacement]:
    """Yield every replacement; one whose sentence was replaced points to the neighbour."""
    remaining = {r.span: r for r in result.replacements}
    starts = [start for start, _ in result.sources]
    for one in item.replacements:
        if one.span in remaining:
            yield remaining[one.span]
        else:
            place = bisect_right(starts, one.out_start) - 1
            start, end = result.substituted[place]
            yield replace(one, operator=KNEO, out_start=start, out_end=end)
