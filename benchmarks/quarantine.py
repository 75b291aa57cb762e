"""Count notes that are quarantined though no identifier is left, and planted leaks that are caught.

    python benchmarks/quarantine.py [NOTES...] [--messages N] [--policy NAME] [--most N] [--seed N]

NOTES are files of notes, labelled or not, and folders of marked notes. ``--messages`` adds so many
generated HL7 v2 messages, as the plain text of a note. A quarantined note is wrongly so if its
labels say that nothing is left of a direct identifier; of one without labels its id is listed, to
be read. In each note that passes, one replaced identifier is planted in the output in four ways:

    returned    the original stands again in the place of its surrogate
    repeated    it stands at another place too
    part        its longest word stands at another place
    overlooked  detection has not seen it, so it stands where it stood

Prints counts and ids alone, never text.
"""

import argparse
import asyncio
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deidstream.agents.runtime.compose import Runtime, compose
from deidstream.agents.runtime.local_service import local_service
from deidstream.agents.runtime.policy_files import TenantPipelines
from deidstream.agents.settings import read_settings
from deidstream.models.records import Substituted
from deidstream.models.verification.verifier import find_leak, verify
from deidstream.schemas.errors import Rejected
from deidstream.schemas.label import is_direct
from deidstream.schemas.labelled import LabelledNote, decode_labelled
from deidstream.schemas.note import RawNote
from deidstream.schemas.outcome import Failed
from deidstream.schemas.permit import EmitPermit
from deidstream.schemas.policy import Policy
from deidstream.schemas.span import Replacement, Span
from deidstream.schemas.wire import decode, encode_note
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from deidstream.study.corpus.read_notes import read_marked_notes
from deidstream.study.scoring.match import prepare_reference

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.hl7_generator import generate

BATCH = 64
LETTERS = 4
"""Of the shortest word that is planted by itself."""
PLANTS = ("returned", "repeated", "part", "overlooked")


@dataclass(frozen=True, slots=True)
class Source:
    """Notes of one file or folder."""

    name: str
    notes: Sequence[RawNote]
    labelled: dict[str, LabelledNote] = field(default_factory=dict[str, LabelledNote])
    """By id; nothing for notes without labels."""


@dataclass(slots=True)
class Watch:
    """Verifies in the place of the verifier, and plants leaks in what has passed."""

    rng: random.Random
    planted: Counter[tuple[str, bool]] = field(default_factory=Counter[tuple[str, bool]])
    """By the way of planting, and whether it was caught."""
    refused: dict[str, Substituted] = field(default_factory=dict[str, Substituted])
    """What did not pass, by the id of its note."""

    def verify(self, item: Substituted, policy: Policy) -> EmitPermit:
        try:
            permit = verify(item, policy)
        except Rejected:
            self.refused[item.planned.note.note_id] = item
            raise
        chosen = [one for one in item.replacements if is_direct(one.span.label)]
        if chosen:
            one = self.rng.choice(chosen)
            for way in PLANTS:
                leaking = plant(item, one, way, self.rng)
                if leaking is not None:
                    self.planted[way, find_leak(leaking, policy) is not None] += 1
        return permit


def plant(
    item: Substituted, chosen: Replacement, way: str, rng: random.Random
) -> Substituted | None:
    """Return an output that leaks, or nothing if the original has no word of its own."""
    original = item.planned.note.text[chosen.span.start : chosen.span.end]
    if way == "returned":
        return write_at(item, chosen, original)
    if way == "overlooked":
        return forget(write_at(item, chosen, original), chosen)
    text = original
    if way == "part":
        text = max(original.split(), key=len)
        if len(text) < LETTERS or text == original:
            return None
    blanks = [at for at, sign in enumerate(item.text) if sign == " " and is_free(item, at)]
    return insert(item, rng.choice(blanks), f" {text}") if blanks else None


def is_free(item: Substituted, at: int) -> bool:
    return not any(one.out_start <= at < one.out_end for one in item.replacements)


def write_at(item: Substituted, chosen: Replacement, text: str) -> Substituted:
    """Write a text in the place of a replacement."""
    written = item.text[: chosen.out_start] + text + item.text[chosen.out_end :]
    further = len(text) - (chosen.out_end - chosen.out_start)
    moved = [
        replace(one, text=text, out_end=one.out_end + further)
        if one is chosen
        else shift(one, chosen.out_end, further)
        for one in item.replacements
    ]
    return replace(item, text=written, replacements=tuple(moved))


def insert(item: Substituted, at: int, text: str) -> Substituted:
    """Write a text between two others."""
    moved = [shift(one, at, len(text)) for one in item.replacements]
    written = item.text[:at] + text + item.text[at:]
    return replace(item, text=written, replacements=tuple(moved))


def shift(one: Replacement, after: int, further: int) -> Replacement:
    if one.out_start < after:
        return one
    return replace(one, out_start=one.out_start + further, out_end=one.out_end + further)


