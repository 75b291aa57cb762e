"""Run ``deidstream evaluate``: recognizers of a policy or spans of a file, and the reports.

Notes and lines that could not be read or scored are reported on stderr, as is every file that
holds text of notes.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType

from deidstream.agents.runtime.lines import write_whole
from deidstream.agents.runtime.policy_files import find_policy
from deidstream.agents.runtime.terminal import say
from deidstream.agents.settings import read_settings
from deidstream.models.operators.table import operators
from deidstream.models.phi.hl7.hl7_guard import Hl7Guard
from deidstream.models.records import Detected
from deidstream.models.surrogates.allocation import allocate_without_store
from deidstream.models.surrogates.replacer import Replacer
from deidstream.schemas.errors import MissingArtefact, Refused
from deidstream.schemas.label import OF_I2B2, PhiLabel
from deidstream.schemas.note import RawNote
from deidstream.schemas.policy import NEEDS_PHI, OperatorName, Policy
from deidstream.schemas.span import Replacement, Span
from deidstream.study.evaluation.evaluation import (
    Evaluation,
    Find,
    ReplaceSpans,
    evaluate,
    write_reasons,
)
from deidstream.study.evaluation.page import page
from deidstream.study.evaluation.read_gold import PREDICTIONS, Predictions, read_predictions
from deidstream.study.evaluation.reports import Subject, encode_evaluation, write_errors
from deidstream.study.evaluation.tables import summarise
from deidstream.study.scoring.clinical_content import Fate, FateOf
from deidstream.study.scoring.per_recognizer import UNION, detect_separately

DONE, SOME_UNSCORED = 0, 1
_ROOT = bytes(32)
"""Key of surrogates that are compared and thrown away."""


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """The options of the command line."""

    gold: Path
    policy: str | None = None
    predictions: Path | None = None
    """Score these spans; without it, the recognizers of the policy."""
    json: Path | None = None
    html: Path | None = None
    errors: Path | None = None
    with_text: bool = False
    """Errors with their text in the page, even without a file of errors."""
    errors_of: str | None = None
    """The recognizer whose errors are listed; without it, the union."""
    context: int = 40
    """Characters of text on either side of an error."""

    @property
    def shows_text(self) -> bool:
        """Whether the page holds text of notes."""
        return self.with_text or self.errors is not None


@dataclass(frozen=True, slots=True)
class _Prepared:
    subject: Subject
    find: Find
    names: Sequence[str]
    """Recognizers whose errors can be listed; the last by default."""
    fate_of: FateOf
    """What the policy makes of a span; predictions count as labels."""
    gaps: Callable[[Evaluation], int]
    """Reports what could not be compared; returns the exit code."""
    replace_spans: ReplaceSpans | None = None
    """Writes the policy's surrogates; predictions have none."""
    labels: Mapping[str, PhiLabel] = field(default_factory=lambda: OF_I2B2)
    """Those of the policy, by name."""


def run_evaluate(wanted: EvaluationRequest) -> int:
    """Score, print the summary and write what was asked for.

    Returns:
        0, or 1 when notes or predictions could not be read or detected.

    Raises:
        Refused: A file, policy or model is missing or wrong, or nothing could be scored.
    """
    _check_folders(wanted)
    ready = (
        _prepare_policy(wanted)
        if wanted.predictions is None
        else _prepare_predictions(wanted.predictions)
    )
    of = _choose_recognizer(wanted, ready)
    needs_text = wanted.errors is not None or (wanted.html is not None and wanted.with_text)
    evaluation = evaluate(
        wanted.gold,
        ready.find,
        fate_of=ready.fate_of,
        replace_spans=ready.replace_spans,
        mistakes_of=of if needs_text else None,
        labels=ready.labels,
    )
    code = ready.gaps(evaluation)
    sys.stdout.write(summarise(evaluation, ready.subject))
    _write_reports(wanted, evaluation, ready.subject, of)
    return code


def _check_folders(wanted: EvaluationRequest) -> None:
    # Better now than after the last note.
    for path in (wanted.json, wanted.html, wanted.errors):
        if path is not None and not path.parent.is_dir():
            msg = f"{path}: cannot be written: there is no such folder"
            raise MissingArtefact(msg)


