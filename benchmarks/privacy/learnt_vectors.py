"""Vectors of words and sentences, learnt for each fold from the notes of the other folds."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from collection import FOLDS, CollectedNote
from figures import Output
from techniques import KEYRING, place_surrogates

from deidstream.models.kneo.documents.document_embedder import DocumentEmbedder
from deidstream.models.kneo.documents.document_vectors import (
    load_document_vectors,
    save_document_vectors,
)
from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.word_kneo import WordKneo, WordQuery
from deidstream.models.kneo.words.word_vectors import (
    WordModel,
    load_word_vectors,
    save_word_vectors,
)
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.note import RawNote
from deidstream.schemas.ports import TokenCounter
from deidstream.schemas.word_policy import WordPolicy
from deidstream.study.vectors.fit_documents import fit_document_vectors
from deidstream.study.vectors.fit_vectors import VectorPlan, fit_word_vectors
from deidstream.study.vectors.word_corpus import cut_sentences, make_word_corpus

EPOCHS = 10
"""Alves et al. take 100; more epochs cost hours here and move found@1 by some thousandths."""


def _others(notes: Sequence[CollectedNote], fold: int) -> Iterator[LabelledNote]:
    for note in notes:
        if note.fold != fold and "test" not in note.splits.values():
            yield LabelledNote(RawNote(note.note_id, note.note_id, note.text), note.spans)


def learn_words(notes: Sequence[CollectedNote], work: Path) -> list[NearWords]:
    """Learn the vectors of each fold, or load them where ``work`` holds them."""
    made = list[NearWords]()
    for fold in range(FOLDS):
        place = work / f"words-{fold}"
        if not (place / "DIGEST").exists():
            corpus = make_word_corpus(_others(notes, fold), 2)
            plan = VectorPlan(epochs=EPOCHS)
            save_word_vectors(fit_word_vectors(corpus.notes, plan, WordModel.WORD2VEC), place)
        made.append(NearWords(load_word_vectors(place)))
    return made


def exchange_words(
    notes: Sequence[CollectedNote], near: Sequence[NearWords], policy: WordPolicy
) -> Iterator[Output]:
    """Run word KNEO over all notes."""
    placed = place_surrogates(notes)
    for number, note in enumerate(notes):
        query = WordQuery(
            text=placed[number].text,
            replacements=placed[number].replacements,
            note_id=note.note_id,
            keyring=KEYRING,
            banned=lambda _: False,
        )
        result = WordKneo(near[note.fold], policy).substitute(query)
        yield Output(result.text, number)


def learn_documents(
    notes: Sequence[CollectedNote], fold: int, work: Path, pieces: TokenCounter
) -> DocumentEmbedder:
    """Learn Doc2Vec for a fold, or load it where ``work`` holds it."""
    place = work / f"documents-{fold}"
    if not (place / "DIGEST").exists():
        corpus = make_word_corpus(_others(notes, fold), 2, cut_sentences)
        save_document_vectors(fit_document_vectors(corpus.notes, VectorPlan(epochs=EPOCHS)), place)
    return DocumentEmbedder(load_document_vectors(place), pieces)
