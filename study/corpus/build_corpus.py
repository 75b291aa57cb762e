"""Make the training corpus of the tagger; the same seed gives the same bytes."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from deidstream.agents.runtime.progress_bar import progress
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.labelled import LabelledNote, encode_labelled
from deidstream.study.corpus.compose_notes import compose_notes
from deidstream.study.corpus.fillers.fill import Filler, read_lists
from deidstream.study.corpus.inject.inject import inject_notes
from deidstream.study.corpus.noise import Distortion, distort
from deidstream.study.corpus.read_notes import read_labelled_notes, read_marked_notes
from deidstream.study.corpus.sources import Sources
from deidstream.study.corpus.split_by_patient import split_by_patient
from deidstream.study.corpus.vary import vary

CORPUS, HELD_OUT = "corpus.jsonl", "held_out.jsonl"


@dataclass(frozen=True, slots=True)
class CorpusPlan:
    """The sources of a corpus, and how many notes of each kind it has."""

    marked: Path
    """Folder of notes with inline marks, written by hand."""
    labelled: tuple[Path, ...]
    """Files of labelled notes, written by hand."""
    sources: Sources | None
    """Prose that PHI is injected into, and optionally lists of real names and places beside those
    of the installed packages and our own."""
    out: Path
    varied: int = 6
    """Copies of each hand-written note with other PHI, most of them distorted."""
    injected: int = 6000
    composed: int = 4000
    distortions: tuple[Distortion, ...] = ()
    """What each copy is distorted by, one of them; none: by zero to three of all."""
    held_out_share: float = 0.08
    """Share of the hand-written notes that are held out, unchanged, for calibration."""
    seed: int = 1


def make_corpus(plan: CorpusPlan) -> tuple[int, int]:
    """Write ``corpus.jsonl`` and ``held_out.jsonl``; return how many notes each holds.

    A hand-written note and all its copies are in one of the two files only.

    Raises:
        MissingArtefact: A file or folder cannot be read.
        InvalidSettings: PHI is to be injected but no prose is given.
        Refused: A label or a line of a source is wrong; the message names its place.
    """
    if plan.injected and plan.sources is None:
        msg = "to inject PHI into real prose, declare sources of such prose (--sources)"
        raise InvalidSettings(msg)
    written = [*read_marked_notes(plan.marked), *chain(*map(read_labelled_notes, plan.labelled))]
    kept, apart = split_by_patient(written, share=plan.held_out_share, draw=str(plan.seed))
    plan.out.mkdir(parents=True, exist_ok=True)
    _write(plan.out / HELD_OUT, apart, len(apart))
    total = len(kept) * (1 + plan.varied) + plan.injected + plan.composed
    return _write(plan.out / CORPUS, _make_notes(kept, plan), total), len(apart)


def _make_notes(kept: Sequence[LabelledNote], plan: CorpusPlan) -> Iterator[LabelledNote]:
    yield from kept
    rng = random.Random(plan.seed)
    filler = Filler(rng, read_lists(plan.sources.lists if plan.sources else None))
    for copy in range(plan.varied):
        for labelled in kept:
            varied = vary(labelled, rng, filler)
            if plan.distortions:
                distorted = rng.choice(plan.distortions)(varied, rng)
            else:
                distorted = distort(varied, rng)
            yield _with_suffix(distorted, f"v{copy}")
    if plan.sources is not None and plan.injected:
        for labelled in inject_notes(plan.sources, filler, plan.seed, plan.injected):
            yield distort(labelled, rng)
    for labelled in compose_notes(filler, plan.seed, plan.composed):
        yield distort(labelled, rng)


def _with_suffix(labelled: LabelledNote, suffix: str) -> LabelledNote:
    note = replace(labelled.note, note_id=f"{labelled.note.note_id}.{suffix}")
    return replace(labelled, note=note)


def _write(path: Path, notes: Iterator[LabelledNote] | Sequence[LabelledNote], total: int) -> int:
    count = 0
    with path.open("wb") as out, progress() as bar:
        task = bar.add_task(path.stem, total=total)
        for count, labelled in enumerate(notes, 1):  # noqa: B007  the last count is returned
            out.write(encode_labelled(labelled) + b"\n")
            bar.advance(task)
    return count
