"""What the notes that were read prove: claims, prevalence, labels, strata and slices."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import mean, median
from typing import Any

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName
from deidstream.study.validation.evidence.reader_figures import ReaderFigures
from deidstream.study.validation.site.frame import OTHERS
from deidstream.study.validation.site.judged_notes import JudgedNote
from deidstream.study.validation.site.patient_facts import PATIENT_FACTS, describe_patient
from deidstream.study.validation.site.progress import Progress
from deidstream.study.validation.site.validation_plan import CountedKinds, ValidationPlan
from deidstream.study.validation.site.weighting import Part, Weighting
from deidstream.study.validation.statistics.differences import compare_groups, correct_by_holm
from deidstream.study.validation.statistics.intervals import (
    Interval,
    find_exact_interval,
    find_weighted_interval,
)
from deidstream.study.validation.statistics.sequential import Decision, bound_after

PREVALENCE = 0.05
"""Share of a note's identifiers from which on it counts as one of high prevalence."""
_DIGITS = 6


def estimate_notes(
    judged: Sequence[JudgedNote], frame: Mapping[str, Any], kinds: CountedKinds, confidence: float
) -> Interval:
    """Estimate the share of all notes that leak, each note read by what it stands for."""
    weighting = Weighting.of(judged, frame)
    leaking = [one for one in judged if one.leaks(kinds)]
    if weighting.is_plain:
        return find_exact_interval(len(leaking), len(judged), confidence)
    events = [(weighting.part_of(one), weighting.weigh(one)) for one in leaking]
    return _add_up(events, weighting, weighting.largest, confidence)


def estimate_identifiers(
    judged: Sequence[JudgedNote], frame: Mapping[str, Any], kinds: CountedKinds, confidence: float
) -> Interval:
    """Estimate the share of all identifiers that leak; those of one note count as one event.

    How many were replaced is known of all notes. Only how many leak is estimated, and the share
    grows with it, so that the ends of its interval are those of the share.
    """
    weighting = Weighting.of(judged, frame)
    replaced = count_replaced(frame, kinds)
    counts = [(one, len(leaks)) for one in judged if (leaks := one.leaks(kinds))]
    if not replaced and not counts:
        return find_exact_interval(0, 0)
    most = max((count for _, count in counts), default=1)
    events = [
        (weighting.part_of(one), weighting.weigh(one) * count / most) for one, count in counts
    ]
    left = _add_up_read(events, weighting, weighting.largest, confidence)
    each, low, high, bound = (
        share * most * weighting.notes / (share * most * weighting.notes + replaced)
        for share in (left.share, left.low, left.high, left.bound)
    )
    return _add_unread(Interval(each, low, high, bound), weighting)


def count_replaced(frame: Mapping[str, Any], kinds: CountedKinds) -> int:
    """Return how many identifiers of all notes were replaced."""
    counts: list[int] = [
        row["count"]
        for row in frame["spans"]
        if row["operator"] != OperatorName.KEEP and kinds.covers(PhiLabel(row["label"]))
    ]
    return sum(counts)


def count_identifiers(one: JudgedNote, kinds: CountedKinds) -> int:
    """Return how many identifiers a note holds: those that were replaced, and those that leak."""
    return sum(kinds.covers(span.label) for span in one.note.replaced) + len(one.leaks(kinds))


def _add_up(
    events: Sequence[tuple[Part, float]], weighting: Weighting, largest: float, confidence: float
) -> Interval:
    """Return the interval of a weighted sum over all notes."""
    return _add_unread(_add_up_read(events, weighting, largest, confidence), weighting)


def _add_up_read(
    events: Sequence[tuple[Part, float]], weighting: Weighting, largest: float, confidence: float
) -> Interval:
    """Return the interval for the parts of which something was read.

    What is known of a part that was read as a whole is no sample.
    """
    known = math.fsum(worth for part, worth in events if weighting.is_whole(part))
    seen = [worth for part, worth in events if not weighting.is_whole(part)]
    found = find_weighted_interval(seen, largest, confidence)
    return Interval(
        min(1.0, known + found.share),
        min(1.0, known + found.low),
        min(1.0, known + found.high),
        min(1.0, known + found.bound),
    )


def _add_unread(of_read: Interval, weighting: Weighting) -> Interval:
    """Widen an interval: of a part of which nothing was read, everything may leak."""
    return Interval(
        of_read.share,
        of_read.low,
        min(1.0, of_read.high + weighting.unread),
        min(1.0, of_read.bound + weighting.unread),
    )


def describe_claims(
    judged: Sequence[JudgedNote],
    frame: Mapping[str, Any],
    plan: ValidationPlan,
    progress: Progress,
    readers: ReaderFigures,
) -> dict[str, Any]:
    """Return whether what was to be proved is proved.

    The bounds of what readers saw are divided by the share of the controls that the readers saw,
    because a leak that no reader sees is one as well.
    """
    claim = plan.claim
    kinds, confidence = claim.kinds, claim.confidence
    notes = estimate_notes(judged, frame, kinds, confidence)
    found = sum(bool(one.leaks(kinds)) for one in judged)
    corrected_notes = _correct(notes, readers)
    sequence = None if plan.is_standing else _describe_sequence(plan, progress, readers)
    claims: dict[str, Any] = {
        "confidence": confidence,
        "kinds": kinds,
        "notes": {
            "claim": claim.notes,
            "read": len(judged),
            "leaking": found,
            **_round(notes),
            **corrected_notes,
            "sequence": sequence,
        },
    }
    # The plan takes the readers to see less than all; if they saw less than that, its bound does.
    decided = sequence is None or sequence["decision"] is Decision.PROVED
    bound = (corrected_notes if sequence is None else sequence).get("corrected_bound", 1.0)
    claims["notes"]["proved"] = decided and bound <= claim.notes
    if claim.identifiers is not None:
        each = estimate_identifiers(judged, frame, kinds, confidence)
        corrected = _correct(each, readers)
        claims["identifiers"] = {
            "claim": claim.identifiers,
            "read": sum(count_identifiers(one, kinds) for one in judged),
            "leaking": sum(len(one.leaks(kinds)) for one in judged),
            **_round(each),
            **corrected,
            "proved": corrected["corrected_bound"] <= claim.identifiers,
        }
    return claims


