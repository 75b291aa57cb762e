"""Cut de-identified notes into the lists of words that vectors are learnt from.

A vocabulary is emitted, so it must not hold what identifies: labels and labelled spans are left
out, and so are words of one patient alone and names that are no ordinary words.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from deidstream.models.kneo.documents.document_embedder import read_document
from deidstream.models.kneo.words.words_and_numbers import cut_words, normal_word
from deidstream.models.phi.gazetteers import Kind, gazetteers
from deidstream.models.phi.not_phi import common_words
from deidstream.models.text.folding import EDGE
from deidstream.models.text.sentences import split_sentences
from deidstream.schemas.labelled import LabelledNote

LABEL: Final = re.compile(r"\[(?:\*\*.{0,80}?\*\*|\.\.\.|[A-Z][A-Z_]{1,30})\]|XXX-[A-Za-z]+")
_NAMES: Final = Kind.GIVEN | Kind.SURNAME | Kind.CITY


CutNote = Callable[[str], Iterator[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class WordCorpus:
    """Notes, or their sentences, as lists of words in their normal form."""

    notes: tuple[tuple[str, ...], ...] = field(repr=False)
    left_out: int
    """Distinct words of too few patients, or that are names."""


def cut_whole_note(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of a note, in their normal form, as one list; numbers are no words."""
    found = (normal_word(token.text) for token in cut_words(text) if not token.is_number)
    yield tuple(filter(None, found))


def cut_sentences(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words and numbers of each sentence of a note."""
    for sentence in split_sentences(text):
        yield tuple(read_document(text[sentence.start : sentence.end]))


def make_word_corpus(
    notes: Iterable[LabelledNote], least_patients: int, cut_note: CutNote = cut_whole_note
) -> WordCorpus:
    """Make the corpus of notes; what is labelled in them is left out.

    Args:
        notes: Read once.
        least_patients: Words in the notes of fewer patients are left out.
        cut_note: How a note becomes lists of words.
    """
    cut: list[tuple[str, ...]] = []
    patients: dict[str, set[str]] = {}
    for labelled in notes:
        for words in cut_note(_drop_labels(labelled)):
            cut.append(words)
            for word in words:
                patients.setdefault(word, set()).add(labelled.note.patient_id)
    kept = {
        word
        for word, theirs in patients.items()
        if len(theirs) >= least_patients and not is_only_a_name(word)
    }
    notes_kept = (tuple(word for word in words if word in kept) for words in cut)
    return WordCorpus(tuple(filter(None, notes_kept)), len(patients) - len(kept))


def is_only_a_name(word: str) -> bool:
    """Return whether a word is a name of a person or city and no ordinary word."""
    if word in common_words():
        return False
    return bool(gazetteers().get(f"{EDGE}{word}{EDGE}", 0) & _NAMES)


def _drop_labels(labelled: LabelledNote) -> str:
    """Return the text without labelled spans and labels in brackets."""
    text, at = labelled.note.text, 0
    pieces: list[str] = []
    for span in labelled.spans:
        pieces.append(text[at : span.start])
        at = span.end
    pieces.append(text[at:])
    return LABEL.sub(" ", " ".join(pieces))


def count_words(notes: Sequence[Sequence[str]]) -> int:
    """Count the words of all notes, each as often as it occurs."""
    return sum(map(len, notes))
