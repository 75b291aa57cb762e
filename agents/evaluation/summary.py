"""An evaluation as plain aligned text; it holds no text of a note."""

from deidstream.agents.evaluation.evaluation import Evaluation
from deidstream.agents.evaluation.report import Subject, by_kind, main_score
from deidstream.agents.evaluation.rows import (
    CELL_HEADS,
    LABEL_HEADS,
    RECOGNIZER_HEADS,
    aligned,
    cell_rows,
    label_rows,
    recognizer_rows,
)
from deidstream.models.scoring.totals import Score

_RECOGNIZERS = """\
recall, direct, HIPAA, precision: of tokens under whatever label, of direct identifiers, of HIPAA's
leak-free: share of notes with no token of PHI left; leaks: spans with one left, per 1,000 notes
alarms: spans that touch no PHI, per 1,000 words; no PHI: the same in the notes that hold none
F1: of spans under the right label; overlap: one to one; relaxed: end within 2, as in i2b2"""


def summarise(evaluation: Evaluation, subject: Subject) -> str:
    """Write a summary: every recognizer, then cells, labels and errors of the last of them."""
    name, score = main_score(evaluation)
    parts = (
        opening(evaluation, subject),
        aligned(RECOGNIZER_HEADS, recognizer_rows(evaluation)),
        _RECOGNIZERS,
        f"{name}, by way of scoring; macro: mean over notes",
        aligned(CELL_HEADS, cell_rows(score)),
        f"{name}, by label; redacted: recall of tokens under whatever label; P, R: overlap",
        aligned(LABEL_HEADS, label_rows(score)),
        _errors(name, score),
    )
    return "\n\n".join(parts) + "\n"


def opening(evaluation: Evaluation, subject: Subject) -> str:
    """Say what was scored against what."""
    _, score = main_score(evaluation)
    notes, clean = score.all_notes, score.clean_notes
    return (
        f"{subject.kind} {subject.name} against {evaluation.gold.name}: {notes.notes:,} notes "
        f"({clean.notes:,} without PHI), {notes.words:,} words, {score.leaks.spans:,} spans, "
        f"{score.redact.gold:,} tokens of PHI"
    )


def _errors(name: str, score: Score) -> str:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in by_kind(score).items())
    leaks = score.leaks
    return (
        f"{name}, errors: {kinds}\n"
        f"{leaks.leaking:,} of {leaks.spans:,} gold spans leak, {leaks.missed:,} of them wholly, "
        f"in {leaks.leaking_notes:,} of {score.all_notes.notes:,} notes"
    )
