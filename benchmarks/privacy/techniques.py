"""Write the outputs of each technique: those that ship, and the merging of Larbi et al.

Pool, reference notes and word vectors of a note are made from the notes of the other folds. The
identifiers of the notes are known, so that recognition plays no part here.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collection import CollectedNote
from faker import Faker
from figures import Output

from deidstream.models.keyring import Keyring
from deidstream.models.kneo import index as kneo_index
from deidstream.models.kneo.kneo_query import KneoQuery, KneoResult
from deidstream.models.kneo.sentence_kneo import SentenceKneo
from deidstream.models.text.sentences import split_sentences
from deidstream.schemas.kneo_policy import KneoPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.ports import Embedder
from deidstream.schemas.span import Replacement
from deidstream.study.pools.index_builder import Materials, build_index
from deidstream.study.pools.pool import choose_pool

KEYRING = Keyring(b"benchmark of techniques".ljust(32), 1, "default")


@dataclass(frozen=True, slots=True)
class Surrogated:
    """A note with surrogates in the place of its identifiers."""

    text: str = field(repr=False)
    replacements: tuple[Replacement, ...] = field(repr=False)


def place_surrogates(notes: Sequence[CollectedNote]) -> list[Surrogated]:
    faker = Faker("en_US")
    faker.seed_instance(2)
    return [_place(note, faker) for note in notes]


def _place(note: CollectedNote, faker: Faker) -> Surrogated:
    parts, landed, end, length = list[str](), list[Replacement](), 0, 0
    for span in note.spans:
        invented = _invent(span.label, faker)
        before = note.text[end : span.start]
        start = length + len(before)
        landed.append(Replacement(span, invented, "surrogate", start, start + len(invented)))
        parts += [before, invented]
        end, length = span.end, start + len(invented)
    return Surrogated("".join([*parts, note.text[end:]]), tuple(landed))


def _invent(label: PhiLabel, faker: Faker) -> str:
    if label is PhiLabel.PATIENT:
        return f"{faker.first_name()} {faker.last_name()}"
    if label is PhiLabel.DOCTOR:
        return faker.last_name()
    if label is PhiLabel.DATE:
        return faker.date_between("-60y").strftime("%m/%d/%Y")
    return str(faker.random_int(10**6, 10**7 - 1))


def redact(notes: Sequence[CollectedNote]) -> Iterator[Output]:
    for number, note in enumerate(notes):
        yield Output(note.redacted, number)


def surrogate(notes: Sequence[CollectedNote]) -> Iterator[Output]:
    for number, one in enumerate(place_surrogates(notes)):
        yield Output(one.text, number)


def merge(notes: Sequence[CollectedNote], members: int) -> Iterator[Output]:
    """Merge notes of one kind, their sentences shuffled: Larbi et al., sections 3 and A.

    What is looked for is one given member.
    """
    rng = random.Random(members)
    kinds: dict[tuple[int, str], list[int]] = defaultdict(list)
    for number, note in enumerate(notes):
        kinds[note.fold, note.kind].append(number)
    for numbers in kinds.values():
        rng.shuffle(numbers)
        for first in range(0, len(numbers) - members + 1, members):
            chosen = numbers[first : first + members]
            texts = (notes[number].redacted for number in chosen)
            lines = [text[s.start : s.end] for text in texts for s in split_sentences(text)]
            rng.shuffle(lines)
            yield Output("\n".join(lines), chosen[0], frozenset(chosen[1:]))


@dataclass(frozen=True, slots=True)
class FoldIndices:
    """For each fold the index of the notes of the others."""

    indices: Sequence[kneo_index.Index]
    embedders: Sequence[Embedder]
    numbers: Mapping[str, int] = field(repr=False)
    """The number of each note by the pseudonym of its patient in the index."""


def build_indices(
    notes: Sequence[CollectedNote], embedders: Sequence[Embedder], folder: Path
) -> FoldIndices:
    """Build the index of each fold, or load it where the folder holds it."""
    made = list[kneo_index.Index]()
    for fold, embedder in enumerate(embedders):
        place = folder / f"index-{fold}"
        if not (place / "DIGEST").exists():
            pool = choose_pool(_pool_notes(notes, fold), ())
            materials = Materials(pool.sentences, (), pool.notes)
            build_index(embedder, "benchmark", materials, place, lambda *_: None)
        made.append(kneo_index.load(place, embedder.digest))
    return FoldIndices(made, embedders, {note.note_id: number for number, note in enumerate(notes)})


def _pool_notes(notes: Sequence[CollectedNote], fold: int) -> Iterator[RawNote]:
    for note in notes:
        if note.fold != fold and "test" not in note.splits.values():
            yield RawNote(note.note_id, note.note_id, note.redacted, note_type=note.kind)


@dataclass(frozen=True, slots=True)
class Written:
    """The result of one note, for counting conflicts."""

    query: KneoQuery = field(repr=False)
    result: KneoResult = field(repr=False)


def exchange_sentences(
    notes: Sequence[CollectedNote],
    indices: FoldIndices,
    policy: KneoPolicy,
    watch: Callable[[Written], None],
    make: Callable[[kneo_index.Index, Embedder, KneoPolicy], SentenceKneo] = SentenceKneo,
    *,
    keyring: Keyring = KEYRING,
) -> Iterator[Output]:
    """Run sentence KNEO, or that by notes, over the notes of each fold in turn."""
    placed = place_surrogates(notes)
    for fold, index in enumerate(indices.indices):
        kneo = make(index, indices.embedders[fold], policy)
        for number, note in enumerate(notes):
            if note.fold != fold:
                continue
            query = KneoQuery(
                text=placed[number].text,
                replacements=placed[number].replacements,
                note_id=note.note_id,
                donors=frozenset({note.note_id}),
                keyring=keyring,
                banned=lambda _: False,
                note_type=note.kind or None,
            )
            result = kneo.substitute([query])[0]
            watch(Written(query, result))
            yield Output(result.text, number, _find_donors(result, index, indices.numbers))


def _find_donors(
    result: KneoResult, index: kneo_index.Index, numbers: Mapping[str, int]
) -> frozenset[int]:
    """Return the numbers of the notes that hold the sentences of an output."""
    rows = rows_of(index)
    found = (rows.get(line) for line in result.text.splitlines())
    parts = (rows.get(result.text[start:end]) for start, end in result.substituted)
    held = {row for row in (*found, *parts) if row is not None}
    return frozenset(numbers[name] for row in held for name in index.donors.of(row))


_ROWS: dict[str, dict[str, int]] = {}


def rows_of(index: kneo_index.Index) -> dict[str, int]:
    """Return the row of each sentence of an index, by its text."""
    if index.digest not in _ROWS:
        _ROWS[index.digest] = {index.texts[row]: row for row in range(len(index.texts))}
    return _ROWS[index.digest]
