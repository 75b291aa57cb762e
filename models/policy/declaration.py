"""Declares what a policy file may hold: every key with its type, bounds and description.

The JSON Schema for editors and the messages about wrong values are made from this declaration.
"""

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal

from annotated_types import Interval
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Strict,
    ValidationError,
)
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, ErrorDetails, core_schema

from deidstream.models.policy.term_lists import fault
from deidstream.models.policy.toml_lines import TomlMistake, suggest
from deidstream.schemas.kneo_policy import KneoPolicy
from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import (
    LABELS_OF,
    AgePolicy,
    Combine,
    DatePolicy,
    DetectionPolicy,
    DoubtPolicy,
    LanguagePolicy,
    OperatorName,
    Purpose,
    RecognizerName,
    RedactStyle,
    Scope,
    Technique,
    scopes_of,
)
from deidstream.schemas.release_policy import ReleasePolicy
from deidstream.schemas.risk_policy import RiskPolicy
from deidstream.schemas.site_list import SiteList
from deidstream.schemas.site_pattern import SitePattern
from deidstream.schemas.word_policy import WordPolicy

JsonSchema = dict[str, Any]
OWN_LABEL = r"^[A-Z][A-Z0-9_]{0,39}$"
"""How the site's own labels are written: as the 28 are."""
_SITE_NAME = r"^[A-Za-z][A-Za-z0-9_-]{0,39}$"


@dataclass(frozen=True, slots=True)
class LabelTable:
    """Marks a table whose keys are PHI labels, each with a type of value of its own."""

    type_of: Callable[[PhiLabel], Any]
    others: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Types of further keys."""
    of_own: Any = None
    """Type of the site's own labels; ``None``: it has none of them. The reader knows which there
    are."""

    def __get_pydantic_core_schema__(
        self, _source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Declare each label as an optional key."""
        types = dict(self.others) | {str(label): self.type_of(label) for label in PhiLabel}
        fields = {
            key: core_schema.typed_dict_field(handler.generate_schema(kind), required=False)
            for key, kind in types.items()
        }
        if self.of_own is None:
            return core_schema.typed_dict_schema(fields, extra_behavior="forbid")
        further = handler.generate_schema(self.of_own)
        return core_schema.typed_dict_schema(fields, extra_behavior="allow", extras_schema=further)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchema:
        """Say how a label of the site's own is written."""
        made = handler(schema)
        further = made.get("additionalProperties")
        if not further:
            return made
        return made | {"patternProperties": {OWN_LABEL: further}, "additionalProperties": False}


def _operators_of(label: PhiLabel) -> object:
    return Literal[tuple(each for each in OperatorName if label in LABELS_OF[each])]


def _scopes_of(label: PhiLabel) -> object:
    return Literal[tuple(each for each in Scope if each in scopes_of(label))]


def _check_term(term: str) -> str:
    if wrong := fault(term):
        msg = f"a term {wrong}"
        raise ValueError(msg)
    return term


def _check_distinct(names: tuple[RecognizerName, ...]) -> tuple[RecognizerName, ...]:
    if len(set(names)) < len(names):
        msg = "names one of them twice"
        raise ValueError(msg)
    return names


_Filled = Annotated[str, Field(pattern=r"\S")]
_Term = Annotated[_Filled, AfterValidator(_check_term)]
_Name = Annotated[str, Field(pattern=_SITE_NAME)]
_OwnLabel = Annotated[str, Field(pattern=OWN_LABEL)]
_Threshold = Annotated[float, Strict(), Interval(ge=0.0, le=1.0)]


