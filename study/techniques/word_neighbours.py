"""KNEO of words: each word becomes one of its N nearest words.

Source: Abdalla, Abdalla, Rudzicz and Hirst, "Using word embeddings to improve the privacy of
clinical notes", Algorithm 1 and table 4: vectors by CBOW or skip-gram, N of 3, 5, 7 or 9, or drawn
from 3 to 14 for each word; Alves et al., section 4.3: CBOW with N = 5. The vectors are learnt from
the notes of the other folds with all their words, as in the papers, or are those that come with
deidstream. Unlike there, a spelling
variant is no neighbour (``models/kneo/words``), a number becomes a label, and so does a word
without a vector.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from deidstream.models.keyring import Keyring
from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.word_kneo import WordKneo, WordQuery
from deidstream.models.kneo.words.word_vectors import (
    WordModel,
    load_word_vectors,
    shipped_vectors,
)
from deidstream.schemas.word_policy import DrawnFor, WordPolicy
from deidstream.study.techniques.technique import Output, StudyNote
from deidstream.study.vectors.fit_vectors import VectorPlan, fit_word_vectors
from deidstream.study.vectors.word_corpus import cut_whole_note


@dataclass(frozen=True, slots=True)
class LearntWords:
    """The way in which vectors are learnt."""

    title: str
    """As names of techniques say it: ``CBOW``, ``skip-gram``, ``FastText``."""
    model: WordModel
    plan: VectorPlan
    by_fold: bool = True

    def read(self, notes: Sequence[StudyNote], fold: int) -> NearWords:
        """Learn the vectors for the notes of a fold from those of the others.

        Raises:
            Refused: The others have too few words.
        """
        others = (note.text for note in notes if note.fold != fold)
        words = [words for text in others for words in cut_whole_note(text)]
        return NearWords(fit_word_vectors(words, self.plan, self.model))


@dataclass(frozen=True, slots=True)
class ShippedWords:
    """The vectors that come with deidstream: a small corpus has too few words for its own."""

    title: str = "shipped"
    by_fold: bool = False

    def read(self, _notes: Sequence[StudyNote], _fold: int) -> NearWords:
        """Load the vectors, which are the same for all folds."""
        return NearWords(load_word_vectors(shipped_vectors()))


@dataclass(slots=True)
class WordShelf:
    """The vectors learnt of one corpus: settings that differ in N alone share them."""

    notes: Sequence[StudyNote] = field(repr=False)
    learnt: dict[tuple[str, int], NearWords] = field(
        default_factory=dict[tuple[str, int], NearWords], repr=False
    )

    def read(self, way: LearntWords | ShippedWords, fold: int) -> NearWords:
        """Return the vectors for the notes of a fold.

        Raises:
            Refused: There are too few words to learn from.
        """
        key = way.title, fold if way.by_fold else 0
        if key not in self.learnt:
            self.learnt[key] = way.read(self.notes, fold)
        return self.learnt[key]


@dataclass(frozen=True, slots=True)
class WordNeighbours:
    """Replaces the words of each note by neighbours."""

    way: LearntWords | ShippedWords
    shelf: WordShelf
    degree: int
    degree_to: int
    seed: int

    @property
    def family(self) -> str:
        """Settings of one kind of vectors."""
        return f"KNEO words, {self.way.title}"

    @property
    def name(self) -> str:
        """Its vectors and degree of obfuscation."""
        to = "" if self.degree == self.degree_to else f"-{self.degree_to}"
        return f"KNEO words {self.way.title} {self.degree}{to}"

    def anonymize(self, notes: Sequence[StudyNote]) -> Iterator[Output]:
        """Yield each note with neighbours in the place of its words.

        Raises:
            Refused: The other folds have too few words to learn vectors from.
        """
        policy = WordPolicy(self.degree, self.degree_to, drawn_for=DrawnFor.MENTION)
        keyring = Keyring(sha256(f"study {self.seed}".encode()).digest(), 1, "default")
        for number, note in enumerate(notes):
            query = WordQuery(
                text=note.text,
                replacements=(),
                note_id=f"{number}",
                keyring=keyring,
                banned=lambda _: False,
            )
            kneo = WordKneo(self.shelf.read(self.way, note.fold), policy)
            yield Output(kneo.substitute(query).text, number)
