"""Validate made-up sites whose leaks are known, and count how often the figures are right.

    python benchmarks/validation/simulated_sites.py [--sites 200] [--notes 4000]

A site has green, yellow and red notes that leak more and more often, some of them several times;
two readers overlook a share of what they should mark, each for itself. The plan, the draw, the
judgement and the estimates are those of ``deidstream validate``. Nothing is written to files.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deidstream.models.keyring import Keyring
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName
from deidstream.study.validation.evidence.read_figures import (
    describe_claims,
    estimate_identifiers,
    estimate_notes,
)
from deidstream.study.validation.evidence.reader_figures import measure_readers
from deidstream.study.validation.site.draw_sample import TENANT, Drawn, draw_members
from deidstream.study.validation.site.frame import describe_frame
from deidstream.study.validation.site.judged_notes import JudgedNote, judge_note
from deidstream.study.validation.site.population import Member, Population
from deidstream.study.validation.site.progress import measure_progress
from deidstream.study.validation.site.readings import Mark, ReadingOfNote, Ruling
from deidstream.study.validation.site.sampled_note import FoundSpan, SampledNote
from deidstream.study.validation.site.validation_plan import (
    Claim,
    CountedKinds,
    ReadingTeam,
    ValidationPlan,
)
from deidstream.study.validation.statistics.intervals import Interval
from deidstream.study.validation.statistics.sequential import (
    Decision,
    expect_notes,
    judge_sequence,
)

LEVELS = {"green": (0.85, 0.5), "yellow": (0.10, 2.0), "red": (0.05, 7.5)}
"""Share of the notes, and how much more often than all notes they leak."""
SECOND, MANY = 0.4, 0.1
"""Of the notes that leak, the share with a second leak, and with three more."""
READERS = ("one", "two")
ANY = CountedKinds.ANY
SPAN = 10
"""Characters of an identifier of a made-up note, and of the text behind it."""


@dataclass(frozen=True, slots=True)
class SimulatedSite:
    """What is true of a site."""

    population: Population
    leaks: dict[str, int]
    """Leaks by note id."""

    @property
    def leaking_notes(self) -> float:
        """Share of the notes that leak."""
        return sum(map(bool, self.leaks.values())) / len(self.leaks)

    @property
    def leaking_identifiers(self) -> float:
        """Share of the identifiers that leak."""
        left = sum(self.leaks.values())
        return left / (left + sum(one.found for one in self.population.members))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a validation said of a site."""

    notes_right: bool
    identifiers_right: bool
    bound_right: bool
    """Whether the corrected one-sided bound of notes is above the truth."""
    recapture_right: bool
    """Whether the bound of what stands in plain text, seen or not, is not below the truth."""
    proved: bool
    is_true: bool
    """Whether the claim is."""
    read: int
    """Notes of the plain sample until the plan decided."""


def make_simulated_site(notes: int, leaking: float, chance: random.Random) -> SimulatedSite:
    """Make a site of which about a share of the notes leaks."""
    population, leaks = Population(), dict[str, int]()
    for number in range(notes):
        level = chance.choices([*LEVELS], [share for share, _ in LEVELS.values()])[0]
        note_id = f"n{number}"
        leaks[note_id] = 0
        if chance.random() < leaking * LEVELS[level][1]:
            leaks[note_id] = 1 + (chance.random() < SECOND) + 3 * (chance.random() < MANY)
        found = chance.randint(3, 12)
        population.members.append(
            Member(note_id, f"out{number}", f"p{number}", {"level": level}, found)
        )
        population.spans[PhiLabel.PATIENT, OperatorName.SURROGATE] += found
    return SimulatedSite(population, leaks)


def validate_site(
    site: SimulatedSite, plan: ValidationPlan, chance: random.Random, *, finds: float
) -> Outcome:
    """Draw, read and judge a site."""
    ring = Keyring(chance.randbytes(32), 1, TENANT)
    drawn = draw_members(site.population, plan, ring)
    frame = describe_frame(site.population, drawn, plan, ring)
    notes = [_write_note(one, site, plan, chance) for one in drawn]
    judged: dict[int, JudgedNote] = {}
    leaks: list[bool] = []
    for note in notes:
        # The extra notes come last, and are read whatever was decided.
        if not note.is_extra:
            if judge_sequence(plan.stages, leaks).decision is not Decision.READ_ON:
                continue
            leaks.append(site.leaks[f"n{note.output_id[3:]}"] > 0)
        judged[note.number] = _read(note, site.leaks[f"n{note.output_id[3:]}"], chance, finds)
    progress = measure_progress(notes, plan, judged)
    read = list(judged.values())
    hidden = sum(len(one.controls) for one in read) + sum(
        site.leaks[f"n{one.note.output_id[3:]}"] for one in read
    )
    readers = measure_readers(read, plan)
    claims = describe_claims(read, frame, plan, progress, readers)["notes"]
    recapture = readers.record["recapture"]
    by_notes = estimate_notes(read, frame, ANY, plan.claim.confidence)
    by_identifiers = estimate_identifiers(read, frame, ANY, plan.claim.confidence)
    return Outcome(
        notes_right=_holds(by_notes, site.leaking_notes),
        identifiers_right=_holds(by_identifiers, site.leaking_identifiers),
        bound_right=claims["corrected_bound"] >= site.leaking_notes,
        recapture_right=hidden <= recapture["high"],
        proved=claims["proved"],
        is_true=site.leaking_notes < plan.claim.notes,
        read=progress.standing.notes,
    )


