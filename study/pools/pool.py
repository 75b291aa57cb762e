"""Choose the sentences of the pool of sentence KNEO.

Every recognizer reads a sentence twice, in its note and alone. The results are kept shard by shard,
so that an interrupted build can continue, and repeats are merged with all their donors.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from typing import Final

import orjson

from deidstream.models.detection.reconcile import drop_possible
from deidstream.models.kneo.slots import find_slots
from deidstream.models.references.common_lines import comparison_key
from deidstream.models.references.reference_notes import SourceNote
from deidstream.models.risk.contexts import Highlighted, take_contexts
from deidstream.schemas.note import RawNote
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span
from deidstream.study.pools.candidates import Candidate, merge_candidates
from deidstream.study.pools.shards import Shards, cut_batches, name_shard
from deidstream.study.pools.sifting import DropReason, Marked, Sifted, mark_spans, sift_note
from deidstream.study.pools.source_notes import cut_note

Report = Callable[[str, int, int | None], None]
"""Is called with the stage, what is done of it, and its total if that is known."""
_BATCH: Final = 64
"""Notes or sentences read between two saves."""
_FORMAT: Final = "pool 1"
"""Change it when other code makes other results of the same notes and recognizers."""


@dataclass(frozen=True, slots=True)
class PoolSentence:
    """A sentence that may replace another; slots stand in place of its PHI."""

    text: str = field(repr=False)
    donor: str = field(default="", repr=False)
    """Name of the patient it comes from (``release_ids``); empty for a sentence of no patient."""
    others: tuple[str, ...] = field(default=(), repr=False)
    """Further patients in whose notes it, or nearly the same, stands."""

    @property
    def donors(self) -> tuple[str, ...]:
        """All patients it comes from."""
        return tuple(filter(None, (self.donor, *self.others)))


@dataclass(frozen=True, slots=True)
class PoolCounts:
    """What became of the sentences of the notes."""

    read: int = 0
    """Sentences of all notes, headings left out."""
    dropped: Counter[DropReason] = field(default_factory=Counter[DropReason])
    same: int = 0
    """Sentences with the same words in the same order as one before."""
    similar: int = 0
    """Sentences that share nearly all words with one before."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Sentences, and the words around PHI, of de-identified notes, and what each note is of."""

    sentences: tuple[PoolSentence, ...] = field(repr=False)
    contexts: tuple[str, ...] = field(repr=False)
    notes: tuple[SourceNote, ...] = field(repr=False)
    counts: PoolCounts = field(default_factory=PoolCounts)


def _report_nothing(_stage: str, _done: int, _total: int | None) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """How a pool is chosen."""

    words: int = 5
    """Words of context on either side of a found span."""
    min_donors: int = 1
    """A sentence is admitted only if it comes from so many patients."""
    made_by: str = ""
    """Names what the findings depend on: policy, recognizers, versions."""
    shards: Shards | None = None
    """Where the results of an interrupted build are; ``None``: nothing is kept."""
    report: Report = field(default=_report_nothing, repr=False)


def choose_pool(
    notes: Iterable[RawNote], recognizers: Sequence[Recognizer], plan: PoolPlan | None = None
) -> Pool:
    """Choose the sentences that may enter the pool.

    Args:
        notes: De-identified notes; ``patient_id`` is the donor's name (``release_ids``). Read
            once, in batches.
        recognizers: All that the policy names.
        plan: How they are chosen.

    Returns:
        Sentences and contexts in the order of the notes, each once, and the notes.
    """
    plan = plan or PoolPlan()
    gathered = _gather(notes, recognizers, plan)
    candidates = list(gathered.candidates.values())
    sifted = _sift(candidates, recognizers, plan)
    merged = merge_candidates(sifted, lambda done, total: plan.report("merge", done, total))
    admitted = _admit(merged, plan.min_donors)
    read_times = sum(one.times for one in candidates)
    dropped = gathered.dropped
    dropped[DropReason.ALONE] += read_times - sum(one.times for one in sifted)
    dropped[DropReason.FEW_DONORS] += len(merged) - len(admitted)
    counts = PoolCounts(
        read=gathered.read,
        dropped=+dropped,
        same=read_times - len(candidates),
        similar=len(sifted) - len(merged),
    )
    contexts = tuple(filter(None, gathered.contexts))
    return Pool(tuple(admitted), contexts, tuple(gathered.sources), counts)


@dataclass(frozen=True, slots=True)
class _ReadNote:
    """What was read in one note."""

    sifted: Sifted
    pieces: tuple[str, ...] = field(repr=False)
    contexts: tuple[str, ...] = field(repr=False)


@dataclass(slots=True)
class _Gathered:
    """What was read in all notes so far."""

    candidates: dict[bytes, Candidate] = field(default_factory=dict[bytes, Candidate], repr=False)
    """Each sentence once, by the digest of its words."""
    contexts: dict[str, None] = field(default_factory=dict[str, None], repr=False)
    sources: list[SourceNote] = field(default_factory=list[SourceNote], repr=False)
    dropped: Counter[DropReason] = field(default_factory=Counter[DropReason])
    read: int = 0

    def add(self, note: RawNote, read: _ReadNote) -> None:
        """Add a note."""
        donor = note.patient_id
        self.sources.append(SourceNote(donor, read.pieces, note.note_type))
        self.contexts.update(dict.fromkeys(read.contexts))
        self.dropped.update(read.sifted.dropped)
        self.read += len(read.sifted.sentences) + read.sifted.dropped.total()
        for text in read.sifted.sentences:
            key = blake2b(comparison_key(text).encode(), digest_size=16).digest()
            if key in self.candidates:
                self.candidates[key].add_donor(donor)
            else:
                self.candidates[key] = Candidate(text, [donor])


