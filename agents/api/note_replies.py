"""Replies about notes, and their schemas: the records of the topics, or a reason."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from deidstream.schemas.contracts import CONTRACTS
from deidstream.schemas.errors import NoteField, Reason, Rejected, Stage
from deidstream.schemas.outcome import Anonymized, Failed, Outcome, Retracted
from deidstream.schemas.span import Span
from deidstream.schemas.wire import (
    encode_anonymized,
    encode_retraction,
    encode_risk,
    encode_span,
    list_replacements,
)

Reply = dict[str, object]


def describe_outcome(outcome: Outcome, *, replacements: bool) -> Reply:
    """Return the reply about one note.

    Args:
        outcome: What the note became.
        replacements: Whether to state what was replaced, which marks the surrogates.
    """
    if isinstance(outcome, Failed):
        return describe_failure(outcome)
    if isinstance(outcome, Retracted):
        return {"status": "retracted", "note": orjson.Fragment(encode_retraction(outcome))}
    return _describe_anonymized(outcome) | (
        {"replacements": list_replacements(outcome.note)} if replacements else {}
    )


def _describe_anonymized(outcome: Anonymized) -> Reply:
    # Fragments are bytes of JSON that are copied as they are: the records of the topics.
    return {
        "status": "anonymized",
        "note": orjson.Fragment(encode_anonymized(outcome.note)),
        "risk": orjson.Fragment(encode_risk(outcome)),
    }


def describe_failure(failed: Failed | Rejected) -> Reply:
    """Return why a note failed: codes and a place, never its text."""
    places = {"field": failed.field, "position": failed.position}
    stated = {name: place for name, place in places.items() if place is not None}
    return {"status": "failed", "reason": failed.reason, "stage": failed.stage, **stated}


def describe_spans(spans: Sequence[Span]) -> Reply:
    """Return the PHI that was found in a note."""
    return {"status": "found", "spans": list(map(encode_span, spans))}


def _object(description: str, required: Mapping[str, object], **optional: object) -> dict[str, Any]:
    return {
        "type": "object",
        "description": description,
        "required": list(required),
        "properties": {**required, **optional},
    }


def _without_dialect(contract: Mapping[str, object]) -> dict[str, Any]:
    return {name: part for name, part in contract.items() if name != "$schema"}


def _audit_item() -> dict[str, Any]:
    audit: Any = CONTRACTS["notes.audit"]
    replacement: dict[str, Any] = audit["properties"]["replacements"]["items"]
    return replacement


def _span_item() -> dict[str, Any]:
    replacement = _audit_item()["properties"]
    names = ("start", "end", "label", "score", "source")
    parts = {name: replacement[name] for name in names}
    said = "A span of PHI, in code points of the note's text."
    return _object(said, parts, like=replacement["like"])


def _enum(members: type[Reason | Stage | NoteField]) -> dict[str, Any]:
    return {"type": "string", "enum": [str(member) for member in members]}


_REF = "#/components/schemas/"
NOTE_SCHEMAS: Mapping[str, dict[str, Any]] = {
    "AnonymizedRecord": _without_dialect(CONTRACTS["notes.anonymized"]),
    "RiskRecord": _without_dialect(CONTRACTS["notes.risk"]),
    "Replacement": {"description": "A span of PHI and its replacement.", **_audit_item()},
    "FoundSpan": _span_item(),
    "AnonymizedReply": _object(
        "The note passed every stage.",
        {
            "status": {"const": "anonymized"},
            "note": {"$ref": f"{_REF}AnonymizedRecord"},
            "risk": {"$ref": f"{_REF}RiskRecord"},
        },
        replacements={"type": "array", "items": {"$ref": f"{_REF}Replacement"}},
    ),
    "RetractedReply": _object(
        "The note was cancelled: readers delete what they have of it.",
        {"status": {"const": "retracted"}, "note": {"$ref": f"{_REF}AnonymizedRecord"}},
    ),
    "FailedReply": _object(
        "The note did not pass, and nothing of it leaves.",
        {"status": {"const": "failed"}, "reason": _enum(Reason), "stage": _enum(Stage)},
        field=_enum(NoteField),
        position={"type": "integer", "minimum": 0, "description": "Byte at which reading ended."},
        code={"const": "NOTE_FAILED"},
        error={"type": "string", "description": "The reason as a sentence."},
    ),
    "FoundReply": _object(
        "The PHI of the note, in the order of the text.",
        {
            "status": {"const": "found"},
            "spans": {"type": "array", "items": {"$ref": f"{_REF}FoundSpan"}},
        },
    ),
    "DeidentifyReply": {
        "description": "What the one note became.",
        "oneOf": [{"$ref": f"{_REF}{name}"} for name in ("AnonymizedReply", "RetractedReply")],
    },
    "DeidentifyReplies": _object(
        "One result a note, in the order of the notes.",
        {
            "results": {
                "type": "array",
                "items": {
                    "oneOf": [
                        {"$ref": f"{_REF}{name}"}
                        for name in ("AnonymizedReply", "RetractedReply", "FailedReply")
                    ]
                },
            }
        },
    ),
    "FindReplies": _object(
        "One result a note, in the order of the notes.",
        {
            "results": {
                "type": "array",
                "items": {
                    "oneOf": [{"$ref": f"{_REF}{name}"} for name in ("FoundReply", "FailedReply")]
                },
            }
        },
    ),
}
"""Schemas of replies, by their names in the OpenAPI document."""