def _holds(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


def _write_note(
    drawn: Drawn, site: SimulatedSite, plan: ValidationPlan, chance: random.Random
) -> SampledNote:
    member = drawn.member
    spans = tuple(
        FoundSpan(
            start=2 * SPAN * place,
            end=2 * SPAN * place + SPAN,
            label=PhiLabel.PATIENT,
            operator="surrogate",
            out_start=2 * SPAN * place,
            out_end=2 * SPAN * place + SPAN,
            is_control=chance.random() < plan.controls,
        )
        for place in range(member.found)
    )
    left = site.leaks[member.note_id]
    text = ("x" * SPAN + " " * SPAN) * (member.found + left)
    return SampledNote(
        number=drawn.number,
        output_id=member.output_id,
        patient=member.patient,
        stratum=drawn.stratum,
        is_extra=drawn.is_extra,
        facts=member.facts,
        text=text,
        output=text,
        spans=spans,
    )


def _read(note: SampledNote, leaks: int, chance: random.Random, finds: float) -> JudgedNote:
    """Let both readers read a note, and a third person confirm whatever only one has marked."""
    places = [(span.start, span.end) for span in note.spans if span.is_control]
    behind = 2 * SPAN * len(note.spans)
    left = [(behind + 2 * SPAN * i, behind + 2 * SPAN * i + SPAN) for i in range(leaks)]
    readings = {
        reader: ReadingOfNote(
            note.number,
            60.0,
            tuple(
                Mark(start, end, PhiLabel.PATIENT)
                for start, end in (*places, *left)
                if chance.random() < finds
            ),
        )
        for reader in READERS
    }
    rulings = [Ruling(start, end, PhiLabel.PATIENT) for start, end in left]
    return judge_note(note, readings, rulings)


def simulate(
    sites: int, notes: int, leaking: float, *, finds: float = 0.96, seed: int = 7
) -> Iterator[Outcome]:
    """Validate so many sites with the same true share of leaking notes."""
    plan = ValidationPlan.make(Claim(notes=0.01), ReadingTeam(READERS, "three"), allowed=2)
    for number in range(sites):
        chance = random.Random(f"{seed} {leaking} {number}")
        site = make_simulated_site(notes, leaking, chance)
        yield validate_site(site, plan, chance, finds=finds)


def describe(outcomes: Sequence[Outcome], leaking: float) -> str:
    """Write a row of the table."""
    count = len(outcomes)
    shares = [
        sum(one.notes_right for one in outcomes),
        sum(one.identifiers_right for one in outcomes),
        sum(one.bound_right for one in outcomes),
        sum(one.recapture_right for one in outcomes),
        sum(one.proved for one in outcomes),
        sum(one.proved and not one.is_true for one in outcomes),
    ]
    mean = math.fsum(one.read for one in outcomes) / count
    cells = [f"{leaking:.3f}", *(f"{share / count:.3f}" for share in shares), f"{mean:.0f}"]
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=200)
    parser.add_argument("--notes", type=int, default=4_000)
    parser.add_argument("--finds", type=float, default=0.96)
    chosen = parser.parse_args()
    plan = ValidationPlan.make(Claim(notes=0.01), ReadingTeam(READERS, "three"), allowed=2)
    print(f"stages {[(s.notes, s.leaks) for s in plan.stages]}, one stage: {plan.fixed_notes}")
    print("| leaking | notes | identifiers | bound | recapture | proved | wrongly | read |")
    print("|---|---|---|---|---|---|---|---|")
    for leaking in (0.0, 0.002, 0.005, 0.010, 0.02, 0.1):
        outcomes = list(simulate(chosen.sites, chosen.notes, leaking, finds=chosen.finds))
        print(describe(outcomes, leaking), flush=True)
    for leaking in (0.0, 0.1):
        notes = expect_notes(plan.stages, leaking * plan.seen)
        print(
            f"at {leaking}: {notes:.0f} notes on average, saved {1 - notes / plan.fixed_notes:.0%}"
        )


if __name__ == "__main__":
    main()
