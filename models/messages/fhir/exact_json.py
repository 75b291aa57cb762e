"""Read and write JSON whose numbers keep their digits: ``1.50`` stays ``1.50``.

Source: FHIR R4, section 2.24.0.1: the precision of a decimal has a meaning.
"""

import json
from dataclasses import dataclass
from typing import cast

import orjson

from deidstream.schemas.errors import InvalidNote, Reason

Json = object
"""``None``, a bool, a string, a ``JsonNumber``, a list or a dict of them."""
DEEPEST = 60
"""Levels of lists and objects."""


@dataclass(frozen=True, slots=True)
class JsonNumber:
    """A number as it is written."""

    text: str


def parse_exactly(value: str | bytes) -> Json:
    """Parse JSON that ``orjson`` has read before; of equal keys the last counts.

    Raises:
        InvalidNote: It is nested too deeply.
    """
    try:
        parsed: Json = json.loads(value, parse_float=JsonNumber, parse_int=JsonNumber)
    except RecursionError:
        raise InvalidNote(Reason.BAD_JSON) from None
    if _is_deep(parsed, DEEPEST):
        raise InvalidNote(Reason.BAD_JSON)
    return parsed


def write_exactly(value: Json) -> bytes:
    """Write JSON without blanks."""
    return orjson.dumps(value, default=_write_number, option=orjson.OPT_PASSTHROUGH_DATACLASS)


def _write_number(value: object) -> orjson.Fragment:
    if isinstance(value, JsonNumber):
        return orjson.Fragment(value.text)
    raise TypeError


def _is_deep(value: Json, levels: int) -> bool:
    if isinstance(value, dict):
        inner = list(cast("dict[str, Json]", value).values())
    elif isinstance(value, list):
        inner = cast("list[Json]", value)
    else:
        return False
    return levels == 0 or any(_is_deep(each, levels - 1) for each in inner)