class PolicyFile(BaseModel):
    """How PHI is found and what replaces it: one TOML file."""

    model_config = ConfigDict(
        title="A deidstream policy",
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
        hide_input_in_errors=True,
    )

    technique: Technique
    """Decides the operator of each label that [operators] does not name."""
    recognizers: Annotated[
        tuple[RecognizerName, ...],
        Field(min_length=1, json_schema_extra={"uniqueItems": True}),
        AfterValidator(_check_distinct),
    ]
    """The recognizers that look for PHI."""
    purpose: Purpose = Purpose.READING
    """What the outputs are for; a technique of KNEO needs training."""
    extends: str = ""
    """A shipped policy, or a policy file by its path from this one, whose values count where this
    file has none."""
    combine: Combine = Combine.UNION
    """Which of the spans that were found count."""
    detection: DetectionPolicy = DetectionPolicy()
    """How readily a doubtful word is taken for PHI."""
    doubtful: DoubtPolicy = DoubtPolicy()
    """What becomes of quasi-identifiers that may be no PHI."""
    redact_style: RedactStyle = RedactStyle.LABEL
    """How redacted text is written."""
    allow: tuple[_Term, ...] = ()
    """Terms that are never PHI."""
    allow_files: tuple[_Filled, ...] = ()
    """Files that list such terms, one a line; paths count from the policy."""
    labels: Mapping[_OwnLabel, PhiLabel] = {}
    """Labels of the site's own, each with the label that it is like."""
    operators: Annotated[
        Mapping[str, OperatorName], LabelTable(_operators_of, of_own=OperatorName)
    ] = {}
    """The operator of each label."""
    scopes: Annotated[Mapping[str, Scope], LabelTable(_scopes_of, {"default": Scope})] = {}
    """The scope in which one original always has the same surrogate, by label."""
    ages: AgePolicy = AgePolicy()
    """How ages are replaced, in years."""
    dates: DatePolicy = DatePolicy()
    """How far dates move."""
    kneo: KneoPolicy = KneoPolicy()
    """Exchange of sentences, for techniques kneo-sentences and kneo-notes."""
    words: WordPolicy = WordPolicy()
    """Exchange of words, for technique kneo-words."""
    risk: RiskPolicy = RiskPolicy()
    """What makes the risk level, and what is done with a red note."""
    language: LanguagePolicy = LanguagePolicy()
    """Notes that are not in English."""
    release: ReleasePolicy = ReleasePolicy()
    """What outputs have in common with those of other policies of the key."""
    thresholds: Annotated[Mapping[str, float], LabelTable(lambda _: _Threshold)] = {}
    """Lowest probability of touching PHI that a span of the label needs."""
    deny: Annotated[
        Mapping[str, tuple[str, ...]],
        LabelTable(lambda _: tuple[_Term, ...], of_own=tuple[_Term, ...]),
    ] = {}
    """Terms that always are the label."""
    dictionaries: Annotated[
        Mapping[str, tuple[str, ...]],
        LabelTable(lambda _: tuple[_Filled, ...], of_own=tuple[_Filled, ...]),
    ] = {}
    """Files that list such terms, one a line; paths count from the policy."""
    lists: Mapping[_Name, SiteList] = {}
    """Lists of terms with spelling rules of their own, by name."""
    patterns: Mapping[_Name, SitePattern] = {}
    """Written forms of PHI of the site's own, by name."""


