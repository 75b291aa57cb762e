"""Teach the tagger in use further from a site's marked notes, without forgetting what it knows.

Beside copies of the marked notes with other names and numbers it learns from notes that come with
deidstream: composed ones, and the sample notes with its own answers as labels (Li and Hoiem,
Learning without forgetting, ECCV 2016). Half of each weight stays that of the start
(``FitPlan.kept``).
"""

import random
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import orjson
import torch

from deidstream.agents.demo.demo import sample_notes
from deidstream.agents.runtime.load_models import find_tagger
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import Settings
from deidstream.models.detection.calibration import CALIBRATION
from deidstream.models.detection.detector import Detector
from deidstream.models.neural.model_loading import choose_placement
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.weights import DIGEST, digest
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.labelled import LabelledNote, encode_labelled
from deidstream.study.adaptation.measure import find_spans
from deidstream.study.corpus.compose_notes import compose_notes
from deidstream.study.corpus.fillers.fill import Filler, read_lists
from deidstream.study.corpus.noise import distort
from deidstream.study.corpus.vary import vary
from deidstream.study.tagger.examples import OUTPUTS, examples
from deidstream.study.tagger.fit import FitPlan, fit
from deidstream.study.tagger.quantize_model import quantize_model
from deidstream.study.tagger.start import save, set_thresholds, start

STATE = "training.pt"
NOTES = "notes.jsonl"
COMPOSED_SEED = 29
OTHERWISE = 0.5
"""The threshold of a tagger that has none of its own (``TaggerOptions.threshold``)."""
CARD = "README.md"
_CARD = """# Tagger of a site

The tagger {base} (digest `{base_digest}`), taught further by `deidstream adapt make` from {marked}
marked notes of the site. It is the site's: it may hold what those notes say. Scores keep the
calibration of the tagger that it was made of; `deidstream calibrate` fits them, if there are a few
hundred marked notes.
"""


_FIT = FitPlan(
    epochs=2, learning_rate=1.5e-4, batch_pieces=2048, average=0.9, kept=0.5, save_steps=10
)


@dataclass(frozen=True, slots=True)
class Lesson:
    """How a tagger is taught."""

    copies: int = 2
    """Copies of each marked note with other PHI."""
    sampled: int = 24
    """Sample notes that it learns again."""
    composed: int = 24
    fit: FitPlan = _FIT
    window: int = 256


def has_our_outputs(folder: Path) -> bool:
    """Return whether a tagger has the outputs of ours; a head for others would be a new one."""
    names = orjson.loads((folder / "config.json").read_bytes()).get("id2label", {})
    return [names.get(str(at)) for at in range(len(names))] == list(OUTPUTS)


def teach(
    settings: Settings,
    detector: Detector,
    marked: Sequence[LabelledNote],
    work: Path,
    lesson: Lesson,
) -> Path:
    """Fine-tune the tagger of the settings; return the folder of the new one.

    A run that was stopped goes on where it last saved its state, and one that ended is not run
    again. The state, and the notes, are removed at the end.

    Args:
        settings: Name the tagger to start with.
        detector: What answers before, for the notes that are learnt again.
        marked: Notes of the site to learn from.
        work: Folder that its owner alone can read.
        lesson: How.

    Raises:
        Refused: The tagger cannot be taught, or something cannot be read or written.
    """
    base, out = find_tagger(settings), work / "tagger"
    if (out / DIGEST).exists():
        return out
    placement = choose_placement(settings.model.device, "auto")
    model = start(base, seed=lesson.fit.seed, shapes=True).to(placement.device)
    # A few hundred windows say little of words, and a step without them is cheaper.
    model.get_input_embeddings().weight.requires_grad_(requires_grad=False)
    pieces = Pieces.load(base)
    notes = list(_make_notes(marked, detector, lesson))
    windows = list(examples(notes, pieces, window=lesson.window, overlap=lesson.window // 16))
    say(f"the tagger learns from {len(notes):,} notes in {len(windows):,} windows: some minutes")
    plan = replace(lesson.fit, bf16=placement.dtype is torch.bfloat16)
    with progress("steps") as bar:
        task = bar.add_task("teach the tagger", total=None)
        for step in fit(model, windows, plan, pad_id=pieces.pad_id, state=work / STATE):
            bar.update(task, completed=step.number, total=step.of)
    save(model, base, out)
    _finish(base, out, len(marked))
    lines = b"".join(encode_labelled(labelled) + b"\n" for labelled in marked)
    (work / NOTES).write_bytes(lines)
    quantize_model(str(out), work / NOTES, settings, None)
    (work / NOTES).unlink()
    (work / STATE).unlink()
    write_digest(out)
    return out


def _make_notes(
    marked: Sequence[LabelledNote], detector: Detector, lesson: Lesson
) -> Iterator[LabelledNote]:
    rng = random.Random(lesson.fit.seed)
    filler = Filler(rng, read_lists())
    yield from marked
    for _ in range(lesson.copies):
        for labelled in marked:
            yield distort(vary(labelled, rng, filler), rng)
    yield from compose_notes(filler, COMPOSED_SEED, lesson.composed)
    sampled = sample_notes()[:: max(1, len(sample_notes()) // lesson.sampled)]
    for note, spans in zip(sampled, find_spans(detector, sampled), strict=True):
        yield LabelledNote(note, spans)


def _finish(base: Path, out: Path, marked: int) -> None:
    """Let a taught tagger have what its base has beside the weights, and a card."""
    config = orjson.loads((base / "config.json").read_bytes())
    own = config.get("phi_thresholds")
    if own:
        set_thresholds(out, own)
    if (base / CALIBRATION).exists():
        shutil.copyfile(base / CALIBRATION, out / CALIBRATION)
    card = _CARD.format(base=base.name, base_digest=digest(base), marked=marked)
    (out / CARD).write_text(card, encoding="utf-8")


def write_digest(folder: Path) -> str:
    """Write the digest of a tagger beside it, and return it."""
    found = digest(folder)
    (folder / DIGEST).write_text(found + "\n", encoding="ascii")
    return found


def write_tagger(base: Path, out: Path, bound: float) -> None:
    """Copy a tagger, with no threshold above a bound.

    Args:
        base: Its folder.
        out: The folder of the copy.
        bound: A probability; 1: the thresholds stay.

    Raises:
        MissingArtefact: It cannot be copied.
    """
    try:
        shutil.copytree(base, out, dirs_exist_ok=True)
        if bound < 1:
            own = orjson.loads((out / "config.json").read_bytes()).get("phi_thresholds") or {}
            thresholds = {str(label): float(own.get(label, OTHERWISE)) for label in PhiLabel}
            set_thresholds(out, {label: min(had, bound) for label, had in thresholds.items()})
        write_digest(out)
    except OSError as error:
        msg = f"{out}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None
