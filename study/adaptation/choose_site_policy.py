"""Choose the lists and patterns of a site's policy, and say what they do in its notes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.terminal import say
from deidstream.models.detection.detector import Detector
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.study.adaptation.check_patterns import (
    CheckedPattern,
    NotesToCheck,
    check_given,
    choose_patterns,
    with_spans,
)
from deidstream.study.adaptation.choose_terms import ChosenTerms, choose_terms
from deidstream.study.adaptation.identifier_forms import learn_forms
from deidstream.study.adaptation.marked_parts import MarkedParts
from deidstream.study.adaptation.master_data import NUMBERED, MasterData
from deidstream.study.adaptation.measure import find_spans
from deidstream.study.adaptation.write_version import BasePolicy, SitePolicy


def choose_site_policy(
    base: BasePolicy,
    master: MasterData,
    parts: MarkedParts,
    own: Sequence[RawNote],
    detector: Detector,
) -> tuple[SitePolicy, dict[str, Any]]:
    """Choose lists and patterns.

    Args:
        base: What is adapted; its own patterns are checked against the notes too.
        master: What the site states.
        parts: Marked notes; those kept apart are not looked at.
        own: Further notes of the site.
        detector: Of the base.

    Returns:
        What the policy gets, and what was counted of it.
    """
    say(f"master files: {_list_counts(master.count())}")
    chosen = choose_terms(master, parts.read)
    _say_terms(chosen)
    foreign = sample_notes()
    notes = NotesToCheck(
        parts.read,
        with_spans(foreign, find_spans(detector, foreign)),
        with_spans(own, find_spans(detector, own)),
    )
    patterns, left_out = choose_patterns(learn_forms(_gather_samples(master, parts)), notes)
    for one in patterns:
        _say_pattern(one, "learnt")
    if left_out:
        say(f"  {left_out} forms of identifiers have no pattern: it would flag other numbers")
    for one in check_given(base.policy.patterns, notes):
        _say_pattern(one, "of the policy")
    counts = {
        "lists": _count_terms(chosen),
        "patterns": {one.name: _count(one) for one in patterns},
    }
    return SitePolicy(chosen.lists, {one.name: one.pattern for one in patterns}), counts


def _gather_samples(master: MasterData, parts: MarkedParts) -> Mapping[PhiLabel, set[str]]:
    """Return identifiers of which the form is to be learnt: of master files and of marks."""
    samples = {label: set(values) for label, values in master.samples.items()}
    for labelled in parts.read:
        for span in labelled.spans:
            value = labelled.note.text[span.start : span.end]
            if span.label in NUMBERED and "\n" not in value:
                samples.setdefault(span.label, set()).add(value)
    return samples


def _list_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"


def _count_terms(chosen: ChosenTerms) -> dict[str, int]:
    return {name: len(one.terms) for name, one in chosen.lists.items()}


def _say_terms(chosen: ChosenTerms) -> None:
    say(f"lists: {_list_counts(_count_terms(chosen))}")
    if chosen.ordinary:
        say(f"  {chosen.ordinary} names are ordinary words: listed with a word beside them alone")
    if chosen.let_stand:
        say(f"  {chosen.let_stand} terms are left out, as readers let them stand")


def _say_pattern(one: CheckedPattern, origin: str) -> None:
    cues = f" behind {', '.join(one.pattern.before)}" if one.pattern.before else ""
    say(f"pattern {one.name} ({origin}): {one.pattern.pattern}{cues}")
    wrong = one.read.unsupported + one.foreign.unsupported
    say(
        f"  {one.read.places} places in read notes, {wrong} false alarms there and in others' "
        f"notes; {one.own.places} in the notes of the site, {one.own.unsupported} found by it alone"
    )
    if not one.is_sound:
        say("  WARNING: more than one place in twenty is a false alarm")


def _count(one: CheckedPattern) -> dict[str, Any]:
    return {"read": asdict(one.read), "foreign": asdict(one.foreign), "own": asdict(one.own)}
