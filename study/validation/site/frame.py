"""What a sample was drawn from, in counts: it holds no text and no id of a note."""

from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import orjson

from deidstream.models.keyring import Keyring
from deidstream.study.evaluation.read_gold import Artefact
from deidstream.study.validation.site.draw_sample import Drawn, name_stratum
from deidstream.study.validation.site.population import Member, Population
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_plan import SCHEMA, ValidationPlan

_MOST_VALUES = 40
"""Values of one fact that are counted apart; the rarest ones are counted together."""
OTHERS = "others"
SMALL_CLASSES = (5, 11)
"""Sizes below which a class of patients counts as small: 11 is that of CMS's tables."""


def describe_frame(
    population: Population, drawn: Sequence[Drawn], plan: ValidationPlan, ring: Keyring
) -> dict[str, Any]:
    """Return the record of a draw.

    Args:
        population: All notes.
        drawn: Those that are read.
        plan: By which they were drawn.
        ring: The key of the draw.
    """
    members = population.members
    names = members[0].facts.keys()
    chosen = [one.member for one in drawn]
    return {
        "schema": SCHEMA,
        "kind": "validation frame",
        "version": version("deidstream"),
        "key_id": identify_key(ring),
        "notes": len(members),
        "without_output": population.without_output,
        "patients": len({one.patient for one in members}),
        "identifiers": sum(one.found for one in members),
        "expected_leaking_notes": _round(population.expected_leaks),
        "strata": dict(Counter(name_stratum(one.facts, plan.strata) for one in members)),
        "extra": dict(Counter(one.stratum for one in drawn if one.is_extra)),
        "facts": {
            name: _compare_values([m.facts[name] for m in members], [m.facts[name] for m in chosen])
            for name in names
        },
        "spans": [
            {"label": label, "operator": operator, "count": count}
            for (label, operator), count in sorted(population.spans.items())
        ],
        "made_by": [
            {"outputs": count, **orjson.loads(stamp)}
            for stamp, count in population.stamps.most_common()
        ],
        "retained": measure_classes(population),
        "kept_places": {
            "notes": population.structured,
            "count": population.kept_places.total(),
            "places": [
                {"place": place, "count": count}
                for place, count in population.kept_places.most_common()
            ],
        },
    }


def describe_drawn(
    notes: Sequence[SampledNote], plan: ValidationPlan, ring: Keyring
) -> dict[str, Any]:
    """Return the frame of a standing sample: of a stream, only what was drawn is known.

    Args:
        notes: At least one.
        plan: Of the standing sample.
        ring: The key of the draw.
    """
    population = Population()
    drawn: list[Drawn] = []
    for note in notes:
        found = len(note.spans)
        member = Member(note.output_id, note.output_id, note.patient, note.facts, found)
        population.members.append(member)
        drawn.append(Drawn(note.number, member, note.stratum, note.is_extra))
        if note.made_by:
            population.stamps[note.made_by] += 1
        population.count_places(note.kept_places)
        for span in note.spans:
            became = note.output[span.out_start : span.out_end]
            population.count_replacement(note.patient, span.label, span.operator, became)
    return describe_frame(population, drawn, plan, ring) | {"files": {}}


def _round(expected: float | None) -> float | None:
    return None if expected is None else round(expected, 2)


def identify_key(ring: Keyring) -> str:
    """Return a name of the key, by which its holder sees that it is this one."""
    return ring.digest("key id").hex()


def name_files(files: Iterable[tuple[str, Artefact]]) -> dict[str, dict[str, str]]:
    """Return the digests of files by what they are."""
    return {kind: {"name": one.name, "sha256": one.sha256} for kind, one in files}


def _compare_values(everything: Sequence[str], chosen: Sequence[str]) -> list[dict[str, Any]]:
    """Count the values of a fact among all notes and among those that are read."""
    counts, read = Counter(everything), Counter(chosen)
    common = [value for value, _ in counts.most_common(_MOST_VALUES)]
    rows = [{"value": value, "notes": counts[value], "drawn": read[value]} for value in common]
    rest = counts.total() - sum(counts[value] for value in common)
    if rest:
        drawn = read.total() - sum(read[value] for value in common)
        rows.append({"value": OTHERS, "notes": rest, "drawn": drawn})
    return rows


def measure_classes(population: Population) -> dict[str, Any]:
    """Count how many patients share what stays true in the outputs of all their notes.

    Patients are of one class if the same values of the same labels stay. An attacker who knows them
    all cannot tell the patients of a class apart by them.
    """
    patients = sorted({one.patient for one in population.members})
    facts = {patient: frozenset(population.retained.get(patient, ())) for patient in patients}
    sizes = Counter(facts.values())
    labels = Counter(label for own in facts.values() for label in {label for label, _ in own})
    own_sizes = [sizes[facts[patient]] for patient in patients]
    return {
        "patients": len(patients),
        "with_facts": sum(bool(own) for own in facts.values()),
        "labels": dict(sorted(labels.items())),
        "smallest_class": min(own_sizes),
        "alone": sum(size == 1 for size in own_sizes),
        "below": {str(limit): sum(size < limit for size in own_sizes) for limit in SMALL_CLASSES},
    }
