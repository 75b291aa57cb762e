"""Fit linkage to actual attacks on held-back notes, over outputs of several techniques.

    python benchmarks/risk/fit_linkage.py NOTES.jsonl --keep FOLDER [--targets 100]
        [--candidates 400] [--references 500] [--table FILE.json] [--svg FILE.svg]

NOTES are labelled notes; half of them, by a digest of the id, are reference notes, some of the
others targets. Each target is brought to its output by each technique and attacked twice: by
linkage, which knows the reference notes, and by the attacks of the package, which look for its
original among those of all candidates. Linkage is fitted to whether one of them finds it, on four
fifths of the targets, and compared on the others. FOLDER keeps vectors and detections, which hold
text of notes.
"""

import argparse
import hashlib
import json
import os
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from fit_residual import auc, auc_interval
from outputs_of_techniques import TECHNIQUES, KeptVectors, detect, write_outputs

from deidstream.agents.runtime.compose import compose, recompose
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.settings import read_settings
from deidstream.models.references.number_lists import NumberLists
from deidstream.models.references.own_attack import OwnAttack
from deidstream.models.references.reference_notes import ReferenceNotes, mean_vector
from deidstream.models.references.word_sketch import sketch_text
from deidstream.models.risk.linkage import (
    LinkageRisk,
    LinkageTable,
    OwnDonors,
    cut_pieces,
    describe,
)
from deidstream.models.risk.reference_set import ReferenceSet
from deidstream.schemas.labelled import LabelledNote
from deidstream.study.attacks.dense import embed_notes
from deidstream.study.attacks.jaccard import compare_word_sets
from deidstream.study.attacks.sentence_table import read_sentences
from deidstream.study.corpus.read_notes import read_labelled_notes
from deidstream.study.evaluation.diagram import AFTER, THIRD, Axis, Series, draw
from deidstream.study.scoring.reliability import measure_reliability

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 5
PULL = 0.1
ROUNDS = 4000
STEP = 0.5
SALT = b"\0" * 16
ROOT = b"k" * 32


@dataclass(frozen=True, slots=True)
class Outcome:
    technique: str
    target: int
    attack: OwnAttack
    """By linkage."""
    found: bool
    """Whether an actual attack finds the original."""
    margins: tuple[float, float]
    """Of the actual attacks, by shared words and by vectors."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit linkage to actual attacks.")
    parser.add_argument("notes", metavar="NOTES.jsonl", type=Path)
    parser.add_argument("--keep", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--targets", type=int, default=100)
    parser.add_argument("--candidates", type=int, default=400)
    parser.add_argument("--references", type=int, default=500)
    parser.add_argument("--table", metavar="FILE.json", type=Path)
    parser.add_argument("--svg", metavar="FILE.svg", type=Path)
    asked = parser.parse_args()
    notes = read_labelled_notes(asked.notes)
    candidates = [one for one in notes if is_held_back(one)][: asked.candidates]
    references = [one for one in notes if not is_held_back(one)][: asked.references]
    outcomes = attack_all(candidates, asked.targets, references, asked.keep)
    predicted = cross_validate(outcomes)
    show(outcomes, predicted)
    if asked.svg:
        asked.svg.write_text(draw_check(outcomes, predicted))
    if asked.table:
        table = fit(outcomes)
        content = {
            "schema": 1,
            "candidates": len(candidates),
            "outputs": len(outcomes),
            "references": len(references),
            "weights": dict(table.weights),
        }
        asked.table.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n")


def is_held_back(labelled: LabelledNote) -> bool:
    return bool(hashlib.sha256(labelled.note.note_id.encode()).digest()[0] % 2)


def attack_all(
    candidates: Sequence[LabelledNote],
    most: int,
    references: Sequence[LabelledNote],
    keep: Path,
) -> list[Outcome]:
    targets = candidates[:most]
    settings = read_settings(os.environ, {"policy": "kneo"})
    runtime = compose(settings, root=ROOT)
    vectors = KeptVectors(runtime.models.embedder, keep / "vectors.pickle")
    vectors.read()
    detected = detect(runtime.pipeline, targets, keep / "detected.pickle")
    table = LinkageTable({}, 0)
    own = OwnDonors(ROOT, 1, ())
    linkage = LinkageRisk(make_references(references, vectors), vectors, table, own)
    originals = [one.note.text for one in candidates]
    outcomes: list[Outcome] = []
    for name, changes in TECHNIQUES.items():
        policy = find_policy(name.partition(",")[0])
        pipeline = recompose(settings, runtime, policy).pipeline
        items = write_outputs(pipeline, changes, detected, vectors)
        actual = zip(
            compare_word_sets(originals, [one.text for one in items]),
            compare_vectors(originals, [one.text for one in items], vectors),
            strict=True,
        )
        for target, (attack, rows) in enumerate(zip(linkage.attack(items), actual, strict=True)):
            margins = [margin_of(row, target) for row in rows]
            found = max(margins) >= 0
            outcomes.append(Outcome(name, target, attack, found, (margins[0], margins[1])))
        vectors.write()
        print(f"{name}: {sum(o.found for o in outcomes if o.technique == name)} found", flush=True)
    return outcomes


def make_references(notes: Sequence[LabelledNote], vectors: KeptVectors) -> ReferenceSet:
    cut = [
        cut_pieces(one.note.text, [(s.start, s.end, s.label) for s in sorted(one.spans)])
        for one in notes
    ]
    return ReferenceSet.of_notes(
        replace(
            ReferenceNotes.none(vectors.dimension),
            donors=("",) * len(notes),
            vectors=np.stack([mean_vector(vectors.embed(pieces)) for pieces in cut]),
            words=NumberLists.pack([sketch_text("\n".join(pieces), SALT) for pieces in cut]),
            salt=SALT,
        )
    )


def compare_vectors(
    originals: Sequence[str], outputs: Sequence[str], vectors: KeptVectors
) -> Iterator["NDArray[np.float64]"]:
    together = embed_notes(read_sentences([*originals, *outputs]), vectors.embed, vectors.dimension)
    candidates, rows = together[: len(originals)], together[len(originals) :]
    yield from np.round(rows @ candidates.T, 9)


def margin_of(row: "NDArray[np.float64]", target: int) -> float:
    """Return by how much the own original is nearer than the nearest other; ties are finds."""
    others = np.delete(row, target)
    return float(row[target] - others.max())


def cross_validate(outcomes: Sequence[Outcome]) -> list[float]:
    targets = sorted({one.target for one in outcomes})
    random.Random(1).shuffle(targets)
    fold_of = {target: place % FOLDS for place, target in enumerate(targets)}
    tables = [fit([o for o in outcomes if fold_of[o.target] != fold]) for fold in range(FOLDS)]
    return [tables[fold_of[one.target]].probability(one.attack) for one in outcomes]


def fit(outcomes: Sequence[Outcome]) -> LinkageTable:
    """Fit a logistic regression whose weights, but for the constant, are not negative."""
    names = list(describe(outcomes[0].attack))
    rows = np.array([[describe(one.attack)[name] for name in names] for one in outcomes])
    right = np.array([one.found for one in outcomes], np.float64)
    scale = np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1.0)
    scaled = rows / scale
    weights = np.zeros(len(names))
    free = np.array([name == "always" for name in names])
    for _ in range(ROUNDS):
        likely = 1 / (1 + np.exp(-(scaled @ weights)))
        slope = scaled.T @ (right - likely) / len(right) - PULL * weights / len(right)
        weights = weights + STEP * slope
        weights = np.where(free, weights, np.maximum(weights, 0))
    unscaled = weights / scale
    return LinkageTable(
        {name: round(float(w), 4) for name, w in zip(names, unscaled, strict=True)},
        0,
    )


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the rank correlation; ties have their mean rank."""
    return float(np.corrcoef(_rank(one), _rank(other))[0, 1])


