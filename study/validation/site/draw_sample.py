"""Draw the sample: by key, so that whoever has the key draws it again, and nobody else chooses it.

The plain sample is the first of a keyed order of all notes, so that each of its beginnings is a
random sample too, as plans that stop early need. Behind it come the extra notes of risky strata,
the next ones of theirs in the same order.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from deidstream.models.keyring import Keyring
from deidstream.schemas.errors import Refused
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName
from deidstream.study.validation.site.population import (
    Member,
    Population,
    PopulationFiles,
    read_file_records,
    read_originals,
)
from deidstream.study.validation.site.sampled_note import FoundSpan, SampledNote
from deidstream.study.validation.site.validation_plan import ValidationPlan

_LEAST = 2
"""Notes of each stratum, where it has so many: of a stratum without any, nothing would be known."""
_SHARES = 1 << 32
TENANT = "deidstream validate"
"""In place of a tenant: the keys of a validation are of no tenant."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A note that was drawn."""

    number: int
    member: Member
    stratum: str
    is_extra: bool


def name_stratum(facts: Mapping[str, str], strata: Sequence[str]) -> str:
    """Return the name of the stratum of a note."""
    return " / ".join(facts[name] for name in strata) or "all"


def draw_members(population: Population, plan: ValidationPlan, ring: Keyring) -> list[Drawn]:
    """Draw notes: the plain sample first, then the extra ones.

    Args:
        population: All notes.
        plan: How many, and from which strata more.
        ring: The key of the draw.
    """
    ordered = sorted(population.members, key=lambda one: ring.digest("order", one.note_id))
    plain = min(len(ordered), count_plain(population, plan))
    strata = [name_stratum(one.facts, plan.strata) for one in ordered]
    drawn = [Drawn(place + 1, ordered[place], strata[place], False) for place in range(plain)]  # noqa: FBT003
    taken, wanted = (
        Counter(one.stratum for one in drawn),
        _count_wanted(ordered, strata, plan, plain),
    )
    for place in range(plain, len(ordered)):
        stratum = strata[place]
        if taken[stratum] < wanted[stratum]:
            taken[stratum] += 1
            drawn.append(Drawn(len(drawn) + 1, ordered[place], stratum, True))  # noqa: FBT003
    return drawn


def count_plain(population: Population, plan: ValidationPlan) -> int:
    """Return how many notes the plain sample has, if there are so many.

    They are those of the last stage, or as many as hold the identifiers that the claim about
    identifiers needs.
    """
    found = sum(one.found for one in population.members)
    if not plan.identifiers_to_read or not found:
        return plan.stages[-1].notes
    needed = math.ceil(plan.identifiers_to_read * len(population.members) / found)
    return max(plan.stages[-1].notes, needed)


def _count_wanted(
    ordered: Sequence[Member], strata: Sequence[str], plan: ValidationPlan, plain: int
) -> dict[str, int]:
    sizes = Counter(strata)
    levels: dict[str, str] = {}
    for member, stratum in zip(ordered, strata, strict=True):
        levels.setdefault(stratum, member.facts["level"] if "level" in plan.strata else "")
    wanted: dict[str, int] = {}
    for stratum, size in sizes.items():
        fair = plain * size / len(ordered)
        factor = plan.more.get(levels[stratum], 1.0)
        wanted[stratum] = min(size, max(_LEAST, math.ceil(fair * factor) if factor > 1 else 0))
    return wanted


def read_drawn(
    files: PopulationFiles, drawn: Sequence[Drawn], plan: ValidationPlan, ring: Keyring
) -> Iterator[SampledNote]:
    """Read the notes that were drawn, in the order of reading.

    Raises:
        MissingArtefact: A file cannot be read.
        Refused: A file has changed since the population was read.
    """
    wanted = {one.member.note_id: one for one in drawn}
    outputs = {one.member.output_id for one in drawn}
    audits = {
        record["output_id"]: record
        for record in read_file_records(files.audit, ("output_id", "note_id", "replacements"))
        if record["output_id"] in outputs
    }
    texts = {
        note.note_id: note.text
        for note, _ in read_originals(files.open())
        if note.note_id in wanted
    }
    for one in drawn:
        audit = audits.get(one.member.output_id)
        text = texts.get(one.member.note_id)
        if audit is None or text is None:
            msg = "the files have changed while they were read; draw the sample again"
            raise Refused(msg)
        maker = SpanMaker(text, plan.controls, ring)
        yield SampledNote(
            number=one.number,
            output_id=one.member.output_id,
            patient=one.member.patient,
            stratum=one.stratum,
            is_extra=one.is_extra,
            facts=one.member.facts,
            text=text,
            output=audit["text"],
            spans=tuple(maker.make_spans(one.member.output_id, audit["replacements"])),
        )


@dataclass(frozen=True, slots=True)
class SpanMaker:
    """Makes the found identifiers of a note that readers read."""

    text: str = field(repr=False)
    controls: float
    ring: Keyring

    def make_spans(
        self, output_id: str, replacements: Sequence[Mapping[str, Any]]
    ) -> Iterator[FoundSpan]:
        """Yield what was found, some of it as controls.

        All places of a text become controls together: beside one that is shown, another one would
        be easy to see.
        """
        control: dict[str, bool] = defaultdict(bool)
        for each in replacements:
            written = self.text[each["start"] : each["end"]].casefold()
            draw = self.ring.draw("control", output_id, written)
            control[written] = draw.below(_SHARES) < self.controls * _SHARES
        for each in replacements:
            written = self.text[each["start"] : each["end"]].casefold()
            stays = each["operator"] == OperatorName.KEEP
            yield FoundSpan(
                start=each["start"],
                end=each["end"],
                label=PhiLabel(each.get("like", each["label"])),
                operator=each["operator"],
                out_start=each["out_start"],
                out_end=each["out_end"],
                is_control=control[written] and not stays,
            )
