"""An evaluation as one page that needs nothing else: no network, no script."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import islice
from string import Template

from deidstream.agents.evaluation.error_table import Part, excerpt
from deidstream.agents.evaluation.evaluation import Evaluation, Noted
from deidstream.agents.evaluation.report import Subject, by_kind, main_score
from deidstream.agents.evaluation.rows import (
    ABSENT,
    CELL_HEADS,
    LABEL_HEADS,
    RECOGNIZER_HEADS,
    Row,
    cell_rows,
    counts_of,
    interval,
    label_rows,
    labels_of,
    number,
    recognizer_rows,
    share,
)
from deidstream.agents.evaluation.summary import opening
from deidstream.models.scoring.cells import REDACT
from deidstream.models.scoring.counts import Counts
from deidstream.models.scoring.error_kinds import ErrorKind
from deidstream.models.scoring.headline import OVERLAP, Headline, headline
from deidstream.models.scoring.totals import Score

MOST_SHOWN = 400
"""Errors of one kind that the page shows; the file of errors has them all."""
LONGEST_PART = 160
"""Characters of one part of an excerpt; of a longer one both ends."""


def page(
    evaluation: Evaluation, subject: Subject, *, context: int | None = None, of: str = ""
) -> str:
    """Write the page.

    Args:
        evaluation: What came out.
        subject: What was scored.
        context: Characters of text around each error; ``None`` for a page without any text.
        of: Whose errors they are.
    """
    name, score = main_score(evaluation)
    texts = "" if context is None else "".join(_texts(evaluation.mistakes, context, of))
    static = files("deidstream.agents") / "static"
    template = Template((static / "evaluation.html").read_text(encoding="utf-8"))
    return template.substitute(
        style=(static / "evaluation.css").read_text(encoding="utf-8"),
        opening=escape(opening(evaluation, subject)),
        warning="" if context is None else _WARNING,
        name=escape(name),
        tiles="".join(_tiles(headline(score), score)),
        recognizers=_table(RECOGNIZER_HEADS, recognizer_rows(evaluation)),
        labels=_labels(score),
        cells=_table(CELL_HEADS, cell_rows(score)),
        errors=_errors(score),
        texts=texts,
        stamp=escape(_stamp(evaluation, subject)),
    )


_WARNING = '<p class="warning">This page holds text of notes. Keep it where the notes are kept.</p>'


def _stamp(evaluation: Evaluation, subject: Subject) -> str:
    tagger = f", tagger {subject.tagger[:12]}" if subject.tagger else ""
    return (
        f"deidstream {subject.version}; {subject.kind} {subject.sha256[:12]}{tagger}; "
        f"gold {evaluation.gold.sha256[:12]}"
    )


def _tiles(head: Headline, score: Score) -> Iterator[str]:
    leaks = score.leaks
    yield _tile("redact recall", share(head.redact_recall), interval(head.redact_recall_interval))
    yield _tile(
        "of direct identifiers", share(head.direct_recall), interval(head.direct_recall_interval)
    )
    yield _tile("precision", share(head.redact_precision), interval(head.redact_precision_interval))
    yield _tile("leak-free notes", share(head.leak_free_notes), f"{leaks.leaking_notes:,} leak")
    yield _tile(
        "leaks per 1,000 notes",
        number(head.leaks_per_1000_notes),
        f"{number(head.missed_per_1000_notes)} wholly missed",
    )
    yield _tile(
        "false alarms per 1,000 words",
        number(head.false_alarms_per_1000_words),
        f"{number(head.clean_false_alarms_per_1000_words)} in notes without PHI",
    )
    yield _tile("F1, overlap, labels", share(head.overlap_f1), f"{share(head.strict_f1)} strict")


def _tile(title: str, value: str, below: str) -> str:
    return (
        f"<div><dt>{escape(title)}</dt><dd><b>{value}</b><small>{escape(below)}</small></dd></div>"
    )


def _table(heads: Row, rows: Sequence[Row]) -> str:
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _cells(row: Row) -> str:
    first, *others = row
    return f'<th scope="row">{escape(first)}</th>' + "".join(
        f"<td>{escape(cell)}</td>" for cell in others
    )


def _labels(score: Score) -> str:
    heads = (*LABEL_HEADS, "redacted, 0 to 1", "P, 0 to 1")
    top = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    pairs = zip(labels_of(score), label_rows(score), strict=True)
    rows = (
        f"<tr>{_cells(row)}<td>{_recall_bar(counts_of(score, REDACT, label))}</td>"
        f"<td>{_precision_bar(counts_of(score, OVERLAP, label))}</td></tr>"
        for label, row in pairs
    )
    return (
        f'<div class="wide"><table><thead><tr>{top}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _recall_bar(counts: Counts) -> str:
    return _bar(counts.recall, counts.recall_interval)


def _precision_bar(counts: Counts) -> str:
    return _bar(counts.precision, counts.precision_interval)


def _bar(value: float | None, bounds: tuple[float, float] | None) -> str:
    if value is None or bounds is None:
        return ABSENT
    low, high = bounds
    return (
        f'<span class="bar" role="img" aria-label="{share(value)}, {interval(bounds)}">'
        f'<i style="left:{low:.2%};width:{high - low:.2%}"></i>'
        f'<b style="left:{value:.2%}"></b></span>'
    )


def _errors(score: Score) -> str:
    kinds = "".join(
        f"<li><b>{count:,}</b> {escape(kind)}</li>" for kind, count in by_kind(score).items()
    )
    ordered = sorted(score.mistakes.items(), key=lambda item: (-item[1], *map(str, item[0])))
    rows = [
        (kind.value, gold or ABSENT, predicted or ABSENT, f"{count:,}")
        for (kind, gold, predicted), count in ordered
    ]
    table = _table(("kind", "gold", "predicted", "spans"), rows)
    return f'<ul class="kinds">{kinds}</ul><details><summary>By label</summary>{table}</details>'


def _texts(mistakes: Sequence[Noted], context: int, of: str) -> Iterator[str]:
    yield f"<h2>Errors of {escape(of)} in their text</h2>"
    yield '<p class="key"><mark class="gold">gold only</mark> '
    yield '<mark class="both">gold and predicted</mark> '
    yield '<mark class="predicted">predicted only</mark></p>'
    by_kinds: dict[ErrorKind, list[Noted]] = defaultdict(list)
    for noted in mistakes:
        by_kinds[noted.mistake.kind].append(noted)
    for kind in ErrorKind:
        yield from _kind(kind, by_kinds[kind], context)


def _kind(kind: ErrorKind, mistakes: Sequence[Noted], context: int) -> Iterator[str]:
    shown = min(len(mistakes), MOST_SHOWN)
    told = f"{len(mistakes):,}" if shown == len(mistakes) else f"{shown:,} of {len(mistakes):,}"
    yield f"<details><summary>{escape(kind)}: {told}</summary><ol>"
    for noted in islice(mistakes, MOST_SHOWN):
        yield _shown(noted, excerpt(noted, context))
    yield "</ol></details>"


def _shown(noted: Noted, parts: Iterable[Part]) -> str:
    gold, predicted = noted.mistake.labels
    labels = " → ".join(label.value for label in (gold, predicted) if label is not None)
    return (
        f"<li><small>{escape(noted.note.note_id)} · {escape(labels)}</small>"
        f"<p>{''.join(map(_marked, parts))}</p></li>"
    )


def _marked(part: Part) -> str:
    text = part.text
    if len(text) > LONGEST_PART:
        text = f"{text[: LONGEST_PART // 2]} … {text[-LONGEST_PART // 2 :]}"
    match part.gold, part.predicted:
        case False, False:
            return escape(text)
        case True, True:
            kind = "both"
        case True, False:
            kind = "gold"
        case _:
            kind = "predicted"
    return f'<mark class="{kind}">{escape(text)}</mark>'
