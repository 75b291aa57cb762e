"""Run ``deidstream attack``: compare, rank, and write the reports."""

from deidstream.agents.attack.attack_notes import AttackFiles, read_attack_notes
from deidstream.agents.attack.attack_report import AttackReport, report_attack
from deidstream.agents.attack.findings import Destination, publish
from deidstream.agents.attack.likeness import Likeness, compare_notes, show_progress
from deidstream.agents.lines import say
from deidstream.models.attacks.attack_figures import measure_attack
from deidstream.models.attacks.ranking import rank_originals


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
    compared = compare_notes(likeness, notes.candidates, notes.outputs)
    rows = show_progress(compared.rows, len(notes.outputs))
    figures = measure_attack(list(rank_originals(rows, notes.own)))
    report = AttackReport(likeness, files, notes, figures, {"embedder": compared.embedder})
    return publish(report_attack(report), destination)
