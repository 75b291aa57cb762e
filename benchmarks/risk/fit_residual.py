"""Fit the residual risk to labelled notes, and measure it by cross-validation.

    python benchmarks/risk/fit_residual.py GOLD... --keep FOLDER [--older TAGGER GOLD...]
        [--distorted 2] [--table FILE.json] [--svg FILE.svg]
    python benchmarks/risk/fit_residual.py GOLD... --keep FOLDER --as-shipped

Each GOLD is a file of labelled notes or a folder of marked ones from which the shipped tagger has
not learnt. ``--older``, which may be given several times, names the folder of an older tagger and
GOLD from which that one has not learnt: what is suspect, and what a whole note tells, are weighed
by these too, but how much is overlooked is that of the shipped tagger. With ``--distorted`` every
note is also read so many times with scanner's errors, slips, in capitals and in small letters.
``FOLDER`` keeps what was detected, which holds text. Each set is measured with what is fitted to
the others; ``--table`` writes what is fitted to all. With ``--as-shipped`` nothing is fitted: GOLD
is measured with the shipped table.
"""

import argparse
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from leaking_notes import CONDITIONS, JudgedNote, judge_gold

from deidstream.models.risk.miss_rates import ResidualTable, Sight, read_residual_table
from deidstream.models.risk.note_evidence import NoteEvidence
from deidstream.models.risk.residual import SUREST
from deidstream.schemas.label import LABELS, PERSONS, LabelGroup, PhiLabel, is_direct
from deidstream.study.evaluation.diagram import AFTER, BEFORE, THIRD, Axis, Series, draw
from deidstream.study.scoring.cells import wilson
from deidstream.study.scoring.reliability import measure_reliability

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 5
WORST = (0.01, 0.05, 0.1, 0.2)
PULL = 1.0
FREE = 0.01
"""Pull of the constant."""
ASSUMED = 200
"""Mentions that the bound of all groups weighs as much as."""
STEPS = 60
CONVERGED = 1e-7
CONFIDENCE = 0.95
DRAWS = 400
GROUPS = sorted({LABELS[label].group for label in PhiLabel if is_direct(label)})
SIGHTS = dict(zip(CONDITIONS, (Sight.TAGGER, Sight.PRECISE, Sight.RULES), strict=True))
COLOURS = dict(zip(CONDITIONS, (AFTER, THIRD, BEFORE), strict=True))


Fitted = dict[str, Any]
"""The content of the table."""


@dataclass(frozen=True, slots=True)
class Predicted:
    note: JudgedNote
    risk: float

    @property
    def leaks(self) -> bool:
        return bool(self.note.leaked)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit and measure the residual risk.")
    parser.add_argument("gold", metavar="GOLD", type=Path, nargs="+")
    parser.add_argument("--keep", metavar="FOLDER", type=Path, required=True)
    parser.add_argument("--distorted", metavar="TIMES", type=int, default=0)
    parser.add_argument(
        "--older", metavar=("TAGGER", "GOLD"), type=Path, nargs="+", action="append", default=[]
    )
    parser.add_argument("--as-shipped", action="store_true")
    parser.add_argument("--table", metavar="FILE.json", type=Path)
    parser.add_argument("--svg", metavar="FILE.svg", type=Path)
    asked = parser.parse_args()
    read_by: dict[Path, Path | None] = dict.fromkeys(asked.gold)
    read_by |= {gold: tagger for tagger, *golds in asked.older for gold in golds}
    notes: list[JudgedNote] = []
    for noisy in sorted({0, asked.distorted}):
        for gold, older in read_by.items():
            notes += judge_gold(gold, asked.keep, noisy=noisy, older=older)
    if asked.as_shipped:
        shipped = read_residual_table()
        predicted = [Predicted(one, predict(one, shipped)) for one in notes]
    else:
        predicted = cross_validate(notes)
    show(predicted)
    if asked.svg:
        asked.svg.write_text(draw_check(predicted))
    if asked.table:
        families = {one.family for one in notes}
        older_ones = {one.family for one in notes if one.older}
        table = {"schema": 4, "notes": len(families - older_ones), "older": len(older_ones)}
        table |= fit(notes)
        asked.table.write_text(json.dumps(table, indent=2, sort_keys=True) + "\n")


