"""An evaluation as aligned tables of text, whose rows the page shows too.

None of them holds text of a note.
"""

from collections import Counter
from collections.abc import Iterator

from deidstream.agents.runtime.terminal import Row, align_columns
from deidstream.schemas.label import PhiLabel
from deidstream.study.evaluation.evaluation import Evaluation, ScoreCheck
from deidstream.study.evaluation.reports import Subject, by_kind, main_score
from deidstream.study.scoring.cells import CELLS, REDACT, Cell, Counts, harmonic
from deidstream.study.scoring.clinical_content import ContentCounts, find_total
from deidstream.study.scoring.one_surrogate import Agreement, Relation
from deidstream.study.scoring.totals import OVERLAP, STRICT, Headline, Score, headline

ABSENT = "-"

RECOGNIZER_HEADS = (
    "recognizer",
    "recall",
    "95 %",
    "direct",
    "HIPAA",
    "precision",
    "leak-free",
    "leaks",
    "alarms",
    "no PHI",
    "overlap F1",
    "relaxed F1",
    "strict F1",
)
CELL_HEADS = (
    "cell",
    "P",
    "R",
    "F1",
    "macro P",
    "macro R",
    "macro F1",
    "gold",
    "predicted",
)
LABEL_HEADS = (
    "label",
    "spans",
    "tokens",
    "redacted",
    "95 %",
    "P",
    "R",
    "F1",
    "95 % of P",
    "95 % of R",
    "strict F1",
)

AGREEMENT_HEADS = ("mentions of one original", "compared", *Agreement, "apart per 1,000 notes")
CONTENT_HEADS = ("content", "pieces", "kept", "falsified", "destroyed", "lost per 1,000")


def recognizer_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row for each recognizer: its headline."""
    return [_recognizer_row(name, headline(each)) for name, each in evaluation.scores.items()]


def cell_rows(score: Score) -> list[Row]:
    """Return a row for each cell: micro and macro."""
    return [_cell_row(cell, score) for cell in CELLS]


def label_rows(score: Score) -> list[Row]:
    """Return a row for each label that is in gold or was predicted."""
    return [_label_row(label, score) for label in labels_of(score)]


def labels_of(score: Score) -> list[PhiLabel]:
    """Return the labels that are in gold or were predicted, in alphabetical order."""
    return sorted({*score.counts[STRICT], *score.counts[REDACT]})


def counts_of(score: Score, cell: Cell, label: PhiLabel) -> Counts:
    """Return the counts of one label in one cell."""
    return score.counts[cell].get(label, Counts())


def share(value: float | None) -> str:
    """Write a share of 1."""
    return ABSENT if value is None else f"{value:.3f}"


def number(value: float | None) -> str:
    """Write a rate."""
    return ABSENT if value is None else f"{value:,.1f}"


def interval(bounds: tuple[float, float] | None) -> str:
    """Write an interval."""
    return ABSENT if bounds is None else f"{bounds[0]:.3f}-{bounds[1]:.3f}"


def _recognizer_row(name: str, head: Headline) -> Row:
    return (
        name,
        share(head.redact_recall),
        interval(head.redact_recall_interval),
        share(head.direct_recall),
        share(head.hipaa_recall),
        share(head.redact_precision),
        share(head.leak_free_notes),
        number(head.leaks_per_1000_notes),
        number(head.false_alarms_per_1000_words),
        number(head.clean_false_alarms_per_1000_words),
        share(head.overlap_f1),
        share(head.relaxed_f1),
        share(head.strict_f1),
    )


def _cell_row(cell: Cell, score: Score) -> Row:
    micro, means = score.micro(cell), score.means[cell]
    precision, recall = means.mean_precision, means.mean_recall
    macro = (precision, recall, harmonic(precision, recall))
    rates = (micro.precision, micro.recall, micro.f1, *macro)
    return cell.name, *map(share, rates), f"{micro.gold:,}", f"{micro.predicted:,}"


def _label_row(label: PhiLabel, score: Score) -> Row:
    return (label.value, *_label_cells(label, score))


def _label_cells(label: PhiLabel, score: Score) -> Iterator[str]:
    strict, redact, overlap = (counts_of(score, c, label) for c in (STRICT, REDACT, OVERLAP))
    yield from (f"{strict.gold:,}", f"{redact.gold:,}")
    yield from (share(redact.recall), interval(redact.recall_interval))
    yield from map(share, (overlap.precision, overlap.recall, overlap.f1))
    yield from map(interval, (overlap.precision_interval, overlap.recall_interval))
    yield share(strict.f1)


_RECOGNIZERS = """\
recall, direct, HIPAA, precision: of tokens under whatever label, of direct identifiers, of HIPAA's
leak-free: share of notes with no token of PHI left; leaks: spans with one left, per 1,000 notes
alarms: spans that touch no PHI, per 1,000 words; no PHI: the same in the notes that hold none
F1: of spans under the right label; overlap: one to one; relaxed: end within 2, as in i2b2"""


_CONTENT = """\
clinical content that is no PHI; falsified: taken for PHI, it reads like another fact
destroyed: it became a label"""


def content_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row for each kind of clinical content, and one for all."""
    content = sorted(evaluation.content.items())
    return [_content_row(*one) for one in (*content, ("all", find_total(evaluation.content)))]


