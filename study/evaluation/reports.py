"""An evaluation as records for machines: the figures, and the errors with the text around them.

The figures hold no text of a note. The errors are PHI and written only when asked for.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path

import orjson

from deidstream.agents.runtime.lines import write_whole
from deidstream.study.evaluation.evaluation import (
    Evaluation,
    NoteComparison,
    NoteMistake,
    ScoreCheck,
)
from deidstream.study.scoring.cells import CELLS, Counts, harmonic
from deidstream.study.scoring.error_kinds import ErrorKind
from deidstream.study.scoring.match import Extent
from deidstream.study.scoring.one_surrogate import Agreement
from deidstream.study.scoring.totals import Means, Score, headline

SCHEMA = 1
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Subject:
    """The policy or the predictions that were scored."""

    kind: str
    """``policy`` or ``predictions``."""
    name: str
    sha256: str
    version: str
    """Version of deidstream."""
    tagger: str | None = None
    """Digest of the tagger's weights, where the policy has one."""


def encode_evaluation(evaluation: Evaluation, subject: Subject) -> bytes:
    """Write the record of an evaluation: every cell, label and count. It holds no text."""
    record = {
        "schema": SCHEMA,
        "subject": asdict(subject),
        "gold": {**asdict(evaluation.gold), **_gold(evaluation)},
        "unscored": dict(sorted(evaluation.unscored.items())),
        "recognizers": {name: _score(score) for name, score in evaluation.scores.items()},
        "calibration": _score_check(evaluation.score_check),
        "content": {
            kind: asdict(counts) | {"kept": counts.kept}
            for kind, counts in sorted(evaluation.content.items())
        },
        "one_surrogate": {
            relation: {agreement.name.lower(): counts[agreement] for agreement in Agreement}
            for relation, counts in evaluation.agreements.items()
        },
    }
    return orjson.dumps(_round_floats(record), option=orjson.OPT_INDENT_2) + b"\n"


def _score_check(check: ScoreCheck | None) -> dict[str, object] | None:
    if check is None:
        return None
    sides = {"before": check.before, "after": check.after}
    return {
        name: {"error": side.error, "spans": side.spans, "bins": [asdict(one) for one in side.bins]}
        for name, side in sides.items()
    }


def main_score(evaluation: Evaluation) -> tuple[str, Score]:
    """Return name and score of the main result: the union, or the predictions."""
    return list(evaluation.scores.items())[-1]


def by_kind(score: Score) -> Mapping[ErrorKind, int]:
    """Count the mistakes of each kind, in the order of the kinds."""
    kinds = Counter[ErrorKind]()
    for (kind, _, _), count in score.mistakes.items():
        kinds[kind] += count
    return {kind: kinds[kind] for kind in ErrorKind}


def _gold(evaluation: Evaluation) -> dict[str, int]:
    _, score = main_score(evaluation)
    return {
        "notes": score.all_notes.notes,
        "notes_without_phi": score.clean_notes.notes,
        "words": score.all_notes.words,
        "words_without_phi": score.clean_notes.words,
        "spans": score.leaks.spans,
        "tokens": score.redact.gold,
    }


def _score(score: Score) -> dict[str, object]:
    return {
        "headline": asdict(headline(score)),
        "redact_direct": _counts(score.redact_direct),
        "leaks": asdict(score.leaks),
        "all_notes": asdict(score.all_notes),
        "clean_notes": asdict(score.clean_notes),
        "cells": {
            cell.name: {
                "micro": _counts(score.micro(cell)),
                "macro": _means(score.means[cell]),
                "labels": {label: _counts(c) for label, c in score.counts[cell].items()},
            }
            for cell in CELLS
        },
        "mistakes": _mistakes(score),
    }


def _counts(counts: Counts) -> dict[str, object]:
    return {
        **asdict(counts),
        "recall": counts.recall,
        "recall_interval": counts.recall_interval,
        "precision": counts.precision,
        "precision_interval": counts.precision_interval,
        "f1": counts.f1,
    }