class _PlainSchema(GenerateJsonSchema):
    """Leaves out titles that only repeat the key, and null, which TOML does not have."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401, ARG002
        return False

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchema:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchema:
        made = super().default_schema(schema)
        return {key: value for key, value in made.items() if (key, value) != ("default", None)}


@cache
def policy_schema() -> JsonSchema:
    """Return the JSON Schema (draft 2020-12) of a policy file, for editors.

    What it refuses, the reader refuses. The reader refuses more: lists that cannot be read, terms
    that are both allowed and denied, and values that contradict each other.
    """
    made = PolicyFile.model_json_schema(schema_generator=_PlainSchema)
    # What a file that extends another leaves out is that one's.
    made["if"] = {"not": {"required": ["extends"]}}
    made["then"] = {"required": made.pop("required")}
    return {"$schema": GenerateJsonSchema.schema_dialect} | made


def check_table(table: Mapping[str, Any]) -> tuple[PolicyFile, list[TomlMistake]]:
    """Check a parsed file against the declaration.

    Returns:
        The file and what is wrong with it. What is wrong is left out of the file and has its
        default, so that the rest can still be checked.
    """
    mistakes = dict[TomlMistake, None]()
    while True:
        try:
            # TOML has the types of JSON and dates, and no key of a policy is a date.
            text = json.dumps(table, default=lambda _: None)
            return PolicyFile.model_validate_json(text), list(mistakes)
        except ValidationError as invalid:
            errors = invalid.errors(include_url=False)
            named = {mistake.key for mistake in mistakes}
            found = map(_mistake, errors)
            # What was wrong and left out is not missing.
            mistakes |= dict.fromkeys(one for one in found if one.key not in named)
            required = {"technique": Technique.SURROGATE, "recognizers": ["rules"]}
            repaired = required | _without(table, errors)
            if repaired == table:  # a default is refused, which no file can mend
                raise
            table = repaired


def _without(table: Mapping[str, Any], errors: list[ErrorDetails]) -> dict[str, Any]:
    """Return a copy without the entries that are wrong."""
    if any(not error["loc"] for error in errors):
        return {}
    copy = deepcopy(dict(table))
    for error in reversed(errors):  # so that the numbers of earlier items of a list stay right
        place = error["loc"]
        whole = place[-1] == _NAME_ITSELF or (error["type"] == "missing" and len(place) > 1)
        _delete_entry(copy, place[:-1] if whole else place)
    return copy


def _delete_entry(table: dict[str, Any], place: tuple[int | str, ...]) -> None:
    """Delete an entry, unless it has gone with what held it: a list and its item may both err."""
    *parents, last = place
    inner: Any = table
    for key in parents:
        if isinstance(key, str) and key not in inner:
            return
        inner = inner[key]
    if isinstance(last, int) or last in inner:
        del inner[last]


_NAME_ITSELF = "[key]"
"""Ends the place of a key that is wrong itself."""
_WRITTEN = {
    _SITE_NAME: "must begin with a letter and have letters, digits, - and _ alone, 40 at most",
    OWN_LABEL: "must begin with a capital and have capitals, digits and _ alone, 40 at most",
}
"""How the names that a site gives are written, by their patterns."""
_MESSAGES = {
    "missing": "is required",
    "string_pattern_mismatch": "has an empty item",
    "json_invalid": "is nested too deeply",
}


def _mistake(error: ErrorDetails) -> TomlMistake:
    key = tuple(part for part in error["loc"] if isinstance(part, str))
    kind = error["type"]
    if key[-1:] == (_NAME_ITSELF,):
        return TomlMistake(key[:-1], _WRITTEN[error.get("ctx", {})["pattern"]])
    if kind in _MESSAGES:
        return TomlMistake(key, _MESSAGES[kind])
    if kind == "value_error":
        return TomlMistake(key, str(error.get("ctx", {})["error"]))
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        known = _schema_of(key[:-1])["properties"]
        hint = suggest(key[-1], known)
        return TomlMistake(key, f"unknown key{hint}; there are {', '.join(known)}")
    schema = _schema_of(key)
    hint = suggest(error["input"], _words_of(schema))
    return TomlMistake(key, f"must be {_describe(schema)}{hint}")


def _schema_of(key: tuple[str, ...]) -> JsonSchema:
    inner = policy_schema()
    for part in key:
        inner = _follow_reference(_choose_property(inner, part))
    return inner


def _choose_property(schema: JsonSchema, key: str) -> JsonSchema:
    """Return the schema of a key; keys that the site names itself share one."""
    named = schema.get("properties", {})
    if key in named:
        chosen: JsonSchema = named[key]
        return chosen
    (shared,) = schema["patternProperties"].values()
    of_any: JsonSchema = shared
    return of_any


def _follow_reference(inner: JsonSchema) -> JsonSchema:
    name = inner.get("$ref", "").removeprefix("#/$defs/")
    return policy_schema()["$defs"][name] if name else inner


def _words_of(schema: JsonSchema) -> list[str]:
    """Return the words that a value, or an item of a list, may be; empty if it is no word."""
    words: list[str] = _follow_reference(schema.get("items", schema)).get("enum", [])
    return words


def _describe(schema: JsonSchema) -> str:
    """Describe in words which values a schema allows."""
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if schema["type"] == "object":
        return "a table"
    if schema["type"] == "boolean":
        return "true or false"
    if schema["type"] == "string":
        return "a string"
    if schema["type"] == "array":
        words = _words_of(schema)
        return f"some of {', '.join(words)}" if words else "a list of strings"
    whole = "whole " if schema["type"] == "integer" else ""
    return f"a {whole}number from {schema['minimum']} to {schema['maximum']}"