def forget(item: Substituted, chosen: Replacement) -> Substituted:
    """Take from a note what detection knows of one span, as if it had not seen it."""
    planned = item.planned
    place = planned.detected.spans.index(chosen.span)
    spans = [span for span in planned.detected.spans if span is not planned.detected.spans[place]]
    counted = [span for span in planned.detected.counted if not touch(span, chosen)]
    detected = replace(planned.detected, spans=tuple(spans), counted=tuple(counted))
    mentions = planned.mentions[:place] + planned.mentions[place + 1 :]
    original = planned.note.text[chosen.span.start : chosen.span.end]
    terms = tuple(term for term in planned.leak_terms if term.text not in original)
    kept = [one for one in item.replacements if one.span is not chosen.span]
    known = replace(planned, detected=detected, mentions=mentions, leak_terms=terms)
    return replace(item, planned=known, replacements=tuple(kept))


def touch(span: Span, chosen: Replacement) -> bool:
    return span.start < chosen.span.end and chosen.span.start < span.end


def read_source(path: Path) -> Source:
    if path.is_dir():
        return of_labelled(path.name, read_marked_notes(path))
    lines = [line for line in path.read_bytes().splitlines() if line.strip()]
    if b'"spans"' in lines[0]:
        return of_labelled(path.stem, [decode_labelled(line) for line in lines])
    return Source(path.stem, [decode(line) for line in lines])


def of_labelled(name: str, labelled: Sequence[LabelledNote]) -> Source:
    return Source(name, [one.note for one in labelled], {one.note.note_id: one for one in labelled})


def make_messages(count: int) -> Source:
    texts = [generate(seed).text.replace("\r", "\n") for seed in range(count)]
    notes = [RawNote(f"m{place}", f"p{place}", text) for place, text in enumerate(texts)]
    return Source("messages as text", notes)


def is_left(item: Substituted, labelled: LabelledNote) -> bool:
    """Return whether a piece of a direct identifier is in no span that was found."""
    reference = prepare_reference(labelled)
    direct = [one for one in reference.spans if is_direct(one.label)]
    spans = item.planned.detected.spans
    return any(
        not any(span.start <= piece.start and piece.end <= span.end for span in spans)
        for one in direct
        for piece in reference.pieces
        if one.start <= piece.start and piece.end <= one.end
    )


async def run(parts: Runtime, source: Source, seed: int) -> list[str]:
    """Bring the notes of a source to their outcomes; return lines of the report."""
    watch = Watch(random.Random(seed))
    watched = replace(parts, pipeline=replace(parts.pipeline, verifier=watch.verify))
    settings = read_settings(os.environ)
    service = local_service(settings, watched, MemorySurrogateStore(), TenantPipelines())
    reasons, wrong, unknown = Counter[str](), list[str](), list[str]()
    for begin in range(0, len(source.notes), BATCH):
        chunk = source.notes[begin : begin + BATCH]
        outcomes = await service.run([encode_note(note) for note in chunk])
        for note, outcome in zip(chunk, outcomes, strict=True):
            if not isinstance(outcome, Failed):
                continue
            reasons[f"{outcome.reason}:{outcome.leak}" if outcome.leak else outcome.reason] += 1
            item = watch.refused.get(note.note_id)
            labelled = source.labelled.get(note.note_id)
            if item is None or labelled is None:
                unknown.append(note.note_id)
            elif not is_left(item, labelled):
                wrong.append(note.note_id)
    service.lane.close()
    caught = {
        way: f"{watch.planted[way, True]}/{watch.planted[way, True] + watch.planted[way, False]}"
        for way in PLANTS
    }
    row = [source.name, len(source.notes), reasons.total(), len(wrong), *caught.values()]
    lines = ["| " + " | ".join(map(str, row)) + " |"]
    if reasons:
        lines.append(json.dumps({"reasons": reasons, "wrong": wrong, "unknown": unknown}))
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Count wrong quarantines and planted leaks.")
    parser.add_argument("notes", metavar="NOTES", type=Path, nargs="*")
    parser.add_argument("--messages", metavar="N", type=int, default=0)
    parser.add_argument("--policy", metavar="NAME", default="surrogate")
    parser.add_argument("--most", metavar="N", type=int, default=None)
    parser.add_argument("--seed", metavar="N", type=int, default=1)
    asked = parser.parse_args()
    sources = [read_source(path) for path in asked.notes]
    if asked.messages:
        sources.append(make_messages(asked.messages))
    settings = read_settings(os.environ, {"policy": asked.policy})
    parts = compose(settings, root=bytes(range(32)))
    columns = ("notes of", "notes", "quarantined", "nothing left", *PLANTS)
    print("| " + " | ".join(columns) + " |")
    print("| --- " * len(columns) + "|")
    for source in sources:
        chosen = replace(source, notes=source.notes[: asked.most])
        for line in asyncio.run(run(parts, chosen, asked.seed)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
