"""Replies in the forms of Presidio's servers, and their schemas."""

from collections.abc import Iterable, Sequence
from typing import Any

from deidstream.models.presidio.entity_spans import EntitySpan
from deidstream.models.presidio.replace_entities import ReplacedText
from deidstream.schemas.span import Span
from deidstream.stream.http.replies import JSON

AD_HOC = "ad-hoc"
"""Recognizer of what a request's own recognizers found."""
FoundEntity = tuple[EntitySpan, Span | None]
"""An entity, and the span that it was found as; ``None``: a recognizer of the request found it."""


def merge_found(
    found: Sequence[tuple[EntitySpan, Span]], extra: Iterable[EntitySpan]
) -> list[FoundEntity]:
    """Put what a request's own recognizers found beside the rest, in the order of the text.

    As in Presidio, of two results of one entity the one within the other is dropped.
    """
    every: list[FoundEntity] = [*found, *((span, None) for span in extra)]
    every.sort(key=lambda each: (each[0].start, -each[0].end, -each[0].score))
    reached: dict[str, int] = {}
    kept: list[FoundEntity] = []
    for span, source in every:
        if span.end > reached.get(span.entity, -1):
            reached[span.entity] = span.end
            kept.append((span, source))
    return kept


def describe_entity(found: FoundEntity, *, explain: bool) -> dict[str, object]:
    """Return an entity in the form of Presidio's RecognizerResult."""
    span, source = found
    return {
        "entity_type": span.entity,
        "start": span.start,
        "end": span.end,
        "score": span.score,
        "analysis_explanation": _explain(span, source) if explain else None,
    }


def _explain(span: EntitySpan, source: Span | None) -> dict[str, object]:
    recognizer, _, rule = (source.source if source else AD_HOC).partition(":")
    label = f"label {source.label}" if source else None
    return {
        "recognizer": recognizer,
        "pattern_name": rule or None,
        "pattern": None,
        "original_score": span.score,
        "score": span.score,
        "textual_explanation": label,
        "score_context_improvement": 0,
        "supportive_context_word": "",
        "validation_result": None,
    }


def describe_replaced(replaced: ReplacedText) -> dict[str, object]:
    """Return a text with replaced entities in the form of Presidio's EngineResult."""
    items = [
        {
            "start": item.start,
            "end": item.end,
            "entity_type": item.entity,
            "text": item.text,
            "operator": item.operator,
        }
        for item in replaced.items
    ]
    return {"text": replaced.text, "items": items}


def _content(schema: dict[str, Any]) -> dict[str, Any]:
    return {"content": {JSON: {"schema": schema}}}


_WHOLE = {"type": "integer", "minimum": 0}
_NULLABLE_TEXT = {"type": ["string", "null"]}
_NUMBER = {"type": "number"}
_EXPLANATION: dict[str, Any] = {
    "type": ["object", "null"],
    "properties": {
        "recognizer": {"type": "string"},
        "pattern_name": _NULLABLE_TEXT,
        "pattern": _NULLABLE_TEXT,
        "original_score": _NUMBER,
        "score": _NUMBER,
        "textual_explanation": _NULLABLE_TEXT,
        "score_context_improvement": _NUMBER,
        "supportive_context_word": {"type": "string"},
        "validation_result": {"type": ["boolean", "null"]},
    },
}
_ENTITY: dict[str, Any] = {
    "type": "object",
    "required": ["entity_type", "start", "end", "score", "analysis_explanation"],
    "properties": {
        "entity_type": {"type": "string"},
        "start": _WHOLE,
        "end": _WHOLE,
        "score": _NUMBER,
        "analysis_explanation": _EXPLANATION,
    },
}
_ENTITIES: dict[str, Any] = {"type": "array", "items": _ENTITY}
ANALYZED = _content({"anyOf": [_ENTITIES, {"type": "array", "items": _ENTITIES}]})
NAMES = _content({"type": "array", "items": {"type": "string"}})
ANONYMIZED = _content(
    {
        "type": "object",
        "required": ["text", "items"],
        "properties": {
            "text": {"type": "string"},
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["start", "end", "entity_type", "text", "operator"],
                    "properties": {
                        "start": _WHOLE,
                        "end": _WHOLE,
                        "entity_type": {"type": "string"},
                        "text": {"type": "string"},
                        "operator": {"type": "string"},
                    },
                },
            },
        },
    }
)
