"""Fine-tune a tagger on labelled notes, calibrate it on held-out notes and write its card."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson
import torch

from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.runtime.terminal import say
from deidstream.models.neural.engine_port import EngineOptions
from deidstream.models.neural.model_loading import choose_placement
from deidstream.models.neural.tokenizer import Pieces
from deidstream.models.neural.weights import DIGEST, digest, find_encoder
from deidstream.models.recognizers.tagger import Tagger, TaggerOptions
from deidstream.schemas.errors import InvalidSettings, Refused
from deidstream.schemas.labelled import LabelledNote
from deidstream.study.corpus.read_notes import read_labelled_notes
from deidstream.study.corpus.split_by_patient import split_by_patient
from deidstream.study.scoring.match import prepare_reference
from deidstream.study.scoring.score import score
from deidstream.study.scoring.totals import Headline, headline, total
from deidstream.study.tagger.calibrate import calibrate_thresholds, judge
from deidstream.study.tagger.distill import STATES_UNTIL, TeacherLesson, begin_pupil, take_up_pupil
from deidstream.study.tagger.examples import OUTPUTS, Example, examples
from deidstream.study.tagger.fit import LABEL_LESSON, FitPlan, Step, fit
from deidstream.study.tagger.start import has_shapes, save, set_thresholds, start

STATE = "training.pt"
CHUNK = 64


@dataclass(frozen=True, slots=True)
class TrainPlan:
    """Encoder, notes and settings of a training run."""

    notes: tuple[Path, ...]
    out: Path
    encoder: str
    held_out: Path | None = None
    """Notes to calibrate and measure on; ``None``: a share of ``notes``."""
    held_out_share: float = 0.1
    """Share of the patients whose notes are held out."""
    window: int = 256
    shapes: bool = True
    teacher: str = ""
    """Tagger to learn from (``study.tagger.distill``), in place of an encoder."""
    layers: tuple[int, ...] = ()
    """Layers of the teacher that the pupil begins with."""
    pupil: str = ""
    """Tagger that the teacher has taught before, and teaches further, in place of layers."""
    device: str = "auto"
    fit: FitPlan = field(default_factory=FitPlan)


def train(plan: TrainPlan) -> Headline:
    """Fine-tune, calibrate, measure and write a checkpoint; return the held-out figures.

    An interrupted run continues where it last saved its state, in the ``out`` folder; the state is
    removed at the end.

    Raises:
        Refused: A file, model or setting is missing or wrong, or there is nothing to learn from.
    """
    learnt, held_out = _split_notes(plan)
    encoder = find_encoder(plan.teacher or plan.encoder)
    placement = choose_placement(plan.device, "auto")
    model = _begin(plan, encoder).to(placement.device)
    lesson = LABEL_LESSON
    if plan.teacher:
        until = 0.0 if plan.pupil else STATES_UNTIL
        lesson = TeacherLesson.of(encoder, model, seed=plan.fit.seed, states_until=until)
    pieces = Pieces.load(encoder).separate_symbols()
    model.config.symbols_apart = pieces.symbols_apart
    windows = _make_windows(plan, learnt, pieces)
    say(f"{len(learnt)} notes in {len(windows)} windows to learn from, {len(held_out)} kept apart")
    plan.out.mkdir(parents=True, exist_ok=True)
    how = replace(plan.fit, bf16=placement.dtype is torch.bfloat16)
    steps = fit(model, windows, how, pad_id=pieces.pad_id, state=plan.out / STATE, lesson=lesson)
    _show_steps(steps)
    save(model, encoder, plan.out)
    figures = _calibrate(plan, held_out)
    shaped = replace(plan, shapes=has_shapes(model))
    _write_card(shaped, how, learnt, held_out, figures)
    (plan.out / STATE).unlink()
    return figures


def _begin(plan: TrainPlan, folder: Path) -> Any:  # noqa: ANN401  its class is the encoder's
    if bool(plan.layers) + bool(plan.pupil) != bool(plan.teacher):
        msg = "a teacher goes with the layers that its pupil begins with, or with a pupil"
        raise InvalidSettings(msg)
    if plan.pupil:
        return take_up_pupil(find_encoder(plan.pupil), seed=plan.fit.seed)
    if plan.teacher:
        return begin_pupil(folder, plan.layers, seed=plan.fit.seed)
    return start(folder, seed=plan.fit.seed, shapes=plan.shapes)


def _make_windows(plan: TrainPlan, learnt: Sequence[LabelledNote], pieces: Pieces) -> list[Example]:
    found = list(examples(learnt, pieces, window=plan.window, overlap=plan.window // 16))
    if not found:
        msg = "the notes to learn from hold no words"
        raise Refused(msg)
    return found


def _split_notes(plan: TrainPlan) -> tuple[list[LabelledNote], list[LabelledNote]]:
    every = [note for path in plan.notes for note in read_labelled_notes(path)]
    if plan.held_out is None:
        # Drawn differently from the corpus: the same draw would select almost none of its notes.
        draw = f"{plan.fit.seed}:apart"
        learnt, held_out = split_by_patient(every, share=plan.held_out_share, draw=draw)
    else:
        learnt, held_out = every, read_labelled_notes(plan.held_out)
    if not learnt or not held_out:
        msg = "too few patients to learn from some and measure on others"
        raise Refused(msg)
    if shared := _patients(learnt) & _patients(held_out):
        msg = f"{len(shared)} patients are both learnt from and held out"
        raise Refused(msg)
    return learnt, held_out


def _patients(notes: Sequence[LabelledNote]) -> set[str]:
    return {labelled.note.patient_id for labelled in notes if labelled.note.patient_id}


def _show_steps(steps: Iterator[Step]) -> None:
    with progress("steps") as bar:
        task = bar.add_task("train", total=None)
        for step in steps:
            bar.update(
                task, completed=step.number, total=step.of, description=f"loss {step.loss:.3f}"
            )


def _calibrate(plan: TrainPlan, held_out: Sequence[LabelledNote]) -> Headline:
    tagger = _load(plan)
    texts = [labelled.note.text for labelled in held_out]
    answers = [
        answer
        for at in range(0, len(texts), CHUNK)
        for answer in _score_texts(tagger, texts[at : at + CHUNK])
    ]
    spans = [labelled.spans for labelled in held_out]
    set_thresholds(plan.out, calibrate_thresholds(judge(answers, spans)))
    return _measure(_load(plan), held_out)


def _score_texts(tagger: Tagger, texts: Sequence[str]) -> Iterator[Any]:
    encodings, scores = tagger.score(texts)
    return zip(texts, encodings, scores, strict=True)


def _load(plan: TrainPlan) -> Tagger:
    how = TaggerOptions(
        window=plan.window, overlap=plan.window // 16, run=EngineOptions(device=plan.device)
    )
    return Tagger.load(str(plan.out), settings=how)


def _measure(tagger: Tagger, held_out: Sequence[LabelledNote]) -> Headline:
    found = tagger.recognize([labelled.note for labelled in held_out])
    scores = [
        score(prepare_reference(one), spans) for one, spans in zip(held_out, found, strict=True)
    ]
    return headline(total(scores))


def _write_card(
    plan: TrainPlan,
    how: FitPlan,
    learnt: Sequence[LabelledNote],
    held_out: Sequence[LabelledNote],
    figures: Headline,
) -> None:
    trained = TrainingRun(
        # The card must not show a path of this machine.
        encoder=_name_encoder(plan),
        files=tuple(path.name for path in plan.notes),
        notes=len(learnt),
        spans=sum(len(labelled.spans) for labelled in learnt),
        held_out_notes=len(held_out),
        held_out_spans=sum(len(labelled.spans) for labelled in held_out),
        window=plan.window,
        shapes=plan.shapes,
        how=how,
        figures=figures,
        digest=digest(plan.out),
    )
    (plan.out / "README.md").write_text(write_card(trained), encoding="utf-8")
    (plan.out / DIGEST).write_text(trained.digest + "\n", encoding="ascii")


def _name_encoder(plan: TrainPlan) -> str:
    name = _shorten(plan.teacher or plan.encoder)
    if plan.pupil:
        return f"{_shorten(plan.pupil)}, and taught further by {name}"
    layers = ", ".join(map(str, plan.layers))
    return f"layers {layers} of {name}, and taught by it" if plan.teacher else name


def _shorten(model: str) -> str:
    return Path(model).name if Path(model).is_dir() else model


@dataclass(frozen=True, slots=True)
class TrainingRun:
    """The facts that the card of a trained tagger reports."""

    encoder: str
    files: tuple[str, ...]
    notes: int
    spans: int
    held_out_notes: int
    held_out_spans: int
    window: int
    shapes: bool
    how: FitPlan
    figures: Headline
    digest: str


_CARD = """# Tagger