def sight_of(note: JudgedNote) -> Sight:
    return SIGHTS[note.condition]


def cross_validate(notes: Sequence[JudgedNote]) -> list[Predicted]:
    """Predict the risk of the notes that the shipped tagger read, each by the other sets."""
    predicted: list[Predicted] = []
    for held, others in hold_out(notes):
        if not any(one.older for one in held):
            table = ResidualTable.parse(fit(others))
            predicted += [Predicted(one, predict(one, table)) for one in held]
    return predicted


def predict(note: JudgedNote, table: ResidualTable) -> float:
    """Compute the residual risk beside labels, where every leftover can be told."""
    weights = table.corrections[sight_of(note)]
    return -math.expm1(-weights.correct(expect_leaks(note, table), note.evidence))


def expect_leaks(note: JudgedNote, table: ResidualTable) -> float:
    """Return the leaks that the suspects and rates let expect."""
    sight = sight_of(note)
    leaks = -sum(
        math.log1p(-min(table.probability(evidence, sight), SUREST))
        for evidence, _ in note.suspects
    )
    mentions = Counter(note.mentions)
    if not any(label in mentions for label in PERSONS):
        mentions[PhiLabel.PATIENT] = 1
    for label, count in mentions.items():
        leaks -= count * math.log1p(-table.miss_rate(LABELS[label].group, sight))
    return leaks


def fit(notes: Sequence[JudgedNote]) -> Fitted:
    """Fit the weights of the evidence, and bound the rates of what nobody saw.

    The weights of whole notes are fitted to what the others let expect of notes that these were not
    fitted to.
    """
    expected: list[tuple[JudgedNote, float]] = []
    for held, others in hold_out(notes):
        fitted = ResidualTable.parse(fit_suspects(others))
        expected += [(one, expect_leaks(one, fitted)) for one in held]
    corrections = {
        sight: dict(fit_notes([each for each in expected if sight_of(each[0]) is sight]))
        for sight in Sight
    }
    return fit_suspects(notes) | {"corrections": corrections}


def hold_out(
    notes: Sequence[JudgedNote],
) -> Iterator[tuple[list[JudgedNote], list[JudgedNote]]]:
    """Yield the notes of each set with those of the others; a single set in parts."""
    sets = sorted({one.gold.removesuffix("-distorted") for one in notes})
    if len(sets) == 1:
        families = sorted({one.family for one in notes})
        place = {family: str(number % FOLDS) for number, family in enumerate(families)}
    else:
        place = {one.family: one.gold.removesuffix("-distorted") for one in notes}
    for name in sorted(set(place.values())):
        held = [one for one in notes if place[one.family] == name]
        yield held, [one for one in notes if place[one.family] != name]


def fit_notes(expected: Sequence[tuple[JudgedNote, float]]) -> Mapping[str, float]:
    """Fit a complementary log-log regression of leaking by Fisher's scoring.

    Its prior is what suspects and rates let expect: weight 1 for that, and 0 for all else. Notes
    that an older tagger read have a constant of their own, which is for them alone. What would
    lower the risk is left out: more that is unsure makes no note safer.
    """
    names = [one.name for one in fields(NoteEvidence)]
    while True:
        fitted = _fit_to(names, expected)
        lowering = {name for name in names if fitted[name] < 0}
        if not lowering:
            return fitted
        names = [name for name in names if name not in lowering]


