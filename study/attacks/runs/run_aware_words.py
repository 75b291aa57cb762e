"""Run ``deidstream attack aware-words``: undo word KNEO with its word vectors."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from deidstream.agents.runtime.load_models import find_vectors
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.settings import read_settings
from deidstream.models.kneo.words.near_words import NearWords
from deidstream.models.kneo.words.word_vectors import load_word_vectors
from deidstream.schemas.errors import Refused
from deidstream.study.attacks.aware_words import chances_of_ranks, compare_likelihoods, expect_words
from deidstream.study.attacks.runs.attack_notes import AttackFiles, AttackNotes
from deidstream.study.attacks.runs.findings import Destination
from deidstream.study.attacks.runs.note_comparison import NoteComparison
from deidstream.study.attacks.runs.run_attack import look_for_originals


@dataclass(frozen=True, slots=True)
class KnownWordKneo:
    """What the attacker knows of word KNEO."""

    vectors: Path | None
    """Folder of the word vectors; ``None``: those of the settings."""
    degree: int
    """Smallest degree of obfuscation."""
    degree_to: int
    """Greatest."""


def run_aware_words(known: KnownWordKneo, files: AttackFiles, destination: Destination) -> int:
    """Attack with word vectors, and publish what is found; return 0.

    Raises:
        MissingArtefact: A file cannot be read or written, or the vectors cannot be loaded.
        Refused: A line is no note, outputs and originals cannot be paired, or the greatest degree
            is below the smallest.
    """
    if known.degree_to < known.degree:
        msg = "--degree-to must not be below --degree"
        raise Refused(msg)

    def compare(notes: AttackNotes) -> NoteComparison:
        return _compare(known, notes)

    return look_for_originals("aware-words", files, destination, compare)


def _compare(known: KnownWordKneo, notes: AttackNotes) -> NoteComparison:
    vectors = load_word_vectors(known.vectors or find_vectors(read_settings(os.environ)))
    near = NearWords(vectors)
    chances = chances_of_ranks(known.degree, known.degree_to)
    with progress("words") as bar:
        task = bar.add_task("neighbours", total=None)

        def find_replacements(word: str) -> Sequence[str]:
            bar.advance(task)
            return near.of(word)

        expected = expect_words(notes.candidates, find_replacements, chances)
    facts = {
        "vectors": vectors.digest,
        "degree": known.degree,
        "degree_to": known.degree_to,
    }
    return NoteComparison(compare_likelihoods(expected, notes.outputs), facts)
