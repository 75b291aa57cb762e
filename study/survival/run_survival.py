"""Run ``deidstream simulate misses``: from labelled notes a table and JSON, without any text."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from deidstream.agents.runtime.compose import compose, recompose
from deidstream.agents.runtime.lines import read_lines
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.terminal import align_columns
from deidstream.agents.settings import Settings
from deidstream.models.pipeline import Pipeline
from deidstream.schemas.errors import InvalidNote, Refused
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.study.survival.planted_misses import PlantedMiss, plant_misses
from deidstream.study.survival.survivors import (
    Fate,
    MissFound,
    Survival,
    count_fates,
    find_fates,
    with_embedder,
)
from deidstream.study.vectors.remembering import RememberingEmbedder

SCHEMA = 1
POLICIES = ("redact", "surrogate", "safe-harbor", "kneo", "kneo-words", "kneo-notes")
_ROOT = b"planted misses".ljust(32)
"""A key of its own, so that the same notes and seed give the same figures."""
_LEFT = (Fate.WHOLE, Fate.PART)


@dataclass(frozen=True, slots=True)
class SurvivalRequest:
    """What is measured."""

    notes: Path
    policies: Sequence[str] = POLICIES
    most: int = 600
    seed: int = 0


def read_notes(path: Path) -> tuple[list[LabelledNote], Counter[str]]:
    """Read labelled notes, and count the lines that hold none by reason.

    Raises:
        MissingArtefact: The file cannot be read.
    """
    notes, unread = list[LabelledNote](), Counter[str]()
    for _, line in read_lines(path):
        try:
            notes.append(decode_labelled(line))
        except InvalidNote as invalid:
            unread[invalid.reason] += 1
    return notes, unread


def measure_survival(
    settings: Settings, request: SurvivalRequest, notes: Sequence[LabelledNote]
) -> list[Survival]:
    """Plant misses in labelled notes and count what each policy leaves of them.

    Raises:
        Refused: No note has a direct identifier to plant, or a policy, model or index is missing.
    """
    misses = plant_misses(notes, request.most, request.seed)
    if not misses:
        msg = f"{request.notes}: no labelled note has a direct identifier to overlook"
        raise Refused(msg)
    runtime = compose(replace(settings, policy=request.policies[0]), root=_ROOT)
    remembered = RememberingEmbedder(runtime.models.embedder)
    survivals: list[Survival] = []
    for name in request.policies:
        runtime = recompose(settings, runtime, find_policy(name))
        survivals.append(_count_in(name, with_embedder(runtime.pipeline, remembered), misses))
    return survivals


def _count_in(name: str, pipeline: Pipeline, misses: Sequence[PlantedMiss]) -> Survival:
    with progress("misses") as bar:
        task = bar.add_task(name, total=len(misses))

        def watched() -> Iterator[MissFound]:
            for found in find_fates(pipeline, misses):
                yield found
                bar.advance(task)

        return count_fates(name, watched())


def write_survival(survivals: Sequence[Survival]) -> str:
    """Write the shares of all policies, and the labels below, as aligned tables."""
    head = ("policy", "overlooked", "left whole", "left whole or in part", "of these held back")
    rows = [
        (
            one.policy,
            f"{one.missed:,}",
            _percent(one.share_of(Fate.WHOLE)),
            _percent(one.share_of(*_LEFT)),
            f"{one.held:,}",
        )
        for one in survivals
    ]
    return f"{align_columns(head, rows)}\n\n{_by_label(survivals)}\n"


def _by_label(survivals: Sequence[Survival]) -> str:
    labels = sorted({label for one in survivals for label in one.fates})
    head = ("left whole, by label", "overlooked", *(one.policy for one in survivals))
    rows: list[tuple[str, ...]] = []
    for label in labels:
        counts = [one.fates.get(label, Counter[Fate]()) for one in survivals]
        missed = max(found.total() - found[Fate.FOUND] for found in counts)
        rows.append((str(label), f"{missed:,}", *(f"{found[Fate.WHOLE]:,}" for found in counts)))
    return align_columns(head, rows)


def _percent(share: tuple[float, float, float]) -> str:
    middle, low, high = share
    return f"{middle:.1%} ({low:.1%}-{high:.1%})"


def encode_survival(request: SurvivalRequest, survivals: Sequence[Survival]) -> bytes:
    """Write every count as JSON."""
    record = {
        "schema": SCHEMA,
        "kind": "planted-misses",
        "file": request.notes.name,
        "seed": request.seed,
        "policies": [_record(one) for one in survivals],
    }
    return orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n"


def _record(survival: Survival) -> Mapping[str, object]:
    shares = {"whole": (Fate.WHOLE,), "left": _LEFT}
    return {
        "policy": survival.policy,
        "overlooked": survival.missed,
        "found_again": survival.total[Fate.FOUND],
        "held": survival.held,
        "shares": {
            name: dict(zip(("share", "low", "high"), survival.share_of(*fates), strict=True))
            for name, fates in shares.items()
        },
        "labels": {
            str(label): {str(fate): count for fate, count in sorted(counts.items())}
            for label, counts in sorted(survival.fates.items())
        },
    }
