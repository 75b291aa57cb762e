"""Run ``deidstream attack``: compare, rank, and write the reports."""

import os
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from deidstream.agents.attack.attack_notes import AttackFiles, AttackNotes, read_attack_notes
from deidstream.agents.attack.attack_report import AttackReport, report_attack
from deidstream.agents.attack.findings import Destination, publish
from deidstream.agents.lines import progress, say
from deidstream.agents.settings_reader import read_settings
from deidstream.models.attacks.attack_figures import measure_attack
from deidstream.models.attacks.dense import compare_vectors, embed_notes, read_sentences
from deidstream.models.attacks.jaccard import compare_word_sets
from deidstream.models.attacks.ranking import rank_originals
from deidstream.models.attacks.tfidf import compare_rare_words
from deidstream.models.attacks.word_rows import Similarities


class Likeness(StrEnum):
    """By what an attack compares notes."""

    JACCARD = "jaccard"
    TFIDF = "tfidf"
    DENSE = "dense"


def run_attack(likeness: Likeness, files: AttackFiles, destination: Destination) -> int:
    """Attack, print the figures and write what was asked for; return 0.

    Raises:
        MissingArtefact: A file cannot be read or written, or the embedder cannot be loaded.
        Refused: A line is no note, or outputs and originals cannot be paired.
    """
    destination.check()
    notes = read_attack_notes(files)
    if notes.repeated:
        say(f"{notes.repeated:,} of the further candidates are originals: counted once")
    rows, embedder = _compare(likeness, notes)
    ranked = list(rank_originals(_show_progress(rows, len(notes.outputs)), notes.own))
    figures = measure_attack(ranked)
    report = AttackReport(likeness, files, notes, figures, {"embedder": embedder})
    return publish(report_attack(report), destination)


def _compare(likeness: Likeness, notes: AttackNotes) -> tuple[Iterator[Similarities], str | None]:
    """Return the similarities of each output, and the digest of the embedder if there is one."""
    match likeness:
        case Likeness.JACCARD:
            return compare_word_sets(notes.candidates, notes.outputs), None
        case Likeness.TFIDF:
            return compare_rare_words(notes.candidates, notes.outputs), None
        case Likeness.DENSE:
            return _compare_dense(notes)


def _compare_dense(notes: AttackNotes) -> tuple[Iterator[Similarities], str]:
    # It brings the model libraries, which the other attacks do without.
    from deidstream.agents.load_models import load_embedder  # noqa: PLC0415

    embedder = load_embedder(read_settings(os.environ))
    table = read_sentences([*notes.candidates, *notes.outputs])
    with progress("sentences") as bar:
        task = bar.add_task("embed", total=len(table.sentences))
        embed = _advancing(embedder.embed, lambda done: bar.advance(task, done))
        vectors = embed_notes(table, embed, embedder.dimension)
    ends = len(notes.candidates)
    return compare_vectors(vectors[:ends], vectors[ends:]), embedder.digest


def _advancing(
    embed: Callable[[Sequence[str]], NDArray[np.float32]], advance: Callable[[int], None]
) -> Callable[[Sequence[str]], NDArray[np.float32]]:
    def embed_and_advance(sentences: Sequence[str]) -> NDArray[np.float32]:
        vectors = embed(sentences)
        advance(len(sentences))
        return vectors

    return embed_and_advance


def _show_progress(rows: Iterator[Similarities], outputs: int) -> Iterator[Similarities]:
    with progress() as bar:
        task = bar.add_task("attack", total=outputs)
        for row in rows:
            yield row
            bar.advance(task)