def _content_row(kind: str, counts: ContentCounts) -> Row:
    lost = 1000 * (counts.falsified + counts.destroyed) / max(1, counts.pieces)
    figures = (counts.pieces, counts.kept, counts.falsified, counts.destroyed)
    return (kind, *(f"{figure:,}" for figure in figures), number(lost))


def write_content(evaluation: Evaluation) -> str:
    """Write what became of the clinical content."""
    return align_columns(CONTENT_HEADS, content_rows(evaluation))


_AGREEMENTS = """\
mentions that are of one person, place or number, and whether their surrogates show it
label, left: one has a surrogate, the other became a label or stayed as it was"""


def agreement_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row for each reason why two mentions are of one original, and one for all."""
    _, score = main_score(evaluation)
    found = evaluation.agreements
    rows = [(relation.value, found[relation]) for relation in Relation if relation in found]
    rows.append(("all", sum(found.values(), Counter[Agreement]())))
    notes = score.all_notes.notes
    return [_agreement_row(name, counts, notes) for name, counts in rows]


def _agreement_row(name: str, counts: Counter[Agreement], notes: int) -> Row:
    apart = counts.total() - counts[Agreement.AGREES]
    figures = (counts.total(), *(counts[agreement] for agreement in Agreement))
    return (name, *(f"{figure:,}" for figure in figures), number(1000 * apart / max(1, notes)))


def write_agreements(evaluation: Evaluation) -> str:
    """Write whether the surrogates of one original agree."""
    return align_columns(AGREEMENT_HEADS, agreement_rows(evaluation))


def summarise(evaluation: Evaluation, subject: Subject) -> str:
    """Write a summary: every recognizer, then cells, labels and errors of the last of them."""
    name, score = main_score(evaluation)
    check = evaluation.score_check
    parts = (
        opening(evaluation, subject),
        align_columns(RECOGNIZER_HEADS, recognizer_rows(evaluation)),
        _RECOGNIZERS,
        f"{name}, by way of scoring; macro: mean over notes",
        align_columns(CELL_HEADS, cell_rows(score)),
        f"{name}, by label; redacted: recall of tokens under whatever label; P, R: overlap",
        align_columns(LABEL_HEADS, label_rows(score)),
        *([] if not evaluation.content else [_CONTENT, write_content(evaluation)]),
        *([] if not evaluation.agreements else [_AGREEMENTS, write_agreements(evaluation)]),
        _errors(name, score),
        *([] if check is None else [_score_check(check)]),
    )
    return "\n\n".join(parts) + "\n"


def opening(evaluation: Evaluation, subject: Subject) -> str:
    """Write which spans were scored against which notes."""
    _, score = main_score(evaluation)
    notes, clean = score.all_notes, score.clean_notes
    return (
        f"{subject.kind} {subject.name} against {evaluation.gold.name}: {notes.notes:,} notes "
        f"({clean.notes:,} without PHI), {notes.words:,} words, {score.leaks.spans:,} spans, "
        f"{score.redact.gold:,} tokens of PHI"
    )


def _errors(name: str, score: Score) -> str:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in by_kind(score).items())
    leaks, head = score.leaks, headline(score)
    return (
        f"{name}, errors: {kinds}\n"
        f"{leaks.leaking:,} of {leaks.spans:,} gold spans leak ({share(head.leaking_spans)}), "
        f"{leaks.missed:,} of them wholly ({share(head.missed_spans)}), "
        f"in {leaks.leaking_notes:,} of {score.all_notes.notes:,} notes"
    )


def _score_check(check: ScoreCheck) -> str:
    return (
        f"scores of {check.after.spans:,} spans: expected calibration error "
        f"{share(check.after.error)}, {share(check.before.error)} before calibration"
    )
