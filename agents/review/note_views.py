"""What the page shows of lists and notes, as JSON: for reviewers, and for readers."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from deidstream.agents.explaining.explanation_lines import say_ended, say_place
from deidstream.agents.review.stream_risk import StreamRisk
from deidstream.agents.review.worklist import HeldNote, ReviewVerdict, Worklist
from deidstream.agents.settings import RANDOM
from deidstream.models.detection.review_marks import ReviewMarks
from deidstream.models.explanation.explain_run import AskedPlace, explain_run
from deidstream.models.records import remaining
from deidstream.models.risk.left_words import LeftWords
from deidstream.models.risk.miss_rates import read_residual_table
from deidstream.models.risk.quasi import list_told
from deidstream.models.risk.reason_sentences import (
    explain_failure,
    explain_risk,
    explain_suspect,
    explain_told,
)
from deidstream.models.risk.residual import ResidualRisk, WeighedSuspect
from deidstream.schemas.label import LABELS, PhiLabel, Sensitivity
from deidstream.schemas.outcome import Anonymized, Failed
from deidstream.schemas.policy import LABELS_OF, OperatorName
from deidstream.schemas.span import Replacement, Span

View = dict[str, Any]
SUSPECT_CHANCE: Final = 0.01
"""Probability of an identifier from which a stretch is shown as suspect."""
MOST_SUSPECTS: Final = 20
"""Suspects that are shown of a note at most."""


def view_worklist(worklist: Worklist, *, originals: bool) -> View:
    """Show a list without its notes; its title is that of a file, so readers do not see it."""
    notes = worklist.notes.values()
    return {
        "id": worklist.id,
        "title": worklist.title if originals else _TITLES[worklist.kind],
        "kind": worklist.kind,
        "notes": len(notes),
        "levels": Counter(held.level or "waiting" for held in notes),
        "open": sum(held.verdict is ReviewVerdict.OPEN for held in notes),
        # A note may wait for two runs.
        "waiting": min(worklist.waiting, len(notes)),
        "policy": worklist.draft.name,
        "labels": [view_label(name, worklist.draft.labels[name]) for name in worklist.draft.own],
        "undo": len(worklist.steps),
        "blind": bool(worklist.of),
        "closed": worklist.closed,
        "until": worklist.until and datetime.fromtimestamp(worklist.until, UTC).date().isoformat(),
    }


_TITLES = {
    "upload": "Uploaded notes",
    "quarantine": "Quarantine",
    "risk": "Red and yellow notes",
    "blind": "Second opinion",
    "sample": "Sample notes",
}

_UNSAVED = "The last changes are not saved: the disk of the page cannot be written."


def view_label(name: str, label: PhiLabel) -> View:
    """Show a label, one of the site's own with what it is like."""
    facts = LABELS[label]
    return {
        "name": name,
        "like": label,
        "direct": facts.sensitivity is Sensitivity.DIRECT,
        "group": facts.deidclinic,
        "operators": [each for each in OperatorName if label in LABELS_OF[each]],
    }


def view_remarks(worklist: Worklist) -> View:
    """Show what a list does not hold: in sentences, and the notes whose originals are gone."""
    lost = [{"pseudonym": one.note_id, **_view_emitted(one)} for one in worklist.lost]
    unsaved = _UNSAVED if worklist.unsaved else ""
    remarks = [*worklist.remarks, *filter(None, [worklist.fault, unsaved])]
    return {"remarks": remarks, "lost": lost}


def view_rows(worklist: Worklist, *, originals: bool) -> list[View]:
    """Show each note of a list in a line, those that need most attention first."""
    return [_view_row(held, originals=originals) for held in worklist.in_order()]


def _view_row(held: HeldNote, *, originals: bool) -> View:
    row: View = {"number": held.number, "level": held.level, "verdict": held.verdict}
    row |= {"runs": held.runs, "reader": held.reader, "pair": held.pair, "decided": held.decided}
    if isinstance(held.outcome, Anonymized):
        row |= {"score": held.outcome.risk.score, "pseudonym": held.outcome.note.note_id}
    if originals:
        row |= {"name": held.name, "labels": held.count_labels(), "origin": held.origin}
    return row


def view_note(worklist: Worklist, held: HeldNote, *, originals: bool) -> View:
    """Show one note: its output and risk and, to reviewers, its original with the spans of both."""
    view = _view_row(held, originals=originals)
    view |= {"waiting": held.outcome is None, "list": worklist.id, "undo": len(worklist.steps)}
    if isinstance(held.outcome, Anonymized):
        risk = held.outcome.risk
        view["risk"] = {
            "level": risk.level,
            "score": risk.score,
            "measures": dict(risk.measures),
            "reasons": _explain(risk.reasons),
        }
        view["technique"] = held.outcome.note.technique
        view["text"] = held.outcome.note.text
        view["word"] = bool(held.word)
    elif isinstance(held.outcome, Failed):
        failed = held.outcome
        view["failure"] = {
            "code": failed.reason,
            "stage": failed.stage,
            "text": explain_failure(failed.reason, failed.leak),
        }
    if held.emitted is not None:
        view["emitted"] = _view_emitted(held.emitted) | {"same": _is_emitted(held, held.emitted)}
    if originals:
        view["original"] = _view_original(held)
        if isinstance(held.outcome, Anonymized):
            view["output"] = _view_output(held.note.text, held.outcome)
    return view


