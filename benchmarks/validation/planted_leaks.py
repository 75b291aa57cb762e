"""Validate outputs of our own labelled notes with planted leaks, as sites with keys of their own.

    python benchmarks/validation/planted_leaks.py FOLDER --make
    deidstream deidentify FOLDER/notes.jsonl --out FOLDER/out.jsonl --risk FOLDER/risk.jsonl \
        --audit FOLDER/audit.jsonl --key-file FOLDER/root.key
    python benchmarks/validation/planted_leaks.py FOLDER [--sites 200]

Notes, outputs, risks and places are those of the pipeline; what it overlooked is known by the
labels. Beside that, found identifiers are left in some outputs. Each site has other planted leaks,
another draw, other controls and other readers, who overlook 4 in 100 each.
"""

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from deidstream.agents.runtime.lines import read_lines
from deidstream.models.keyring import Keyring
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import OperatorName
from deidstream.study.corpus.marked import read_folder
from deidstream.study.validation.evidence.read_figures import (
    describe_claims,
    estimate_identifiers,
    estimate_notes,
)
from deidstream.study.validation.evidence.reader_figures import measure_readers
from deidstream.study.validation.site.draw_sample import (
    TENANT,
    Drawn,
    SpanMaker,
    draw_members,
)
from deidstream.study.validation.site.frame import describe_frame
from deidstream.study.validation.site.judged_notes import JudgedNote, judge_note
from deidstream.study.validation.site.population import (
    Population,
    PopulationFiles,
    read_population,
)
from deidstream.study.validation.site.progress import measure_progress
from deidstream.study.validation.site.readings import Mark, ReadingOfNote, Ruling
from deidstream.study.validation.site.sampled_note import SampledNote
from deidstream.study.validation.site.validation_plan import (
    Claim,
    CountedKinds,
    ReadingTeam,
    ValidationPlan,
)
from deidstream.study.validation.statistics.sequential import Stage

SETS = Path(__file__).parents[1] / "recognition"
NOTES, GOLD, LONGEST = 400, "gold.jsonl", 6_000
READ = 200
"""Notes that are read of each site, beside the extra ones; the claim needs fewer or more."""
FINDS = 0.96
READERS = ("one", "two")
ANY = CountedKinds.ANY
Place = tuple[int, int, PhiLabel]


@dataclass(frozen=True, slots=True)
class LabelledOutput:
    """A note with its output, what was replaced, and what is an identifier."""

    text: str = field(repr=False)
    output: str = field(repr=False)
    replacements: Sequence[Mapping[str, Any]] = field(repr=False)
    gold: Sequence[Place] = field(repr=False)
    """Identifiers of which something was not found."""


def make_notes(folder: Path) -> None:
    """Write 400 notes of the labelled sets, and their labels beside them."""
    labelled = [one for each in sorted(SETS.glob("*_set")) for one in read_folder(each)]
    random.Random(5).shuffle(labelled)
    fit = [one for one in labelled if len(one.note.text) <= LONGEST][:NOTES]
    folder.mkdir(parents=True, exist_ok=True)
    notes, gold = list[bytes](), list[bytes]()
    for number, one in enumerate(fit):
        record = {"note_id": f"n{number}", "patient_id": f"p{number // 2}", "text": one.note.text}
        record |= {"note_type": one.note.note_type, "authored_at": f"2024-{number % 4 + 1:02}-10"}
        notes.append(orjson.dumps(record))
        gold.append(orjson.dumps([[span.start, span.end, span.label] for span in one.spans]))
    (folder / "notes.jsonl").write_bytes(b"\n".join(notes) + b"\n")
    (folder / GOLD).write_bytes(b"\n".join(gold) + b"\n")


def read_outputs(folder: Path) -> dict[str, LabelledOutput]:
    """Read notes, labels and places by the note id that was given."""
    marked = [
        [(start, end, PhiLabel(label)) for start, end, label in orjson.loads(line)]
        for _, line in read_lines(folder / GOLD)
    ]
    texts = [orjson.loads(line) for _, line in read_lines(folder / "notes.jsonl")]
    labels = {record["note_id"]: own for record, own in zip(texts, marked, strict=True)}
    originals = {record["note_id"]: record["text"] for record in texts}
    found: dict[str, LabelledOutput] = {}
    for _, line in read_lines(folder / "audit.jsonl"):
        record = orjson.loads(line)
        note_id = record["note_id"]
        text, replacements = originals[note_id], record["replacements"]
        gold = [place for place in labels[note_id] if is_left(text, place, replacements)]
        found[note_id] = LabelledOutput(text, record["text"], replacements, gold)
    return found