A token classifier that finds the 28 kinds of PHI of i2b2/UTHealth 2014 in English clinical notes
(BIO, {outputs} outputs), made by `deidstream train`.

- Encoder: {encoder}; word shapes as token types: {shapes}; windows of {window} word pieces.
- Learnt from {notes:,} notes with {spans:,} spans in {files}.
- Calibrated and measured on {held_out_notes:,} notes of others with {held_out_spans:,} spans.
- Files: safetensors in fp16, tokenizer, configuration with `phi_thresholds`. Digest of what decides
  (`models.neural.weights.digest`): `{digest}`.

## Held-out notes

Label-blind tokens: recall {recall}, of direct identifiers {direct}, precision {precision}.
Spans with their labels (any overlap): F1 {overlap}. Notes without any leak: {leak_free}.
These notes are of the same make as those learnt from: expect less on another hospital's.

## Limits

- English; other languages and scripts were not in the training notes.
- No clinical notes of real patients were seen. Measure on notes of your own before you rely on it:
  `deidstream evaluate GOLD.jsonl`.
- A tagger alone leaks more than the tagger with rules and dictionaries, which is how it is meant to
  be used.

## How

```json
{details}
```
"""


def write_card(trained: TrainingRun) -> str:
    """Return the model card in Markdown; the same run always gives the same card."""
    figures = trained.figures
    details = {"fit": asdict(trained.how), "held_out": asdict(figures)}
    return _CARD.format(
        outputs=len(OUTPUTS),
        encoder=trained.encoder,
        shapes="yes" if trained.shapes else "no",
        window=trained.window,
        notes=trained.notes,
        spans=trained.spans,
        files=", ".join(f"`{name}`" for name in trained.files),
        held_out_notes=trained.held_out_notes,
        held_out_spans=trained.held_out_spans,
        digest=trained.digest,
        recall=_share(figures.redact_recall),
        direct=_share(figures.direct_recall),
        precision=_share(figures.redact_precision),
        overlap=_share(figures.overlap_f1),
        leak_free=_share(figures.leak_free_notes),
        details=orjson.dumps(details, option=orjson.OPT_INDENT_2).decode(),
    )


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
