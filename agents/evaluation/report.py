"""An evaluation as a record for machines; it holds no text of a note."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import orjson

from deidstream.agents.evaluation.evaluation import Evaluation
from deidstream.models.scoring.cells import CELLS
from deidstream.models.scoring.counts import Counts, harmonic
from deidstream.models.scoring.error_kinds import ErrorKind
from deidstream.models.scoring.headline import headline
from deidstream.models.scoring.totals import Means, Score

SCHEMA = 1
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Subject:
    """What was scored."""

    kind: str
    """``policy`` or ``predictions``."""
    name: str
    sha256: str
    version: str
    """Of deidstream."""
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
    }
    return orjson.dumps(_rounded(record), option=orjson.OPT_INDENT_2) + b"\n"


def main_score(evaluation: Evaluation) -> tuple[str, Score]:
    """Name and score of what counts: the union, or what was predicted."""
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


def _rounded(value: object) -> object:
    match value:
        case float():
            return round(value, _DIGITS)
        case dict():
            return {str(name): _rounded(each) for name, each in value.items()}
        case list() | tuple():
            return [_rounded(each) for each in value]
        case _:
            return value
