"""Choose the sentences of the pool of sentence KNEO, and the reference contexts of risk.

A leaked sentence of the pool would be emitted again and again, so a sentence enters only when every
recognizer has read it twice, in its note and alone, and found nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

import re2

from deidstream.models.detection.reconcile import drop_possible
from deidstream.models.risk.contexts import Highlighted, take_contexts
from deidstream.models.text.sentences import Sentence, split_sentences
from deidstream.schemas.note import RawNote
from deidstream.schemas.ports import Recognizer
from deidstream.schemas.span import Span

MIN_WORDS = 4
MAX_WORDS = 60
_BATCH = 64
_RISKY = re2.compile(r"(?:\p{N}[\p{Z}./\-]?){4}\p{N}|@|://|www\.|(?i:http)")
_BLOOD_PRESSURE = re2.compile(r"\b\p{N}{2,3}/\p{N}{2,3}\b")


@dataclass(frozen=True, slots=True)
class PoolSentence:
    """A sentence that may replace another."""

    text: str
    donor: str = field(default="", repr=False)
    """Pseudonym of the patient it comes from; empty for a sentence of no patient."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Sentences, and the words around PHI, of de-identified notes."""

    sentences: tuple[PoolSentence, ...] = field(repr=False)
    contexts: tuple[str, ...] = field(repr=False)


def choose_pool(
    notes: Iterable[RawNote], recognizers: Sequence[Recognizer], words: int = 5
) -> Pool:
    """Choose the sentences that may enter the pool.

    Args:
        notes: De-identified notes; ``patient_id`` is the donor's pseudonym. Read once, in batches.
        recognizers: All that the policy names; a sentence in which one finds a span stays out.
        words: Words of context on either side of a found span.

    Returns:
        Sentences and contexts in the order of the notes, each once.
    """
    sentences: dict[str, PoolSentence] = {}
    contexts: dict[str, None] = {}
    remaining = iter(notes)
    while batch := list(islice(remaining, _BATCH)):
        for note, spans in zip(batch, _recognize(batch, recognizers), strict=True):
            contexts.update(dict.fromkeys(_find_contexts(note.text, spans, words)))
            for text in _untouched_sentences(note.text, spans):
                sentences.setdefault(comparison_key(text), PoolSentence(text, note.patient_id))
    return Pool(
        tuple(keep_unfound(list(sentences.values()), recognizers)), tuple(filter(None, contexts))
    )


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


def comparison_key(text: str) -> str:
    """Return the form in which sentences are compared: small letters and digits only."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


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


def _find_contexts(text: str, spans: Sequence[Span], words: int) -> list[str]:
    """Take the words around each span; of overlapping spans the first and longest counts."""
    marked: list[Highlighted] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not marked or span.start >= marked[-1].end:
            marked.append(Highlighted(span.start, span.end, span.label.value))
    return take_contexts(text, marked, words)
