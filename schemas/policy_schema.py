"""A policy file as JSON Schema (draft 2020-12), for editors that check TOML by one.

Whatever it refuses, the reader refuses. The reader asks for more: that lists can be read, that no
term is both allowed and denied, that thresholds and sections agree with each other.
"""

from collections.abc import Iterable, Mapping

from deidstream.schemas.label import PhiLabel
from deidstream.schemas.policy import (
    Combine,
    OperatorName,
    RecognizerName,
    RedAction,
    RedactStyle,
    Scope,
    Technique,
    Weekday,
)
from deidstream.schemas.policy_limits import BOUNDS, LABELS_OF, THRESHOLD, scopes_of

_Schema = dict[str, object]


def _enum(members: Iterable[str], description: str = "") -> _Schema:
    said: _Schema = {"description": description} if description else {}
    return {"enum": [str(member) for member in members]} | said


def _strings(description: str = "", fewest: int = 0) -> _Schema:
    item: _Schema = {"type": "string", "pattern": r"\S"}
    said: _Schema = {"description": description} if description else {}
    return {"type": "array", "items": item, "minItems": fewest} | said


def _number(bounds: tuple[float, float]) -> _Schema:
    kind = "integer" if isinstance(bounds[0], int) else "number"
    return {"type": kind, "minimum": bounds[0], "maximum": bounds[1]}


def _table(description: str, properties: Mapping[str, _Schema]) -> _Schema:
    return {
        "type": "object",
        "description": description,
        "properties": dict(properties),
        "additionalProperties": False,
    }


def _numbers(section: str) -> dict[str, _Schema]:
    return {key: _number(bounds) for key, bounds in BOUNDS[section].items()}


def _operators(label: PhiLabel) -> list[OperatorName]:
    return [operator for operator in OperatorName if label in LABELS_OF[operator]]


def _scopes(label: PhiLabel) -> list[Scope]:
    return [scope for scope in Scope if scope in scopes_of(label)]


def _by_label(description: str, value: _Schema) -> _Schema:
    return _table(description, dict.fromkeys(map(str, PhiLabel), value))


POLICY: Mapping[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "A deidstream policy",
    **_table(
        "What is done to PHI; one TOML file.",
        {
            "technique": _enum(Technique, "What is done where [operators] says nothing."),
            "recognizers": _strings("Who looks for PHI.", fewest=1)
            | {"items": _enum(RecognizerName), "uniqueItems": True},
            "combine": _enum(Combine, "What counts of all that was found."),
            "redact_style": _enum(RedactStyle, "How redacted text is written."),
            "allow": _strings("Terms that are never PHI."),
            "allow_files": _strings("Lists of such terms, by their path from the policy."),
            "operators": _table(
                "What is done to each label.",
                {str(label): _enum(_operators(label)) for label in PhiLabel},
            ),
            "scopes": _table(
                "Within what one original always has one surrogate.",
                {"default": _enum(Scope)}
                | {str(label): _enum(_scopes(label)) for label in PhiLabel},
            ),
            "ages": _table("What becomes of ages, in years.", _numbers("ages")),
            "dates": _table("How far dates move.", _numbers("dates") | {"weekday": _enum(Weekday)}),
            "kneo": _table("Sentence KNEO.", _numbers("kneo")),
            "risk": _table(
                "Thresholds of the risk level.", _numbers("risk") | {"on_red": _enum(RedAction)}
            ),
            "thresholds": _by_label(
                "Lowest score that a span of the label needs.", _number(THRESHOLD)
            ),
            "deny": _by_label("Terms that always are the label.", _strings()),
            "dictionaries": _by_label("Lists of such terms.", _strings()),
        },
    ),
    "required": ["technique", "recognizers"],
}
"""A mapping for ``schemas/json``."""