def view_explanation(held: HeldNote, asked: AskedPlace | None = None) -> View:
    """Show why the spans of a note were replaced, or what was decided about one place of it."""
    if held.run is None or held.outcome is None:
        return {"runs": held.runs, "places": []}
    explained = explain_run(held.run, held.outcome, None if asked is None else [asked])
    places = [
        {
            "start": place.start,
            "end": place.end,
            "ended": say_ended(place),
            "lines": [line._asdict() for line in say_place(explained, place)],
        }
        for place in explained.places
    ]
    return {"runs": held.runs, "places": places}


def _explain(reasons: Sequence[str]) -> list[View]:
    return [{"code": code, "text": explain_risk(code)} for code in reasons]


def _view_emitted(risk: StreamRisk) -> View:
    """Show what the stream says of an output."""
    moment = datetime.fromtimestamp(risk.seconds, UTC).isoformat(timespec="seconds")
    reasons = _explain(risk.reasons)
    return {"level": risk.level, "score": risk.score, "reasons": reasons, "written": moment}


def _is_emitted(held: HeldNote, emitted: StreamRisk) -> bool:
    """Return whether the output here is that of the stream.

    Equal ids prove it, unless single places are marked or only Redis has the surrogates.
    """
    if not isinstance(held.outcome, Anonymized) or held.marks != ReviewMarks():
        return False
    note = held.outcome.note
    return note.output_id == emitted.output_id and note.pipeline.mapping != RANDOM


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A stretch of a text and what the page says of it."""

    start: int
    end: int
    facts: View = field(repr=False)


def _view_original(held: HeldNote) -> list[View]:
    operators: Mapping[Span, str] = {}
    if isinstance(held.outcome, Anonymized):
        operators = {one.span: one.operator for one in held.outcome.note.permit.replacements}
    places = [
        ShownPlace(span.start, span.end, _facts(number, span, operators.get(span, "")))
        for number, span in enumerate(held.spans)
    ]
    places += [
        ShownPlace(span.start, span.end, {"cleared": True, "label": span.name})
        for span in held.marks.cleared
    ]
    places += _list_suspects(held)
    places += _list_told(held)
    return list(_cut(held.note.text, sorted(places, key=lambda place: place.start)))


def _list_suspects(held: HeldNote) -> Iterator[ShownPlace]:
    """Yield the likeliest identifiers among what the output keeps, and what speaks for each."""
    if held.run is None:
        return
    residual = ResidualRisk(held.run.policy, read_residual_table())
    weighed = residual.weigh_suspects(held.run.rewritten.planned.detected)
    likely = sorted((one for one in weighed if one.chance >= SUSPECT_CHANCE), key=_by_chance)
    for one in likely[:MOST_SUSPECTS]:
        suspect = one.suspect
        facts = {"chance": round(one.chance, 3), "why": explain_suspect(suspect)}
        yield ShownPlace(suspect.start, suspect.end, {"suspect": suspect.kind} | facts)


def _list_told(held: HeldNote) -> Iterator[ShownPlace]:
    """Yield what the text tells of a person whom others know, and that the output tells too."""
    if held.run is None:
        return
    item = held.run.rewritten
    for told in list_told(item, LeftWords.of_output(item)):
        facts = {"suspect": told.kind, "tells": True, "why": [explain_told(told)]}
        yield ShownPlace(told.start, told.end, facts)


def _by_chance(weighed: WeighedSuspect) -> tuple[float, int]:
    return -weighed.chance, weighed.suspect.start


def _view_output(original: str, outcome: Anonymized) -> list[View]:
    """Cut the output into segments; a replacement has its original, and where that was."""
    replacements: Sequence[Replacement] = outcome.note.permit.replacements
    number_of = {one.span: number for number, one in enumerate(replacements)}
    places: list[ShownPlace] = []
    for one in remaining(replacements):
        span = one.span
        facts = _facts(number_of[span], span, one.operator)
        facts |= {"start": span.start, "end": span.end, "original": original[span.start : span.end]}
        places.append(ShownPlace(one.out_start, one.out_end, facts))
    return list(_cut(outcome.note.text, places))


def _facts(number: int, span: Span, operator: str) -> View:
    return {
        "id": number,
        "label": span.name,
        "score": round(span.score, 3),
        "source": span.source,
        "operator": operator,
    }


def _cut(text: str, places: Sequence[ShownPlace]) -> Iterator[View]:
    """Cut a text into segments; each says where it begins, in code points."""
    read = 0
    for place in places:
        if place.start < read:  # a mark that was made since the note was run
            continue
        if place.start > read:
            yield {"at": read, "text": text[read : place.start]}
        yield {"at": place.start, "text": text[place.start : place.end], **place.facts}
        read = place.end
    if read < len(text):
        yield {"at": read, "text": text[read:]}
