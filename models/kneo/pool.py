"""Choose the sentences of the pool of sentence KNEO, and build the folder of its index.

A leaked sentence of the pool would be emitted again and again, so a sentence enters only when every
recognizer has read it twice, in its note and alone, and found nothing. The folder is built shard by
shard, so that an interrupted build can continue.
"""

import hashlib
import io
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import Final

import numpy as np
import re2
from numpy.typing import NDArray

from deidstream.models.detection.reconcile import drop_possible
from deidstream.models.keyring import join_prefixed
from deidstream.models.kneo import index
from deidstream.models.kneo.source_notes import (
    PoolRows,
    cut_note,
    find_others,
    make_references,
    number_sentences,
)
from deidstream.models.references.common_lines import comparison_key
from deidstream.models.references.reference_notes import SourceNote
from deidstream.models.risk.contexts import Highlighted, take_contexts
from deidstream.models.text.sentences import Sentence, split_sentences
from deidstream.schemas.note import RawNote
from deidstream.schemas.ports import Embedder, Recognizer
from deidstream.schemas.span import Span

MIN_WORDS = 4
MAX_WORDS = 60
_BATCH = 64
SHARD: Final = 1_000
"""Sentences embedded between two saves."""
_SHARDS: Final = "shards"
_RISKY = re2.compile(r"(?:\p{N}[\p{Z}./\-]?){4}\p{N}|@|://|www\.|(?i:http)")
_BLOOD_PRESSURE = re2.compile(r"\b\p{N}{2,3}/\p{N}{2,3}\b")


@dataclass(frozen=True, slots=True)
class PoolSentence:
    """A sentence that may replace another."""

    text: str = field(repr=False)
    donor: str = field(default="", repr=False)
    """Name of the patient it comes from (``release_ids``); empty for a sentence of no patient."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Sentences, and the words around PHI, of de-identified notes, and what each note is of."""

    sentences: tuple[PoolSentence, ...] = field(repr=False)
    contexts: tuple[str, ...] = field(repr=False)
    notes: tuple[SourceNote, ...] = field(repr=False)


def choose_pool(
    notes: Iterable[RawNote], recognizers: Sequence[Recognizer], words: int = 5
) -> Pool:
    """Choose the sentences that may enter the pool.

    Args:
        notes: De-identified notes; ``patient_id`` is the donor's name (``release_ids``). Read
            once, in batches.
        recognizers: All that the policy names; a sentence in which one finds a span stays out.
        words: Words of context on either side of a found span.

    Returns:
        Sentences and contexts in the order of the notes, each once, and the notes.
    """
    sentences: dict[str, PoolSentence] = {}
    contexts: dict[str, None] = {}
    sources: list[SourceNote] = []
    remaining = iter(notes)
    while batch := list(islice(remaining, _BATCH)):
        for note, spans in zip(batch, _recognize(batch, recognizers), strict=True):
            marked = _mark_spans(spans)
            sources.append(cut_note(note, marked))
            contexts.update(dict.fromkeys(take_contexts(note.text, marked, words)))
            for text in _untouched_sentences(note.text, spans):
                sentences.setdefault(comparison_key(text), PoolSentence(text, note.patient_id))
    unfound = tuple(keep_unfound(list(sentences.values()), recognizers))
    return Pool(unfound, tuple(filter(None, contexts)), tuple(sources))


def keep_unfound(
    sentences: Sequence[PoolSentence], recognizers: Sequence[Recognizer]
) -> Iterator[PoolSentence]:
    """Yield the sentences in which, each read alone, no recognizer finds a span."""
    for begin in range(0, len(sentences), _BATCH):
        batch = sentences[begin : begin + _BATCH]
        notes = [RawNote("", sentence.donor, sentence.text) for sentence in batch]
        for sentence, spans in zip(batch, _recognize(notes, recognizers), strict=True):
            if not spans:
                yield sentence


def is_fitting(text: str) -> bool:
    """Return whether a sentence has a fitting length and no long number or address."""
    if not MIN_WORDS <= len(text.split()) <= MAX_WORDS or not any(c.isalpha() for c in text):
        return False
    return _RISKY.search(_BLOOD_PRESSURE.sub(" ", text)) is None


def _recognize(
    notes: Sequence[RawNote], recognizers: Sequence[Recognizer]
) -> list[tuple[Span, ...]]:
    found: list[tuple[Span, ...]] = [()] * len(notes)
    for recognizer in recognizers:
        spans = [drop_possible(every) for every in recognizer.recognize(notes)]
        found = [a + b for a, b in zip(found, spans, strict=True)]
    return found


