"""Run the attacks of ``deidstream attack`` that look for the original of each output."""

from collections.abc import Callable

from deidstream.agents.runtime.terminal import say
from deidstream.study.attacks.attack_figures import measure_attack
from deidstream.study.attacks.ranking import rank_originals
from deidstream.study.attacks.runs.attack_notes import AttackFiles, AttackNotes, read_attack_notes
from deidstream.study.attacks.runs.attack_report import AttackCounts, AttackReport, report_attack
from deidstream.study.attacks.runs.findings import Destination, publish
from deidstream.study.attacks.runs.note_comparison import (
    Likeness,
    NoteComparison,
    compare_notes,
    show_progress,
)


def run_likeness(likeness: Likeness, files: AttackFiles, destination: Destination) -> int:
    """Attack by what notes have in common, and publish what is found; return 0.

    Raises:
        MissingArtefact: A file cannot be read or written, or the embedder cannot be loaded.
        Refused: A line is no note, or outputs and originals cannot be paired.
    """

    def compare(notes: AttackNotes) -> NoteComparison:
        return compare_notes(likeness, notes.candidates, notes.outputs)

    return look_for_originals(likeness, files, destination, compare)


def look_for_originals(
    attack: str,
    files: AttackFiles,
    destination: Destination,
    compare: Callable[[AttackNotes], NoteComparison],
) -> int:
    """Read notes, rank the original of each output among all candidates, and publish; return 0.

    Raises:
        MissingArtefact: A file cannot be read or written, or what ``compare`` needs.
        Refused: A line is no note, or outputs and originals cannot be paired.
    """
    destination.check()
    notes = read_attack_notes(files)
    if notes.repeated:
        say(f"{notes.repeated:,} of the further candidates are originals: counted once")
    compared = compare(notes)
    rows = show_progress(compared.rows, len(notes.outputs))
    figures = measure_attack(list(rank_originals(rows, notes.own)))
    counts = AttackCounts(len(notes.outputs), notes.originals, len(notes.candidates))
    report = AttackReport(attack, files, counts, figures, compared.facts)
    return publish(report_attack(report), destination)
