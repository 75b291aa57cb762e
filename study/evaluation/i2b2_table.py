"""The cells of i2b2 2014 as a table in the scripts' own figures, and as a record for machines."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

import orjson

from deidstream.agents.runtime.terminal import Row, align_columns
from deidstream.study.scoring.i2b2.official_score import CellScore

SCHEMA = 1
_HEADS = (
    "cell",
    *("TP", "FP", "FN"),
    *("macro P (SD)", "macro R (SD)", "macro F1"),
    *("micro P", "micro R", "micro F1"),
    "the script's heading",
)
_LEGEND = """\
micro is primary; macro: mean over notes, a note without tags in a cell counts as 0; F1 of the means
strict: same start and end; relaxed: same start, end within 2; token: [a-zA-Z0-9]+ of the tags
where tags overlap, relaxed TP + FN need not be the tags of gold; for a macro F1 of nan here is 0.0
typed: same element and TYPE too; binary: not. '-': the 2014 script does not print the cell
hipaa-script: as the script, which writes "IDNUM " and never counts IDNUM; hipaa-mended: with it"""


@dataclass(frozen=True, slots=True)
class Compared:
    """How many notes were scored, and how many were in one folder only."""

    scored: int
    gold_only: int
    system_only: int


def table(scores: Sequence[CellScore], compared: Compared) -> str:
    """Lay out every cell; of the cells of one element, those in which something was counted."""
    whole = [_row(score) for score in scores if not score.cell.element]
    parts = [_row(score) for score in scores if score.cell.element and _has_counts(score)]
    tables = [f"{compared.scored:,} notes scored", _LEGEND, align_columns(_HEADS, whole)]
    if parts:
        tables += ["by element", align_columns(_HEADS, parts)]
    return "\n\n".join(tables) + "\n"


def encode_scores(scores: Sequence[CellScore], compared: Compared) -> bytes:
    """Write every cell, unrounded, as JSON."""
    record = {
        "schema": SCHEMA,
        "version": version("deidstream"),
        "notes": asdict(compared),
        "cells": [_record(score) for score in scores],
    }
    return orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n"


def _row(score: CellScore) -> Row:
    hits, micro, macro = score.hits, score.micro, score.macro
    return (
        score.cell.name,
        *(f"{count:,}" for count in (hits.found, hits.spurious, hits.missed)),
        f"{macro.precision:.4} ({score.precision_deviation:.2})",
        f"{macro.recall:.4} ({score.recall_deviation:.2})",
        *(f"{rate:.4}" for rate in (macro.f1, micro.precision, micro.recall, micro.f1)),
        score.cell.printed_as or "-",
    )


def _record(score: CellScore) -> dict[str, object]:
    return {
        "name": score.cell.name,
        **asdict(score.cell),
        "printed_as": score.cell.printed_as,
        "true_positives": score.hits.found,
        "false_positives": score.hits.spurious,
        "false_negatives": score.hits.missed,
        "micro": asdict(score.micro),
        "macro": asdict(score.macro),
        "macro_precision_deviation": score.precision_deviation,
        "macro_recall_deviation": score.recall_deviation,
    }


def _has_counts(score: CellScore) -> bool:
    return bool(score.hits.found or score.hits.spurious or score.hits.missed)