def _untouched_sentences(text: str, spans: Sequence[Span]) -> Iterator[str]:
    """Yield the fitting sentences that no span touches, with single spaces."""
    touched = _count_covered(len(text), spans)
    for piece in split_sentences(text):
        if not piece.heading and not _is_touched(touched, piece):
            sentence = " ".join(text[piece.start : piece.end].split())
            if is_fitting(sentence):
                yield sentence


def _count_covered(length: int, spans: Sequence[Span]) -> list[int]:
    """Count, for each place of a text, how many covered characters lie before it."""
    steps = [0] * (length + 1)
    for span in spans:
        steps[span.start] += 1
        steps[span.end] -= 1
    before, depth = [0], 0
    for step in steps[:length]:
        depth += step
        before.append(before[-1] + (depth > 0))
    return before


def _is_touched(touched: Sequence[int], piece: Sentence) -> bool:
    return touched[piece.end] > touched[piece.start]


def _mark_spans(spans: Sequence[Span]) -> list[Highlighted]:
    """Make spans disjoint: of those that overlap the first and longest counts."""
    marked: list[Highlighted] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not marked or span.start >= marked[-1].end:
            marked.append(Highlighted(span.start, span.end, span.label.value))
    return marked


@dataclass(frozen=True, slots=True)
class Materials:
    """The texts an index is made from."""

    sentences: Sequence[PoolSentence] = field(repr=False)
    contexts: Sequence[str] = field(repr=False)
    """Reference contexts of the risk measure; only their vectors are stored."""
    notes: Sequence[SourceNote] = field(default=(), repr=False)
    """The notes that the sentences come from, and others to compare outputs with."""


def build_index(
    embedder: Embedder,
    name: str,
    materials: Materials,
    folder: Path,
    progress: Callable[[int, int], None],
    *,
    resume: bool = True,
) -> str:
    """Embed a pool and write its index folder.

    Args:
        embedder: Makes the vectors; its digest goes into the manifest.
        name: Name of the embedder, for people.
        materials: The pool and the reference contexts.
        folder: Where to; shards are kept in ``folder/shards`` until the index is whole.
        progress: Called after each shard with the texts done so far and in all.
        resume: Take over the shards that an earlier build of the same texts left.

    Returns:
        The digest of the manifest: the identity of the index.

    Raises:
        ValueError: The pool is empty.
    """
    shards = folder / _SHARDS
    if not resume:
        shutil.rmtree(shards, ignore_errors=True)
    shards.mkdir(parents=True, exist_ok=True)
    texts = [sentence.text for sentence in materials.sentences]
    numbers = number_sentences(texts)
    others = find_others(materials.notes, numbers)
    groups = (texts, materials.contexts, others)
    total, done = sum(map(len, groups)), 0
    rows: list[NDArray[np.float32]] = [np.empty((0, embedder.dimension), np.float32)]
    for shard in chain.from_iterable(map(_cut_shards, groups)):
        rows.append(_embed_shard(embedder, shard, shards))
        done += len(shard)
        progress(done, total)
    pool, contexts, rest = np.split(np.concatenate(rows), np.cumsum([*map(len, groups)])[:2])
    apart = dict(zip(others, rest, strict=True))
    notes = make_references(materials.notes, PoolRows(texts, pool, numbers), apart)
    donors = [sentence.donor for sentence in materials.sentences]
    built = index.build(pool, texts, donors, contexts, (name, embedder.digest), notes)
    digest = index.save(built, folder)
    shutil.rmtree(shards)
    return digest


def _cut_shards(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for begin in range(0, len(texts), SHARD):
        yield texts[begin : begin + SHARD]


def _embed_shard(embedder: Embedder, texts: Sequence[str], shards: Path) -> NDArray[np.float32]:
    """Read the shard of these texts if an earlier build saved it; else embed them."""
    name = hashlib.sha256(join_prefixed(embedder.digest, *texts)).hexdigest()
    path = shards / name
    if (saved := _load_rows(path)) is not None and saved.shape == (len(texts), embedder.dimension):
        return saved
    rows = embedder.embed(texts)
    _save_rows(path, rows)
    return rows


def _save_rows(path: Path, rows: NDArray[np.float32]) -> None:
    stored = io.BytesIO()
    np.save(stored, rows, allow_pickle=False)
    content = stored.getvalue()
    draft = path.with_suffix(".part")
    draft.write_bytes(hashlib.sha256(content).digest() + content)
    draft.replace(path)


def _load_rows(path: Path) -> NDArray[np.float32] | None:
    try:
        stored = path.read_bytes()
    except FileNotFoundError:
        return None
    digest, content = stored[:32], stored[32:]
    if hashlib.sha256(content).digest() != digest:
        return None
    rows: NDArray[np.float32] = np.load(io.BytesIO(content), allow_pickle=False)
    return rows