def _rank(values: Sequence[float]) -> "NDArray[np.float64]":
    _, inverse, counts = np.unique(np.array(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


def show(outcomes: Sequence[Outcome], predicted: Sequence[float]) -> None:
    groups: defaultdict[str, list[tuple[Outcome, float]]] = defaultdict(list)
    for one, risk in zip(outcomes, predicted, strict=True):
        groups[one.technique].append((one, risk))
        groups["all"].append((one, risk))
    print("| technique | outputs | found | mean linkage | AUC (95 %) | Spearman, words | vectors |")
    print("| --- | --: | --: | --: | --: | --: | --: |")
    for name, own in groups.items():
        pairs = [(risk, one.found) for one, risk in own]
        risks = [risk for _, risk in own]
        low, high = auc_interval(pairs)
        by_words, by_vectors = (
            spearman(risks, [one.margins[place] for one, _ in own]) for place in (0, 1)
        )
        print(
            f"| {name} | {len(own)} | {sum(o.found for o, _ in own) / len(own):.3f} "
            f"| {np.mean(risks):.3f} | {auc(pairs):.3f} ({low:.3f}-{high:.3f}) "
            f"| {by_words:.3f} | {by_vectors:.3f} |"
        )
    pairs = [(risk, one.found) for one, risk in groups["all"]]
    brier = np.mean([(risk - found) ** 2 for risk, found in pairs])
    check = measure_reliability(pairs, bins=10)
    print(f"Brier score {brier:.3f}; calibration error {check.error or 0:.3f}")


def draw_check(outcomes: Sequence[Outcome], predicted: Sequence[float]) -> str:
    marks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    pairs = [(risk, one.found) for one, risk in zip(outcomes, predicted, strict=True)]
    check = measure_reliability(pairs, bins=10)
    points = [(one.score, one.right) for one in check.bins]
    return draw(
        "Reliability of linkage, by cross-validation",
        Axis("linkage", marks),
        Axis("share of originals that were found", marks),
        (
            Series("as claimed", ((0.0, 0.0), (1.0, 1.0)), THIRD, dashed=True),
            Series(f"{len(pairs):,} outputs of {len(TECHNIQUES)} techniques", points, AFTER),
        ),
    )


if __name__ == "__main__":
    main()
