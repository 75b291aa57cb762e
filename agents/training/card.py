"""The model card of a trained tagger."""

from dataclasses import asdict, dataclass

import orjson

from deidstream.models.scoring.totals import Headline
from deidstream.models.training.tagger.examples import OUTPUTS
from deidstream.models.training.tagger.fit import FitPlan


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
  (`models.weights.digest`): `{digest}`.

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
