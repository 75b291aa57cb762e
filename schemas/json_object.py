"""Parse the bytes of a message that is one JSON object."""

import codecs
import json
from collections.abc import Mapping
from typing import cast

import orjson

from deidstream.schemas.errors import InvalidNote, Reason

Fields = Mapping[str, object]


def parse_object(value: bytes, *, limit_bytes: int) -> Fields:
    """Parse a message that is one JSON object.

    Args:
        value: The bytes of the message.
        limit_bytes: Longest value that is read.

    Raises:
        InvalidNote: It is not one; the reason says why and quotes nothing of it.
    """
    if len(value) > limit_bytes:
        raise InvalidNote(Reason.TOO_LARGE)
    # Some senders begin each file, or each message, with a byte order mark.
    body = value.removeprefix(codecs.BOM_UTF8)
    skipped = len(value) - len(body)
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise InvalidNote(Reason.BAD_UTF8, position=skipped + error.start) from None
    try:
        parsed: object = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        position = skipped + len(text[: error.pos].encode())
        raise InvalidNote(_why_unreadable(text), position=position) from None
    if not isinstance(parsed, dict):
        raise InvalidNote(Reason.BAD_JSON, position=0)
    return cast("Fields", parsed)


def _why_unreadable(text: str) -> Reason:
    # orjson refuses lone surrogates as it refuses bad syntax; the stricter name helps the sender.
    try:
        parsed: object = json.loads(text, parse_constant=_refuse_constant)
        json.dumps(parsed, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return Reason.BAD_UNICODE
    except (ValueError, RecursionError):
        return Reason.BAD_JSON
    return Reason.BAD_JSON


def _refuse_constant(_name: str) -> None:
    raise ValueError