def _fit_to(
    names: Sequence[str], expected: Sequence[tuple[JudgedNote, float]]
) -> Mapping[str, float]:
    """Fit the weights of these facts of whole notes."""
    rows = np.array(
        [
            [
                1.0,
                math.log(leaks),
                *(math.log1p(getattr(one.evidence, name)) for name in names),
                float(one.older),
            ]
            for one, leaks in expected
        ]
    )
    right = np.array([bool(one.leaked) for one, _ in expected], np.float64)
    prior, pull = np.zeros(rows.shape[1]), np.full(rows.shape[1], PULL)
    prior[1], pull[0] = 1.0, FREE

    def lose(tried: "NDArray[np.float64]") -> float:
        log = np.clip(rows @ tried, -20, 4)
        likely = np.clip(-np.expm1(-np.exp(log)), 1e-12, 1 - 1e-12)
        fits = right * np.log(likely) + (1 - right) * np.log1p(-likely)
        return float((pull * (tried - prior) ** 2).sum() / 2 - fits.sum())

    weights = prior.copy()
    for _ in range(STEPS):
        log = np.clip(rows @ weights, -20, 4)
        likely = np.clip(-np.expm1(-np.exp(log)), 1e-9, 1 - 1e-9)
        slope = np.exp(log - np.exp(log))
        spread = likely * (1 - likely)
        curvature = (rows * (slope**2 / spread)[:, None]).T @ rows + np.diag(pull)
        ascent = rows.T @ ((right - likely) * slope / spread) - pull * (weights - prior)
        step = np.linalg.solve(curvature, ascent)
        while lose(weights + step) > lose(weights) and np.abs(step).max() > CONVERGED:
            step /= 2
        weights = weights + step
        if np.abs(step).max() <= CONVERGED:
            break
    fitted = zip(("always", "expected", *names), weights[:-1], strict=True)
    return {name: round(float(weight), 4) for name, weight in fitted}


def fit_suspects(notes: Sequence[JudgedNote]) -> Fitted:
    """Fit the weights of suspects and the rates; those of whole notes correct nothing yet."""
    weights: dict[str, dict[str, object]] = {}
    unseen: dict[str, dict[str, object]] = {}
    for sight in Sight:
        own = [one for one in notes if sight_of(one) is sight]
        weights[sight] = dict(fit_weights([each for one in own for each in one.suspects]))
        unseen[sight] = rate_misses([one for one in own if not one.older])
    return {"weights": weights, "unseen": unseen, "corrections": {sight: {} for sight in Sight}}


def fit_weights(suspects: Sequence[tuple[Mapping[str, float], bool]]) -> Mapping[str, float]:
    """Fit a logistic regression with a normal prior around 0, by Newton's method."""
    names = sorted({name for evidence, _ in suspects for name in evidence})
    place = {name: number for number, name in enumerate(names)}
    rows = np.zeros((len(suspects), len(names)))
    for row, (evidence, _) in zip(rows, suspects, strict=True):
        for name, value in evidence.items():
            row[place[name]] = value
    right = np.array([each for _, each in suspects], np.float64)
    weights: NDArray[np.float64] = np.zeros(len(names))
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-(rows @ weights)))
        curvature = (rows * (likely * (1 - likely))[:, None]).T @ rows + PULL * np.eye(len(names))
        step = np.linalg.solve(curvature, rows.T @ (right - likely) - PULL * weights)
        weights = weights + step
        if np.abs(step).max() < CONVERGED:
            break
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


def rate_misses(notes: Iterable[JudgedNote]) -> dict[str, object]:
    """Rate the unseen mentions for each one found, by group of labels.

    Of some groups there are few mentions: their own share counts as far as they are many, beside
    the upper bound of all groups together.
    """
    missed: Counter[LabelGroup] = Counter()
    found: Counter[LabelGroup] = Counter()
    for one in notes:
        missed.update(LABELS[label].group for label in one.unseen)
        found.update(LABELS[label].group for label in one.mentions)
    highest = bound(missed.total(), missed.total() + found.total())
    return {
        group: {
            "missed": missed[group],
            "found": found[group],
            "rate": round(
                (missed[group] + ASSUMED * highest) / (missed[group] + found[group] + ASSUMED), 5
            ),
        }
        for group in GROUPS
    }


def bound(part: int, whole: int) -> float:
    """Return the one-sided upper bound of a share (Clopper and Pearson), by bisection."""
    low, high = (part / whole if whole else 0.0), 1.0
    for _ in range(40):
        middle = (low + high) / 2
        below = math.fsum(_binomial(count, whole, middle) for count in range(part + 1))
        low, high = (middle, high) if below > 1 - CONFIDENCE else (low, middle)
    return high


def _binomial(count: int, whole: int, share: float) -> float:
    if share in {0.0, 1.0}:
        return float(count == share * whole)
    ways = math.lgamma(whole + 1) - math.lgamma(count + 1) - math.lgamma(whole - count + 1)
    return math.exp(ways + count * math.log(share) + (whole - count) * math.log1p(-share))


