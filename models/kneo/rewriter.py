"""Rewrite notes whose surrogates are in place: what sentence KNEO needs of them, and what follows.

A neighbour may by chance hold a direct identifier of the note; it is banned. The replacements of a
note follow their sentences to where these now stand.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.kneo_query import KneoQuery, KneoResult
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.records import KNEO, Substituted
from deidstream.models.release_ids import donors_of, releases_of
from deidstream.models.text.context import Condition
from deidstream.models.text.folding import words_of
from deidstream.models.text.search import MOST_WORDS, Term, find_occurrences
from deidstream.schemas.span import Replacement


@dataclass(frozen=True, slots=True)
class Rewriter:
    """Replaces the sentences of notes by neighbours, under one key."""

    kneo: SentenceKneo
    root: bytes = field(repr=False)
    key_version: int
    _releases: tuple[str, ...] = field(init=False)
    """The releases from which the index has donors."""

    def __post_init__(self) -> None:
        """Read the releases once."""
        object.__setattr__(self, "_releases", releases_of(self.kneo.index.donors))

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
            donors=donors_of(keyring, note.patient_id, self._releases),
            keyring=keyring,
            banned=_holds_any([_without_condition(t) for t in item.planned.leak_terms]),
            note_type=note.note_type,
        )


def _without_condition(term: Term) -> Term:
    # What precedes a neighbour in the note is not known to the pool, so no condition can be judged.
    return term._replace(condition=Condition.ANYWHERE)


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
    return replace(
        item,
        text=result.text,
        replacements=tuple(_follow_replacements(item, result)),
        kneo=result.report,
    )


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