def _means(means: Means) -> dict[str, object]:
    recall, precision = means.mean_recall, means.mean_precision
    return {
        "recall": recall,
        "recall_notes": means.recall_notes,
        "precision": precision,
        "precision_notes": means.precision_notes,
        "f1": harmonic(precision, recall),
    }


def _mistakes(score: Score) -> list[dict[str, object]]:
    ordered = sorted(score.mistakes.items(), key=lambda item: (-item[1], *map(str, item[0])))
    return [
        {"kind": kind, "gold": gold, "predicted": predicted, "spans": count}
        for (kind, gold, predicted), count in ordered
    ]


def _round_floats(value: object) -> object:
    match value:
        case float():
            return round(value, _DIGITS)
        case dict():
            return {str(name): _round_floats(each) for name, each in value.items()}
        case list() | tuple():
            return [_round_floats(each) for each in value]
        case _:
            return value


@dataclass(frozen=True, slots=True)
class ExcerptPart:
    """A piece of an excerpt."""

    text: str = field(repr=False)
    gold: bool = False
    predicted: bool = False


def excerpt(noted: NoteMistake, context: int) -> tuple[ExcerptPart, ...]:
    """Cut the text around an error where gold or predicted begins or ends.

    Args:
        noted: The error.
        context: Characters on either side.
    """
    text, mistake = noted.note.text, noted.mistake
    start, end = mistake.place
    sides = [side for side in (mistake.gold, mistake.predicted) if side is not None]
    cuts = sorted({start, end, *(cut for side in sides for cut in side[:2])})
    inner = (
        ExcerptPart(text[a:b], _within(mistake.gold, a), _within(mistake.predicted, a))
        for a, b in pairwise(cuts)
    )
    before, after = text[max(0, start - context) : start], text[end : end + context]
    return ExcerptPart(before), *inner, ExcerptPart(after)


def write_errors(
    path: Path,
    mistakes: Sequence[NoteMistake],
    disagreements: Sequence[NoteComparison] = (),
    *,
    of: str,
    context: int,
) -> None:
    """Write one line an error: note id, kind, extents, labels, and the text around.

    Behind them come two mentions of one original a line whose surrogates do not show it.

    Raises:
        MissingArtefact: The file cannot be written.
    """
    lines = (*_lines(mistakes, of, context), *_disagreement_lines(disagreements, context))
    write_whole(path, b"".join(lines))


def _lines(mistakes: Sequence[NoteMistake], of: str, context: int) -> Iterator[bytes]:
    for noted in mistakes:
        before, *inner, after = excerpt(noted, context)
        fields = {
            "note_id": noted.note.note_id,
            "recognizer": of,
            "kind": noted.mistake.kind,
            "gold": _extent(noted.mistake.gold),
            "predicted": _extent(noted.mistake.predicted),
            "before": before.text,
            "text": "".join(part.text for part in inner),
            "after": after.text,
        }
        yield orjson.dumps(fields) + b"\n"


def _disagreement_lines(disagreements: Sequence[NoteComparison], context: int) -> Iterator[bytes]:
    for one in disagreements:
        text, compared = one.note.text, one.compared
        mention, other = compared.mention, compared.other
        fields = {
            "note_id": one.note.note_id,
            "kind": "one surrogate",
            "relation": compared.relation,
            "agreement": compared.agreement,
            "start": mention.start,
            "end": mention.end,
            "before": text[max(0, mention.start - context) : mention.start],
            "text": text[mention.start : mention.end],
            "after": text[mention.end : mention.end + context],
            "written": mention.written,
            "other": text[other.start : other.end],
            "other_written": other.written,
        }
        yield orjson.dumps(fields) + b"\n"


def _within(extent: Extent | None, place: int) -> bool:
    return extent is not None and extent.start <= place < extent.end


def _extent(extent: Extent | None) -> dict[str, object] | None:
    return None if extent is None else extent._asdict()