def _prepare_policy(wanted: EvaluationRequest) -> _Prepared:
    # It brings the model libraries, which spans from a file do without.
    from deidstream.agents.runtime.load_models import load_detector  # noqa: PLC0415

    settings = read_settings(os.environ, {"policy": wanted.policy})
    policy = find_policy(settings.policy)
    detector, tagger = load_detector(settings, policy)
    subject = Subject("policy", policy.name, policy.sha256, version("deidstream"), tagger)
    names = [*(recognizer.name for recognizer in detector.recognizers), UNION]
    return _Prepared(
        subject,
        partial(detect_separately, detector),
        names,
        partial(read_fate, policy),
        _report_unscored_notes,
        partial(write_surrogates, Replacer(policy, operators(policy), _ROOT, key_version=1)),
        policy.labels,
    )


def write_surrogates(
    replacer: Replacer, note: RawNote, spans: Sequence[Span]
) -> Sequence[Replacement]:
    """Return what stands in the place of the spans of a note, as the only note of its patient."""
    finished = frozenset(replacer.policy.recognizers)
    planned = replacer.plan(Detected(note, tuple(spans), finished, Hl7Guard.read(note.text)))
    allocated = allocate_without_store(replacer.allocate([planned]))
    return replacer.substitute(planned, allocated).replacements


def read_fate(policy: Policy, span: Span) -> Fate:
    """Return what a policy makes of clinical content that a span touches."""
    operator = policy.operator_of(span.name, span.score)
    if operator is OperatorName.KEEP:
        return Fate.KEPT
    return Fate.FALSIFIED if operator in NEEDS_PHI else Fate.DESTROYED


def _prepare_predictions(path: Path) -> _Prepared:
    predictions = read_predictions(path)
    artefact = predictions.artefact
    subject = Subject("predictions", artefact.name, artefact.sha256, version("deidstream"))
    return _Prepared(
        subject,
        predictions.find,
        [PREDICTIONS],
        lambda _: Fate.DESTROYED,
        partial(_report_unmatched_notes, predictions),
    )


def _choose_recognizer(wanted: EvaluationRequest, ready: _Prepared) -> str:
    of = wanted.errors_of or ready.names[-1]
    if of not in ready.names:
        msg = f"--errors-of: {of} is not one of {', '.join(ready.names)}"
        raise Refused(msg)
    return of


def _report_unscored_notes(evaluation: Evaluation) -> int:
    return _report_reasons("gold notes not scored", evaluation.unscored, evaluation.first)


def _report_unmatched_notes(predictions: Predictions, evaluation: Evaluation) -> int:
    ids = evaluation.note_ids
    if any(count > 1 for count in ids.values()):
        msg = "note ids occur more than once in gold: predictions cannot be assigned"
        raise Refused(msg)
    absent = sum(note_id not in predictions.spans for note_id in ids)
    if absent:
        say(f"{absent} gold notes have no line of predictions: nothing was predicted for them")
    strange = sum(note_id not in ids for note_id in predictions.spans)
    if strange:
        say(f"{strange} notes of the predictions are not among the scored notes")
    lines = _report_reasons("lines of predictions not read", predictions.unreadable)
    return max(lines, _report_unscored_notes(evaluation))


def _report_reasons(
    what: str, reasons: Mapping[str, int], first: Mapping[str, str] = MappingProxyType({})
) -> int:
    if not reasons:
        return DONE
    say(f"{what}: {write_reasons(reasons, first)}")
    return SOME_UNSCORED


def _write_reports(
    wanted: EvaluationRequest, evaluation: Evaluation, subject: Subject, of: str
) -> None:
    if wanted.json is not None:
        write_whole(wanted.json, encode_evaluation(evaluation, subject))
    if wanted.errors is not None:
        write_errors(
            wanted.errors,
            evaluation.mistakes,
            evaluation.disagreements,
            of=of,
            context=wanted.context,
        )
        _warn(wanted.errors)
    if wanted.html is not None:
        context = wanted.context if wanted.shows_text else None
        write_whole(wanted.html, page(evaluation, subject, context=context, of=of).encode())
        if wanted.shows_text:
            _warn(wanted.html)


def _warn(path: Path) -> None:
    say(f"{path} holds text of notes: keep it where the notes are kept")
