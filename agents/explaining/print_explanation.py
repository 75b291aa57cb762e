"""Write explanations for a terminal, and as JSON for programs."""

import textwrap
from collections.abc import Iterator

import orjson

from deidstream.agents.explaining.explanation_lines import (
    name_place,
    say_ending,
    say_kneo,
    say_place,
)
from deidstream.models.explanation.explained_note import ExplainedNote
from deidstream.schemas.note import NoteStatus
from deidstream.schemas.outcome import Anonymized, Failed

SCHEMA = 1
_WIDTH, _COLUMN = 100, 13


def print_explanation(note: ExplainedNote) -> str:
    """Write an explanation in lines of at most 100 columns, unless a word is longer.

    A blank line ends it.
    """
    return "".join(f"{line}\n" for line in _iterate_lines(note))


def encode_explanation(note: ExplainedNote) -> str:
    """Write an explanation as one line of JSON."""
    record = {
        "schema": SCHEMA,
        "note_id": note.note_id,
        "outcome": _describe_outcome(note),
        "kneo": note.kneo,
        "places": note.places,
    }
    return orjson.dumps(record).decode() + "\n"


def _iterate_lines(note: ExplainedNote) -> Iterator[str]:
    policy = f", policy {note.policy.name} ({note.policy.technique})" if note.policy else ""
    yield from _wrap(f"note {note.note_id!r}{policy}: {say_ending(note)}", "", "  ")
    if note.kneo is not None:
        yield from _wrap(say_kneo(note.kneo), "  kneo".ljust(_COLUMN), " " * _COLUMN)
    for place in note.places:
        yield ""
        yield from _wrap(name_place(place), "", "  ")
        for about, text in say_place(note, place):
            yield from _wrap(text, f"  {about}".ljust(_COLUMN), " " * _COLUMN)
    yield ""


def _wrap(text: str, first: str, following: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=following,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _describe_outcome(note: ExplainedNote) -> dict[str, object]:
    outcome, described = note.outcome, dict[str, object]()
    if note.policy is not None:
        described |= {"policy": note.policy.name, "sha256": note.policy.sha256}
        described |= {"technique": note.policy.technique}
    if isinstance(outcome, Anonymized):
        risk = outcome.risk
        told = {"level": risk.level, "score": risk.score, "reasons": risk.reasons}
        return {"emitted": True, **described, "risk": told}
    if isinstance(outcome, Failed):
        why = {"reason": outcome.reason, "stage": outcome.stage, "leak": outcome.leak}
        return {"emitted": False, **described, **why}
    return {"emitted": False, **described, "status": NoteStatus.CANCELLED}