def _describe_sequence(
    plan: ValidationPlan, progress: Progress, readers: ReaderFigures
) -> dict[str, Any]:
    """Return what the stages of a plan decided; a standing sample has none, it goes on."""
    standing = progress.standing
    sequence: dict[str, Any] = {"decision": standing.decision, "notes": standing.notes}
    if standing.stage is not None:
        bound = bound_after(plan.stages, standing.stage, plan.claim.confidence)
        sequence |= {"stage": standing.stage, "bound": bound}
        sequence["corrected_bound"] = min(1.0, bound / readers.seen)
    return sequence


def _correct(interval: Interval, readers: ReaderFigures) -> dict[str, float]:
    return {
        "corrected_share": round(min(1.0, interval.share / readers.seen), _DIGITS),
        "corrected_bound": round(min(1.0, interval.bound / readers.seen), _DIGITS),
        "bound_if_readers_saw_least": round(min(1.0, interval.bound / readers.least), _DIGITS),
    }


def _round(interval: Interval) -> dict[str, float]:
    return {name: round(value, _DIGITS) for name, value in asdict(interval).items()}


def describe_prevalence(
    judged: Sequence[JudgedNote], frame: Mapping[str, Any], confidence: float
) -> dict[str, Any]:
    """Return the share of identifiers that leak: over all, and by note; direct ones apart."""
    sections: dict[str, Any] = {}
    for kinds in CountedKinds:
        shares = [
            len(one.leaks(kinds)) / count
            for one in judged
            if (count := count_identifiers(one, kinds))
        ]
        sections[kinds] = {
            "notes": _round(estimate_notes(judged, frame, kinds, confidence)),
            "aggregate": _round(estimate_identifiers(judged, frame, kinds, confidence)),
            "per_record": {
                "records": len(shares),
                "mean": round(mean(shares), _DIGITS) if shares else None,
                "most": round(max(shares), _DIGITS) if shares else None,
                "over_5_percent": sum(share > PREVALENCE for share in shares),
            },
        }
    return sections


def describe_labels(judged: Sequence[JudgedNote], confidence: float) -> list[dict[str, Any]]:
    """Return by label how many identifiers there are, and how many leak."""
    replaced, leaked = Counter[str](), Counter[str]()
    for one in judged:
        replaced.update(span.label for span in one.note.replaced)
        leaked.update(place.label or "" for place in one.leaks(CountedKinds.ANY))
    return [
        {
            "label": label,
            "identifiers": replaced[label] + leaked[label],
            "leaked": leaked[label],
            **_round(
                find_exact_interval(leaked[label], replaced[label] + leaked[label], confidence)
            ),
        }
        for label in sorted(replaced | leaked)
    ]


def describe_slices(
    judged: Sequence[JudgedNote], frame: Mapping[str, Any], plan: ValidationPlan
) -> dict[str, Any]:
    """Return the leaking notes by each fact, with tests for difference that hold together."""
    slices: dict[str, Any] = {}
    tests: dict[str, float] = {}
    rows_of = [
        ({"stratum": one.note.stratum, **one.note.facts, **describe_patient(one)}, one)
        for one in judged
    ]
    # A stratum of one fact is that fact, which has its own slice.
    strata = () if plan.is_standing or len(plan.strata) == 1 else ("stratum",)
    for name in (*strata, *frame["facts"], *PATIENT_FACTS):
        groups: dict[str, list[bool]] = defaultdict(list)
        # Rare values are counted together, as in the frame.
        named = {row["value"] for row in frame["facts"].get(name, ())}
        for facts, one in rows_of:
            value = facts[name] if facts[name] in named or not named else OTHERS
            groups[value].append(bool(one.leaks(plan.claim.kinds)))
        rows = [
            {
                "value": value,
                "read": len(leaks),
                "leaking": sum(leaks),
                **_round(find_exact_interval(sum(leaks), len(leaks), plan.claim.confidence)),
            }
            for value, leaks in sorted(groups.items())
        ]
        p_value = compare_groups([(sum(leaks), len(leaks)) for leaks in groups.values()])
        if p_value is not None:
            tests[name] = p_value
        slices[name] = {"groups": rows, "p": p_value, "p_corrected": None}
    for name, corrected in correct_by_holm(tests).items():
        slices[name]["p_corrected"] = corrected
    return slices


def describe_time(judged: Sequence[JudgedNote]) -> dict[str, Any]:
    """Return how long the readers took."""
    rows: dict[str, Any] = {}
    for reader in judged[0].readings if judged else ():
        seconds = [one.readings[reader].seconds for one in judged]
        rows[reader] = {"hours": round(sum(seconds) / 3600, 2), "median_seconds": median(seconds)}
    return rows