def _gather(
    notes: Iterable[RawNote], recognizers: Sequence[Recognizer], plan: PoolPlan
) -> _Gathered:
    """Read all notes, batch by batch."""
    gathered = _Gathered()
    for batch in cut_batches(notes, _BATCH):
        for note, read in zip(batch, _read_batch(batch, recognizers, plan), strict=True):
            gathered.add(note, read)
        plan.report("read notes", len(gathered.sources), None)
    return gathered


def _sift(
    candidates: Sequence[Candidate], recognizers: Sequence[Recognizer], plan: PoolPlan
) -> list[Candidate]:
    """Return those in which, read alone, nothing but their slots is found."""
    clean = _read_alone([one.text for one in candidates], recognizers, plan)
    return [one for one, ok in zip(candidates, clean, strict=True) if ok]


def _admit(candidates: Iterable[Candidate], min_donors: int) -> list[PoolSentence]:
    """Return those that come from enough patients; if one is enough, it may also be none."""
    admitted: list[PoolSentence] = []
    for one in candidates:
        donors = [donor for donor in dict.fromkeys(one.donors) if donor]
        if min_donors <= 1 or len(donors) >= min_donors:
            first, *others = donors or [""]
            admitted.append(PoolSentence(one.text, first, tuple(others)))
    return admitted


def _read_batch(
    batch: Sequence[RawNote], recognizers: Sequence[Recognizer], plan: PoolPlan
) -> list[_ReadNote]:
    """Read some notes, or take over what an earlier build read in them."""
    parts = [part for note in batch for part in (note.patient_id, note.text)]
    name = name_shard(_FORMAT, plan.made_by, str(plan.words), *parts)
    if plan.shards and (stored := plan.shards.load(name)) is not None:
        return [_decode_read(record) for record in orjson.loads(stored)]
    found = _recognize(batch, recognizers)
    read = [_read_note(note, spans, plan.words) for note, spans in zip(batch, found, strict=True)]
    if plan.shards:
        plan.shards.save(name, orjson.dumps([_encode_read(one) for one in read]))
    return read


def _encode_read(read: _ReadNote) -> list[object]:
    dropped = {reason.value: count for reason, count in read.sifted.dropped.items()}
    return [read.sifted.sentences, dropped, read.pieces, read.contexts]


def _decode_read(
    record: tuple[Sequence[str], Mapping[str, int], Sequence[str], Sequence[str]],
) -> _ReadNote:
    sentences, counts, pieces, contexts = record
    dropped = Counter({DropReason(name): count for name, count in counts.items()})
    return _ReadNote(Sifted(tuple(sentences), dropped), tuple(pieces), tuple(contexts))


def _read_note(note: RawNote, spans: Sequence[Span], words: int) -> _ReadNote:
    marked = mark_spans(note.text, spans)
    shown = [*_highlight(marked)]
    return _ReadNote(
        sift_note(note.text, marked),
        cut_note(note, shown).pieces,
        tuple(take_contexts(note.text, shown, words)),
    )


def _highlight(marked: Iterable[Marked]) -> Iterator[Highlighted]:
    """Yield what was found or stood there as a label, not what is merely possible."""
    for mark in marked:
        if not mark.possible:
            yield Highlighted(mark.span.start, mark.span.end, mark.span.label.value)


def _read_alone(
    texts: Sequence[str], recognizers: Sequence[Recognizer], plan: PoolPlan
) -> list[bool]:
    """Return for each sentence whether, read alone, nothing but its slots is found in it."""
    clean: list[bool] = []
    for batch in cut_batches(texts, _BATCH):
        name = name_shard(_FORMAT, "alone", plan.made_by, *batch)
        stored = plan.shards.load(name) if plan.shards else None
        if stored is None:
            stored = bytes(_are_clean(batch, recognizers))
            if plan.shards:
                plan.shards.save(name, stored)
        clean += map(bool, stored)
        plan.report("read sentences alone", len(clean), len(texts))
    return clean


def _are_clean(texts: Sequence[str], recognizers: Sequence[Recognizer]) -> list[bool]:
    found = _recognize([RawNote("", "", text) for text in texts], recognizers)
    return [
        len(mark_spans(text, drop_possible(spans))) == len(find_slots(text))
        for text, spans in zip(texts, found, strict=True)
    ]


def keep_unfound(
    sentences: Sequence[PoolSentence], recognizers: Sequence[Recognizer]
) -> Iterator[PoolSentence]:
    """Yield the sentences in which, each read alone, no recognizer finds a span."""
    remaining = iter(sentences)
    while batch := list(islice(remaining, _BATCH)):
        clean = _are_clean([sentence.text for sentence in batch], recognizers)
        yield from (sentence for sentence, ok in zip(batch, clean, strict=True) if ok)


def _recognize(
    notes: Sequence[RawNote], recognizers: Sequence[Recognizer]
) -> list[tuple[Span, ...]]:
    """Return what all recognizers find in each note, with what the tagger holds for possible."""
    found: list[tuple[Span, ...]] = [()] * len(notes)
    for recognizer in recognizers:
        found = [a + tuple(b) for a, b in zip(found, recognizer.recognize(notes), strict=True)]
    return found
