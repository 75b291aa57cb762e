"""Sentence KNEO: each sentence becomes one of its nearest neighbours in a de-identified pool.

Source: K-Nearest Embeddings Obfuscation of Abdalla et al., at sentence level as in "Anonymization
Through Substitution: Words vs Sentences", section 4.5: one of the five most similar is drawn.
It is applied after surrogates, and the query is embedded with replaced spans written as labels, so
identity does not steer the choice.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from typing import Final

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.forms import Form
from deidstream.models.kneo.guards.agreement import contradicts
from deidstream.models.kneo.guards.features import Features, read_features
from deidstream.models.kneo.index import Index, Neighbour
from deidstream.models.kneo.units import Unit, cut_units, write_labels
from deidstream.schemas.kneo_policy import KneoPolicy, Otherwise
from deidstream.schemas.ports import Embedder
from deidstream.schemas.span import Replacement
from deidstream.schemas.time_budget import within_time

# Neighbours are asked for in steps of 16 and 64 times the wanted, as far as they are needed.
_STEPS: Final = (16, 64)
DROPPED: Final = "[...]"
"""Stands in the place of a sentence that was dropped."""


@dataclass(frozen=True, slots=True)
class KneoQuery:
    """A text whose PHI has been replaced and whose sentences are to be replaced."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)
    """Sorted, disjoint, landed in ``text``."""
    note_id: str = field(repr=False)
    donors: frozenset[str] = field(repr=False)
    """Names of the patient in the pool: the patient's own sentences are not drawn."""
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
    """``[start, end)`` in ``text`` of what stands in the place of each changed sentence."""
    sources: tuple[tuple[int, int], ...]
    """``[start, end)`` in the query's text of the sentence that each of them replaces."""
    kept: Counter[Form]
    """What stayed as it was, by its form; prose is without a neighbour and kept by the policy."""
    withheld: int
    """Sentences without a neighbour that were dropped or redacted; they are in ``sources``."""


@dataclass(frozen=True, slots=True)
class _Own:
    """What a neighbour is compared with."""

    features: Features = field(repr=False)
    words: tuple[frozenset[str], ...] = field(repr=False)
    """Two sets: the words of the text to embed, and those of the note's own text."""

    @classmethod
    def read(cls, query: str, text: str) -> "_Own":
        return cls(read_features(query), (_word_set(query), _word_set(text)))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A unit, and the text that stands in its place."""

    unit: Unit
    text: str | None = field(repr=False)
    """``None`` where the unit stays."""
    from_pool: bool = False


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
        asked = [
            (query, unit)
            for query, note in zip(batch, cut, strict=True)
            for unit in note
            if unit.open
        ]
        candidates = iter(self._find_candidates(asked))
        return [
            _rebuild(query, self._draw_neighbours(query, note, candidates))
            for query, note in zip(batch, cut, strict=True)
        ]

    def _find_candidates(self, asked: Sequence[tuple[KneoQuery, Unit]]) -> list[list[int]]:
        """Return for each unit the rows that may stand in its place, nearest first.

        The search is widened, once, for all units that have fewer than wanted.
        """
        texts = sorted({unit.query for _, unit in asked})
        if not texts:
            return []
        places = {text: place for place, text in enumerate(texts)}
        vectors = self.embedder.embed(texts)
        rows: list[list[int]] = [[] for _ in asked]
        few = list(range(len(asked)))
        for step in _STEPS:
            searched = sorted({places[asked[n][1].query] for n in few})
            found = self.index.search(vectors[searched], step * self.policy.neighbours)
            near = dict(zip(searched, found, strict=True))
            for number in within_time(few):
                query, unit = asked[number]
                rows[number] = self._choose_allowed(query, unit, near[places[unit.query]])
            few = [n for n in few if len(rows[n]) < self.policy.neighbours]
            if not few:
                break
        return rows

    def _choose_allowed(self, query: KneoQuery, unit: Unit, near: Sequence[Neighbour]) -> list[int]:
        own = _Own.read(unit.query, query.text[unit.start : unit.end])
        close = takewhile(lambda n: n.cosine >= self.policy.min_cosine, near)
        return [n.row for n in close if self._is_allowed(query, own, n)]

    def _draw_neighbours(
        self, query: KneoQuery, note: Sequence[Unit], candidates: Iterator[Sequence[int]]
    ) -> list[_Drawn]:
        """Draw a neighbour for each open unit; no sentence twice in a note."""
        used: set[int] = set()
        drawn: list[_Drawn] = []
        for number, unit in enumerate(note):
            unused = (row for row in next(candidates) if row not in used) if unit.open else ()
            rows = list(islice(unused, self.policy.neighbours))
            if not rows:
                drawn.append(_Drawn(unit, self._write_otherwise(query, unit)))
                continue
            parts = (query.note_id, str(number), self.index.digest)
            row = rows[query.keyring.draw("kneo", *parts).below(len(rows))]
            used.add(row)
            drawn.append(_Drawn(unit, self.index.texts[row], from_pool=True))
        return drawn

    def _write_otherwise(self, query: KneoQuery, unit: Unit) -> str | None:
        """Return what stands in the place of a unit without a neighbour; ``None``: itself."""
        if not unit.open or self.policy.otherwise is Otherwise.KEEP:
            return None
        if self.policy.otherwise is Otherwise.DROP:
            return DROPPED
        return write_labels(query.text, (unit.start, unit.end), unit.inside, "[{}]")

    def _is_allowed(self, query: KneoQuery, own: _Own, near: Neighbour) -> bool:
        if near.cosine > self.policy.max_cosine:
            return False
        if self.index.donors.holds(near.row, query.donors):
            return False
        if contradicts(own.features, self.index.features.row(near.row), self.policy.guards):
            return False
        text = self.index.texts[near.row]
        theirs = _word_set(text)
        if any(_jaccard(words, theirs) > self.policy.max_jaccard for words in own.words):
            return False
        return not query.banned(text)


def _rebuild(query: KneoQuery, drawn: Sequence[_Drawn]) -> KneoResult:
    parts: list[str] = []
    substituted: list[tuple[int, int]] = []
    moves: list[tuple[int, int, int]] = []
    at, length = 0, 0
    kept = Counter[Form]()
    for one in drawn:
        unit, text = one.unit, one.text
        if text is None:
            kept[unit.form] += 1
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
        kept=kept,
        withheld=sum(one.text is not None and not one.from_pool for one in drawn),
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