def auc(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return how often a leaking note has the higher figure; ties count half."""
    leaking = np.array([value for value, leaks in pairs if leaks])
    clean = np.array([value for value, leaks in pairs if not leaks])
    if not len(leaking) or not len(clean):
        return math.nan
    above = (leaking[:, None] > clean[None]).mean()
    return float(above + (leaking[:, None] == clean[None]).mean() / 2)


def auc_interval(pairs: Sequence[tuple[float, bool]]) -> tuple[float, float]:
    """Return a 95 % interval of the AUC: notes drawn anew, with replacement."""
    rng = random.Random(1)
    drawn = sorted(auc(rng.choices(pairs, k=len(pairs))) for _ in range(DRAWS))
    drawn = [value for value in drawn if not math.isnan(value)] or [math.nan]
    return drawn[len(drawn) // 40], drawn[-1 - len(drawn) // 40]


def show(predicted: Sequence[Predicted]) -> None:
    groups: defaultdict[tuple[str, str], list[Predicted]] = defaultdict(list)
    for one in predicted:
        groups[one.note.condition, one.note.gold].append(one)
        groups[one.note.condition, "all"].append(one)
    print("| condition | notes of | notes | leaking (95 %) | AUC (95 %) | possible spans alone |")
    print("| --- | --- | --: | --: | --: | --: |")
    for condition, gold in sorted(groups):
        own = groups[condition, gold]
        leaking = sum(one.leaks for one in own)
        low, high = wilson(leaking, len(own)) or (0.0, 0.0)
        pairs = [(one.risk, one.leaks) for one in own]
        first, last = auc_interval(pairs)
        before = auc([(float(one.note.possible), one.leaks) for one in own])
        print(
            f"| {condition} | {gold} | {len(own)} | {leaking} ({low:.3f}-{high:.3f}) "
            f"| {auc(pairs):.3f} ({first:.3f}-{last:.3f}) | {before:.3f} |"
        )
    show_worst(groups)
    for condition in CONDITIONS:
        own = [one for one in predicted if one.note.condition == condition]
        check = measure_reliability([(one.risk, one.leaks) for one in own], bins=8)
        print(f"{condition}: calibration error {check.error or 0:.3f} of {len(own)} notes")


def show_worst(groups: Mapping[tuple[str, str], Sequence[Predicted]]) -> None:
    shares = " | ".join(f"{share:.0%}" for share in WORST)
    print(f"\n| leaks | condition | notes of | leaking | AUC (95 %) | worst {shares} |")
    print(f"| --- | --- | --- | --: | --: |{' --: |' * len(WORST)}")
    for condition, gold in sorted(groups):
        own = sorted(groups[condition, gold], key=lambda one: -one.risk)
        for kind in ("direct", "any"):
            pairs = [
                (one.risk, one.leaks if kind == "direct" else one.note.leaks_any) for one in own
            ]
            leaking = sum(leaks for _, leaks in pairs)
            worst = [pairs[: max(1, round(share * len(pairs)))] for share in WORST]
            held = " | ".join(str(sum(leaks for _, leaks in part)) for part in worst)
            first, last = auc_interval(pairs)
            print(
                f"| {kind} | {condition} | {gold} | {leaking} "
                f"| {auc(pairs):.3f} ({first:.3f}-{last:.3f}) | {held} |"
            )


def draw_check(predicted: Sequence[Predicted]) -> str:
    marks = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    series = [Series("as claimed", ((0.0, 0.0), (1.0, 1.0)), "#5b6675", dashed=True)]
    for condition in CONDITIONS:
        own = [one for one in predicted if one.note.condition == condition]
        check = measure_reliability([(one.risk, one.leaks) for one in own], bins=8)
        points = [(one.score, one.right) for one in check.bins]
        title = f"{condition}: {sum(one.leaks for one in own)} of {len(own)} notes leak"
        series.append(Series(title, points, COLOURS[condition]))
    return draw(
        "Reliability of the residual risk, by cross-validation",
        Axis("residual risk", marks),
        Axis("share of notes that leak", marks),
        series,
    )


if __name__ == "__main__":
    main()
