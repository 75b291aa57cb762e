"""Writes an evaluation as one page that needs nothing else: no network, no script.

The layout is the template ``static/evaluation.html``, whose engine escapes every value.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from jinja2 import Template
from markupsafe import Markup

from deidstream.agents.runtime.terminal import Row
from deidstream.study.evaluation.diagram import draw_reliability
from deidstream.study.evaluation.evaluation import Evaluation, NoteMistake
from deidstream.study.evaluation.layouts import open_layouts
from deidstream.study.evaluation.reports import ExcerptPart, Subject, by_kind, excerpt, main_score
from deidstream.study.evaluation.tables import (
    ABSENT,
    AGREEMENT_HEADS,
    CELL_HEADS,
    CONTENT_HEADS,
    LABEL_HEADS,
    RECOGNIZER_HEADS,
    agreement_rows,
    cell_rows,
    content_rows,
    counts_of,
    interval,
    label_rows,
    labels_of,
    number,
    opening,
    recognizer_rows,
    share,
)
from deidstream.study.scoring.cells import REDACT
from deidstream.study.scoring.error_kinds import ErrorKind
from deidstream.study.scoring.totals import OVERLAP, Headline, Score, headline

MOST_SHOWN = 400
"""Errors of one kind that the page shows; the file of errors has them all."""
LONGEST_PART = 160
"""Characters of one part of an excerpt; of a longer one both ends."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure of the headline."""

    title: str
    value: str
    below: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A share as a tick on its interval."""

    value: float
    low: float
    high: float
    caption: str


@dataclass(frozen=True, slots=True)
class ShownError:
    """An error with the text around it."""

    note_id: str
    labels: str
    parts: Sequence[ExcerptPart] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """The errors of one kind."""

    kind: ErrorKind
    count: str
    errors: Sequence[ShownError]


def page(
    evaluation: Evaluation, subject: Subject, *, context: int | None = None, of: str = ""
) -> str:
    """Write the page.

    Args:
        evaluation: The result.
        subject: What was scored.
        context: Characters of text around each error; ``None`` for a page without any text.
        of: The recognizer whose errors are shown.
    """
    name, score = main_score(evaluation)
    return _template().render(
        opening=opening(evaluation, subject),
        holds_text=context is not None,
        name=name,
        tiles=list(_tiles(headline(score), score.leaks.leaking_notes)),
        recognizers=(RECOGNIZER_HEADS, recognizer_rows(evaluation)),
        labels=((*LABEL_HEADS, "redacted, 0 to 1", "P, 0 to 1"), _label_rows(score)),
        content=(CONTENT_HEADS, content_rows(evaluation)),
        agreements=(AGREEMENT_HEADS, agreement_rows(evaluation)),
        cells=(CELL_HEADS, cell_rows(score)),
        kinds=by_kind(score),
        mistakes=(("kind", "gold", "predicted", "spans"), list(_mistake_rows(score))),
        reliability=_reliability(evaluation),
        of=of,
        groups=[] if context is None else list(_groups(evaluation.mistakes, context)),
        stamp=_stamp(evaluation, subject),
    )


@cache
def _template() -> Template:
    return open_layouts().get_template("evaluation.html")


def _reliability(evaluation: Evaluation) -> Markup | None:
    check = evaluation.score_check
    # It is our own drawing, of numbers alone.
    return None if check is None else Markup(draw_reliability(check))  # noqa: S704


def _stamp(evaluation: Evaluation, subject: Subject) -> str:
    tagger = f", tagger {subject.tagger[:12]}" if subject.tagger else ""
    return (
        f"deidstream {subject.version}; {subject.kind} {subject.sha256[:12]}{tagger}; "
        f"gold {evaluation.gold.sha256[:12]}"
    )


def _tiles(head: Headline, leaking_notes: int) -> Iterator[Tile]:
    yield Tile("redact recall", share(head.redact_recall), interval(head.redact_recall_interval))
    direct = interval(head.direct_recall_interval)
    yield Tile("of direct identifiers", share(head.direct_recall), direct)
    yield Tile("precision", share(head.redact_precision), interval(head.redact_precision_interval))
    yield Tile("leak-free notes", share(head.leak_free_notes), f"{leaking_notes:,} leak")
    missed = f"{number(head.missed_per_1000_notes)} wholly missed"
    yield Tile("leaks per 1,000 notes", number(head.leaks_per_1000_notes), missed)
    whole = f"{share(head.missed_spans)} wholly missed"
    yield Tile("leak rate of spans", share(head.leaking_spans), whole)
    clean = f"{number(head.clean_false_alarms_per_1000_words)} in notes without PHI"
    alarms = number(head.false_alarms_per_1000_words)
    yield Tile("false alarms per 1,000 words", alarms, clean)
    yield Tile("F1, overlap, labels", share(head.overlap_f1), f"{share(head.strict_f1)} strict")


def _label_rows(score: Score) -> list[tuple[Row, list[Bar | None]]]:
    rows = list[tuple[Row, list[Bar | None]]]()
    for label, row in zip(labels_of(score), label_rows(score), strict=True):
        redact, overlap = counts_of(score, REDACT, label), counts_of(score, OVERLAP, label)
        recall = _bar(redact.recall, redact.recall_interval)
        precision = _bar(overlap.precision, overlap.precision_interval)
        rows.append((row, [recall, precision]))
    return rows


def _bar(value: float | None, bounds: tuple[float, float] | None) -> Bar | None:
    if value is None or bounds is None:
        return None
    return Bar(value, *bounds, f"{share(value)}, {interval(bounds)}")


def _mistake_rows(score: Score) -> Iterator[Row]:
    ordered = sorted(score.mistakes.items(), key=lambda item: (-item[1], *map(str, item[0])))
    for (kind, gold, predicted), count in ordered:
        yield kind.value, gold or ABSENT, predicted or ABSENT, f"{count:,}"


def _groups(mistakes: Sequence[NoteMistake], context: int) -> Iterator[ErrorGroup]:
    by_kinds: dict[ErrorKind, list[NoteMistake]] = defaultdict(list)
    for noted in mistakes:
        by_kinds[noted.mistake.kind].append(noted)
    for kind in ErrorKind:
        found = by_kinds[kind]
        shown = found[:MOST_SHOWN]
        of = "" if len(shown) == len(found) else f" of {len(found):,}"
        errors = [_shown_error(noted, context) for noted in shown]
        yield ErrorGroup(kind, f"{len(shown):,}{of}", errors)


def _shown_error(noted: NoteMistake, context: int) -> ShownError:
    labels = " → ".join(label.value for label in noted.mistake.labels if label is not None)
    parts = [replace(part, text=_shorten(part.text)) for part in excerpt(noted, context)]
    return ShownError(noted.note.note_id, labels, parts)


def _shorten(text: str) -> str:
    if len(text) <= LONGEST_PART:
        return text
    return f"{text[: LONGEST_PART // 2]} … {text[-LONGEST_PART // 2 :]}"
