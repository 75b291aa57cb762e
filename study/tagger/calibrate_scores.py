"""Fit the calibration of detection on labelled notes, and write it beside the tagger."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from deidstream.agents.runtime.load_models import find_calibration, load_recognizers
from deidstream.agents.runtime.progress_bar import progress
from deidstream.agents.settings import Settings
from deidstream.models.detection.calibration import Calibration, Features, write_calibration
from deidstream.models.detection.detector import Detector
from deidstream.models.detection.obfuscation.meant_text import read_as_meant
from deidstream.models.neural.weights import DIGEST, digest
from deidstream.models.policy.reader import read_shipped_policy
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.schemas.labelled import LabelledNote
from deidstream.schemas.span import Span
from deidstream.study.corpus.read_notes import read_labelled_notes, read_marked_notes
from deidstream.study.scoring.match import extents
from deidstream.study.scoring.reliability import JudgedScore, judge_scores, measure_reliability
from deidstream.study.tagger.fit_calibration import EvidenceRecorder, JudgedEvidence, fit_weights

POLICY = "safe-harbor"
"""All recognizers, their union, and the lowest thresholds: every span that any policy may find."""
CARD = "README.md"
CHUNK = 64


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """The expected calibration error before and after."""

    before: float
    after: float
    """Error on each half of the notes, with weights fitted on the other half."""


def calibrate_scores(
    notes: Sequence[Path], settings: Settings, out: Path | None
) -> CalibrationError:
    """Fit the calibration, measure it, and write it beside the tagger of the settings.

    Args:
        notes: Labelled notes, or folders of marked ones; of none may the tagger have learnt.
        settings: Name the tagger.
        out: Folder to write to instead of the tagger's.

    Raises:
        Refused: Something cannot be read or written, or the notes are too few.
    """
    labelled = [note for path in notes for note in _read_notes(path)]
    by_note = list(_take_examples(labelled, settings))
    examples = [example for of_note in by_note for example in of_note]
    try:
        error = _measure(by_note)
        weights = fit_weights(examples)
    except ValueError as wrong:
        msg = f"too few notes to calibrate: {wrong}"
        raise Refused(msg) from None
    folder = out or find_calibration(settings)
    write_calibration(folder, weights, {"notes": len(labelled), "spans": len(examples)})
    if (folder / DIGEST).exists():
        _write_digest(folder)
    return error


def _read_notes(path: Path) -> list[LabelledNote]:
    return read_marked_notes(path) if path.is_dir() else read_labelled_notes(path)


def _take_examples(
    labelled: Sequence[LabelledNote], settings: Settings
) -> Iterator[list[JudgedEvidence]]:
    policy = read_shipped_policy(POLICY)
    recognizers, _ = load_recognizers(settings, policy)
    with progress() as bar:
        task = bar.add_task("detect", total=len(labelled))
        for at in range(0, len(labelled), CHUNK):
            chunk = labelled[at : at + CHUNK]
            recorder = EvidenceRecorder()
            detector = Detector(policy, recognizers, recorder)
            detector.detect([one.note for one in chunk])
            for place, one in enumerate(chunk):
                yield _examples(one, [*recorder.calls[2 * place], *recorder.calls[2 * place + 1]])
            bar.advance(task, len(chunk))


def _examples(
    labelled: LabelledNote, recorded: Sequence[tuple[Span, Features]]
) -> list[JudgedEvidence]:
    spans = [span for span, _ in recorded]
    # They were found in the text that the note means.
    plain = read_as_meant(labelled.note.text)
    placed = spans if plain is None else plain.to_note(spans)
    judged = judge_scores(extents(labelled.spans), placed)
    return [
        JudgedEvidence(features, score, right)
        for (_, features), (score, right) in zip(recorded, judged, strict=True)
    ]


def _measure(by_note: Sequence[Sequence[JudgedEvidence]]) -> CalibrationError:
    """Fit each half of the notes, every other one, and judge the other half by it."""
    halves = [[example for of_note in by_note[at::2] for example in of_note] for at in range(2)]
    after: list[JudgedScore] = []
    for learnt, judged in (halves, halves[::-1]):
        calibration = Calibration(fit_weights(learnt))
        after += [(calibration.probability(one.features), one.right) for one in judged]
    before = [(one.score, one.right) for half in halves for one in half]
    return CalibrationError(
        measure_reliability(before).error or 0.0, measure_reliability(after).error or 0.0
    )


def _write_digest(folder: Path) -> None:
    """Rewrite the digest of a checkpoint and its card: the calibration is part of it."""
    try:
        old, new = (folder / DIGEST).read_text("ascii").strip(), digest(folder)
        (folder / DIGEST).write_text(new + "\n", encoding="ascii")
        card = folder / CARD
        if card.exists():
            card.write_text(card.read_text("utf-8").replace(old, new), encoding="utf-8")
    except OSError as error:
        msg = f"{folder}: cannot be written: {type(error).__name__}"
        raise MissingArtefact(msg) from None