def is_left(text: str, place: Place, replacements: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a letter or digit of a place was not found: readers mark nothing else."""
    start, end, _ = place
    found = [one for one in replacements if one["start"] < end and start < one["end"]]
    return any(
        text[at].isalnum() and not any(one["start"] <= at < one["end"] for one in found)
        for at in range(start, end)
    )


def plant(
    outputs: Mapping[str, LabelledOutput], share: float, chance: random.Random
) -> dict[str, LabelledOutput]:
    """Leave one found identifier, or in four of ten notes two, in a share of the outputs."""
    planted: dict[str, LabelledOutput] = {}
    for note_id, one in outputs.items():
        direct = [each for each in one.replacements if each["operator"] == "surrogate"]
        if direct and chance.random() < share:
            left = chance.sample(direct, min(len(direct), 1 + (chance.random() < 0.4)))  # noqa: PLR2004
            planted[note_id] = leave(one, left)
        else:
            planted[note_id] = one
    return planted


def leave(one: LabelledOutput, left: Sequence[Mapping[str, Any]]) -> LabelledOutput:
    """Return an output in which some identifiers were not replaced."""
    output, stays, gold = one.output, list[Mapping[str, Any]](), list(one.gold)
    moved = 0
    for each in sorted(one.replacements, key=lambda item: item["out_start"]):
        start, end = each["out_start"] + moved, each["out_end"] + moved
        if each not in left:
            stays.append({**each, "out_start": start, "out_end": end})
            continue
        original = one.text[each["start"] : each["end"]]
        output = output[:start] + original + output[end:]
        moved += len(original) - (end - start)
        gold.append((each["start"], each["end"], PhiLabel(each["label"])))
    return LabelledOutput(one.text, output, stays, gold)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the figures of one site said, and whether it was so."""

    leaking: float
    """True share of the notes that leak."""
    notes_right: bool
    identifiers_right: bool
    bound_right: bool
    """Whether the corrected one-sided bound of notes is above the truth."""
    recapture_right: bool
    """Whether the bound of what stands in plain text, seen or not, is not below the truth."""
    read: int


@dataclass(frozen=True, slots=True)
class Site:
    """Outputs with planted leaks, a plan, and a key."""

    population: Population
    outputs: Mapping[str, LabelledOutput] = field(repr=False)
    plan: ValidationPlan
    ring: Keyring = field(repr=False)
    chance: random.Random = field(repr=False)

    def count_leaks(self) -> dict[str, int]:
        """Return how many identifiers are left in each note."""
        everything = draw_members(self.population, _read_all(self.plan), self.ring)
        return {one.member.note_id: len(self.read(one, finds=1.0).leaks(ANY)) for one in everything}

    def validate(self) -> Outcome:
        """Draw, read and estimate."""
        drawn = draw_members(self.population, self.plan, self.ring)
        frame = describe_frame(self.population, drawn, self.plan, self.ring)
        judged = {one.number: self.read(one, finds=FINDS) for one in drawn}
        read = list(judged.values())
        confidence = self.plan.claim.confidence
        by_notes = estimate_notes(read, frame, ANY, confidence)
        by_identifiers = estimate_identifiers(read, frame, ANY, confidence)
        readers = measure_readers(read, self.plan)
        progress = measure_progress([one.note for one in read], self.plan, judged)
        claim = describe_claims(read, frame, self.plan, progress, readers)["notes"]
        leaks = self.count_leaks()
        left = sum(leaks.values())
        found = sum(
            each["operator"] != OperatorName.KEEP
            for member in self.population.members
            for each in self.outputs[member.note_id].replacements
        )
        leaking = sum(map(bool, leaks.values())) / len(leaks)
        hidden = sum(leaks[one.member.note_id] for one in drawn)
        hidden += sum(len(one.controls) for one in read)
        return Outcome(
            leaking=leaking,
            notes_right=by_notes.low <= leaking <= by_notes.high,
            identifiers_right=by_identifiers.low <= left / (left + found) <= by_identifiers.high,
            bound_right=claim["corrected_bound"] >= leaking,
            recapture_right=hidden <= readers.record["recapture"]["high"],
            read=len(read),
        )

    def read(self, drawn: Drawn, *, finds: float) -> JudgedNote:
        """Let two readers mark identifiers and controls, and a third person decide rightly."""
        member = drawn.member
        one = self.outputs[member.note_id]
        maker = SpanMaker(one.text, self.plan.controls, self.ring)
        note = SampledNote(
            number=drawn.number,
            output_id=member.output_id,
            patient=member.patient,
            stratum=drawn.stratum,
            is_extra=drawn.is_extra,
            facts=member.facts,
            text=one.text,
            output=one.output,
            spans=tuple(maker.make_spans(member.output_id, one.replacements)),
        )
        shown = [(span.start, span.end, span.label) for span in note.spans if span.is_control]
        places = list(dict.fromkeys([*one.gold, *shown]))
        readings = {
            reader: ReadingOfNote(
                note.number,
                60.0,
                tuple(Mark(*place) for place in places if self.chance.random() < finds),
            )
            for reader in READERS
        }
        return judge_note(note, readings, [Ruling(*place) for place in places])


def _read_all(plan: ValidationPlan) -> ValidationPlan:
    return replace(plan, stages=(Stage(10**9, 0),), more={})


def simulate(
    population: Population, outputs: Mapping[str, LabelledOutput], share: float, sites: int
) -> Iterator[Outcome]:
    """Validate so many sites with leaks planted in a share of the notes."""
    plan = ValidationPlan.make(Claim(), ReadingTeam(READERS, "three"), allowed=2)
    plan = replace(plan, stages=(Stage(READ, 0),))
    for number in range(sites):
        chance = random.Random(f"{share} {number}")
        ring = Keyring(chance.randbytes(32), 1, TENANT)
        yield Site(population, plant(outputs, share, chance), plan, ring, chance).validate()


def keep_clean(
    population: Population, outputs: Mapping[str, LabelledOutput]
) -> dict[str, LabelledOutput]:
    """Return the outputs in which nothing is left, so that the planted leaks are all."""
    plan = ValidationPlan.make(Claim(), ReadingTeam(READERS, "three"), allowed=2)
    ring = Keyring(bytes(32), 1, TENANT)
    site = Site(population, outputs, plan, ring, random.Random(0))
    return {note_id: outputs[note_id] for note_id, leaks in site.count_leaks().items() if not leaks}


def describe(name: str, notes: int, outcomes: Sequence[Outcome]) -> str:
    """Write a row of the table."""
    count = len(outcomes)
    rights = (
        sum(one.notes_right for one in outcomes),
        sum(one.identifiers_right for one in outcomes),
        sum(one.bound_right for one in outcomes),
        sum(one.recapture_right for one in outcomes),
    )
    mean = sum(one.leaking for one in outcomes) / count
    read = sum(one.read for one in outcomes) / count
    cells = [name, str(notes), f"{mean:.3f}", *(f"{right / count:.3f}" for right in rights)]
    return "| " + " | ".join([*cells, f"{read:.0f}"]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--sites", type=int, default=200)
    chosen = parser.parse_args()
    folder: Path = chosen.folder
    if chosen.make:
        make_notes(folder)
        return
    notes, out, risk, audit = (
        folder / f"{name}.jsonl" for name in ("notes", "out", "risk", "audit")
    )
    files = PopulationFiles(notes, out, risk, audit)
    population, outputs = read_population(files), read_outputs(folder)
    clean = keep_clean(population, outputs)
    members = [one for one in population.members if one.note_id in clean]
    few = replace(population, members=members)
    print("| planted in | notes | leak | notes | identifiers | bound | recapture | read |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for share in (0.0, 0.05):
        outcomes = list(simulate(population, outputs, share, chosen.sites))
        print(describe(f"{share:.1%}", len(outputs), outcomes), flush=True)
    for share in (0.005, 0.02, 0.1):
        outcomes = list(simulate(few, clean, share, chosen.sites))
        print(describe(f"{share:.1%} of those without a leak", len(clean), outcomes), flush=True)


if __name__ == "__main__":
    main()
