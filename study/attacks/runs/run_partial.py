"""Run ``deidstream attack partial``: look for the output of a note of which little is known."""

from dataclasses import dataclass

from deidstream.study.attacks.attack_figures import measure_attack
from deidstream.study.attacks.known_sentences import draw_known
from deidstream.study.attacks.ranking import rank_originals
from deidstream.study.attacks.runs.attack_notes import AttackFiles, read_attack_notes
from deidstream.study.attacks.runs.attack_report import AttackCounts, AttackReport, report_attack
from deidstream.study.attacks.runs.findings import Destination, publish
from deidstream.study.attacks.runs.note_comparison import show_progress
from deidstream.study.attacks.tfidf import compare_rare_words

_KEY = """\
found@k: share of outputs that are among the k most similar to what is known of their originals
95 %: Wilson interval; MRR: mean of 1 / rank of the own output
a-o: similarity of what is known to the own output; avg-sim: to all outputs; both are means
tied: outputs beside which another is as similar to what is known, counted as found"""


@dataclass(frozen=True, slots=True)
class KnownPart:
    """What the attacker knows of an original."""

    sentences: int
    seed: int


def run_partial(known: KnownPart, files: AttackFiles, destination: Destination) -> int:
    """Attack with a few sentences of each original, and publish what is found; return 0.

    Raises:
        MissingArtefact: A file cannot be read or written.
        Refused: A line is no note, or outputs and originals cannot be paired.
    """
    destination.check()
    notes = read_attack_notes(files)
    drawn = [
        draw_known(notes.candidates[original], known.sentences, known.seed)
        for original in notes.own
    ]
    fewer = sum(len(sentences) < known.sentences for sentences in drawn)
    rows = compare_rare_words(notes.outputs, ["\n".join(sentences) for sentences in drawn])
    outputs = range(len(notes.outputs))
    ranked = rank_originals(show_progress(rows, len(outputs)), outputs)
    report = AttackReport(
        "partial",
        files,
        AttackCounts(len(outputs), notes.originals, len(outputs)),
        measure_attack(list(ranked)),
        {"sentences": known.sentences, "seed": known.seed, "with_fewer_sentences": fewer},
        f"{len(outputs):,} outputs of {files.outputs.name} from {known.sentences} sentences each "
        f"of {files.originals.name}, {fewer:,} from fewer",
        _KEY,
    )
    return publish(report_attack(report), destination)
