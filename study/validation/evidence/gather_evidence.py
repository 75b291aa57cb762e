"""Gather the evidence: one record of figures, from which the page is made. It holds no text."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from deidstream.schemas.policy import OperatorName
from deidstream.study.validation.evidence.attack_figures import attack_outputs
from deidstream.study.validation.evidence.checklists import CHECKLISTS
from deidstream.study.validation.evidence.read_figures import (
    describe_claims,
    describe_labels,
    describe_prevalence,
    describe_slices,
    describe_time,
)
from deidstream.study.validation.evidence.reader_figures import measure_readers
from deidstream.study.validation.evidence.safe_harbor_items import list_items
from deidstream.study.validation.site.judged_notes import JudgedNote
from deidstream.study.validation.site.progress import Progress
from deidstream.study.validation.site.validation_plan import SCHEMA, ValidationPlan

_STAYING = frozenset({OperatorName.KEEP, OperatorName.GENERALISE})
_MOVED = frozenset({OperatorName.SHIFT, OperatorName.RELATIVE})


def gather_evidence(
    plan: ValidationPlan,
    frame: Mapping[str, Any],
    judged: Sequence[JudgedNote],
    progress: Progress,
) -> dict[str, Any]:
    """Return the evidence.

    Args:
        plan: Made before anything was read.
        frame: What the sample was drawn from.
        judged: The notes that all readers have read and in which nothing is disputed.
        progress: What the plan says of them.
    """
    readers = measure_readers(judged, plan)
    confidence = plan.claim.confidence
    labels = describe_labels(judged, confidence)
    read = {one.note.number for one in judged}
    return {
        "schema": SCHEMA,
        "kind": "evidence",
        "version": version("deidstream"),
        "determination": None,
        "plan": {
            **asdict(plan),
            "fixed_notes": plan.fixed_notes,
            "identifiers_to_read": plan.identifiers_to_read,
        },
        "progress": {
            "read": len(judged),
            "disputed": len(progress.disputed),
            "to_read": len(set(progress.wanted) - read - set(progress.disputed)),
        },
        "claims": describe_claims(judged, frame, plan, progress, readers),
        "prevalence": describe_prevalence(judged, frame, confidence),
        "labels": labels,
        "slices": describe_slices(judged, frame, plan),
        "reading": {**readers.record, "time": describe_time(judged)},
        "attacks": attack_outputs([one.note for one in judged]) if len(judged) > 1 else None,
        "frame": dict(frame),
        "stays": {
            "true": [row for row in frame["spans"] if row["operator"] in _STAYING],
            "moved": [row for row in frame["spans"] if row["operator"] in _MOVED],
        },
        "safe_harbor": list_items(frame["spans"], {row["label"]: row["leaked"] for row in labels}),
        "checklists": {
            name: [{"asks": one.text, "section": one.section or None} for one in questions]
            for name, questions in CHECKLISTS.items()
        },
    }
