"""Requests of Presidio's clients; fields that are not known are ignored, as Presidio does."""

import re
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from deidstream.agents.api.bounded_request import BoundedRequest, StopAtMistake
from deidstream.models.presidio.ad_hoc import PATTERN_FLAGS, AdHocRecognizer
from deidstream.models.presidio.entity_spans import EntitySpan

_TEXT = "Dr. Ann Jones saw Mr. John Smith on 03/04/2024."
MOST_RECOGNIZERS, MOST_PATTERNS, MOST_TERMS = 32, 32, 1_000
LONGEST_PATTERN = 1_000
"""Characters of a pattern or a term."""
KNOWN_FLAGS = re.DOTALL | re.MULTILINE | re.IGNORECASE
_Score = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False, strict=True)]
_Expression = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_PATTERN)]
_Texts = Annotated[list[str], StopAtMistake()]
_Entity = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class AdHocPattern(BoundedRequest):
    """A regular expression of a request."""

    model_config = ConfigDict(extra="forbid")
    name: str = ""
    regex: Annotated[_Expression, Field(description="Without look-around and back references.")]
    score: _Score


class AdHocRequest(BaseModel):
    """A recognizer that a request brings with it."""

    name: str = ""
    supported_language: str = "en"
    supported_entity: _Entity
    patterns: Annotated[list[AdHocPattern], Field(max_length=MOST_PATTERNS), StopAtMistake()] = []
    deny_list: Annotated[list[_Expression], Field(max_length=MOST_TERMS), StopAtMistake()] = []
    context: Annotated[_Texts | None, Field(description="Ignored.")] = None

    def recognizer(self) -> AdHocRecognizer:
        """Return the recognizer itself."""
        patterns = tuple((one.regex, one.score) for one in self.patterns)
        return AdHocRecognizer(self.supported_entity, patterns, tuple(self.deny_list))


class AnalyzeRequest(BaseModel):
    """Texts to find entities in."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": _TEXT, "language": "en"}]})
    text: str | _Texts
    language: str
    entities: Annotated[_Texts | None, Field(description="Absent: all.")] = None
    score_threshold: Annotated[float | None, Field(allow_inf_nan=False, strict=True)] = None
    return_decision_process: Annotated[Any, Field(description="Explain each entity.")] = None
    correlation_id: Annotated[Any, Field(description="Ignored.")] = None
    ad_hoc_recognizers: (
        Annotated[list[AdHocRequest], Field(max_length=MOST_RECOGNIZERS), StopAtMistake()] | None
    ) = None
    context: Annotated[_Texts | None, Field(description="Ignored.")] = None
    allow_list: Annotated[list[str], Field(max_length=MOST_TERMS), StopAtMistake()] | None = None
    allow_list_match: Annotated[str, Field(description="exact or regex.")] = "exact"
    regex_flags: Annotated[int, Field(strict=True)] = int(PATTERN_FLAGS)


class AnalyzerResult(BaseModel):
    """An entity as /analyze returns it."""

    start: Annotated[int, Field(ge=0, lt=2**31, strict=True)]
    end: Annotated[int, Field(ge=0, lt=2**31, strict=True)]
    score: _Score
    entity_type: _Entity

    def span(self) -> EntitySpan:
        """Return it as a span."""
        return EntitySpan(self.start, self.end, self.entity_type, self.score)


class AnonymizeRequest(BaseModel):
    """A text whose entities are to be replaced."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": _TEXT,
                    "analyzer_results": [
                        {"start": 4, "end": 13, "score": 0.9, "entity_type": "PERSON"}
                    ],
                    "anonymizers": {"PERSON": {"type": "replace", "new_value": "NAME"}},
                }
            ]
        }
    )
    text: str = ""
    analyzer_results: Annotated[list[AnalyzerResult], StopAtMistake()]
    anonymizers: Annotated[
        Annotated[dict[str, dict[str, Any]], StopAtMistake()] | None,
        Field(description="By entity or DEFAULT: type replace, redact, mask, hash or keep."),
    ] = None
