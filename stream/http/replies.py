"""Replies of errors: a sentence of ours and a code, never anything of the request."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from typing import Any, Self, cast

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

JSON = "application/json"
CLIENT_GONE = 499
"""Status, in log and metrics alone, of a request whose client was gone before all of it came."""


class HttpErrorCode(StrEnum):
    """Why a request as a whole failed: a closed list."""

    NOT_FOUND = "NOT_FOUND"
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    UNREADABLE = "UNREADABLE"
    """The body is not JSON, or not of the content type that it says."""
    NOT_JSON = "NOT_JSON"
    """The body does not say that it is JSON."""
    INVALID_REQUEST = "INVALID_REQUEST"
    """The body does not fit the schema; ``fields`` says where."""
    NO_TOKEN = "NO_TOKEN"  # noqa: S105 - a code
    """No token, or none that is known."""
    OTHER_HOST = "OTHER_HOST"
    """The request was sent to another name than this server's."""
    NOT_PERMITTED = "NOT_PERMITTED"
    """The client may not do that."""
    BODY_TOO_LARGE = "BODY_TOO_LARGE"
    CLIENT_BUSY = "CLIENT_BUSY"
    """The client has as many requests in work as it may have."""
    SERVER_BUSY = "SERVER_BUSY"
    """The server has as many requests in work as it may have."""
    STARTING = "STARTING"
    """Models load."""
    STOPPING = "STOPPING"
    UNAVAILABLE = "UNAVAILABLE"
    """A service that is needed cannot be reached."""
    TIMEOUT = "TIMEOUT"
    INTERNAL = "INTERNAL"
    TOO_MANY_NOTES = "TOO_MANY_NOTES"
    POLICY_NOT_OFFERED = "POLICY_NOT_OFFERED"
    """No request may name this policy."""
    NOTE_FAILED = "NOTE_FAILED"
    """The one note of the request did not pass."""
    NOT_OFFERED = "NOT_OFFERED"
    """A function that this server does not have."""


SENTENCES: Mapping[HttpErrorCode, str] = {
    HttpErrorCode.NOT_FOUND: "There is nothing at this address.",
    HttpErrorCode.METHOD_NOT_ALLOWED: "This address does not take this method.",
    HttpErrorCode.UNREADABLE: "The body cannot be read as JSON.",
    HttpErrorCode.NOT_JSON: "Send the body as JSON, with Content-Type: application/json.",
    HttpErrorCode.INVALID_REQUEST: "The request does not fit the schema.",
    HttpErrorCode.NO_TOKEN: "A known token is needed: Authorization: Bearer TOKEN.",
    HttpErrorCode.OTHER_HOST: "Without a token this server answers to names of its machine alone.",
    HttpErrorCode.NOT_PERMITTED: "This client may not do that.",
    HttpErrorCode.BODY_TOO_LARGE: "The body is larger than this server takes.",
    HttpErrorCode.CLIENT_BUSY: "This client has too many requests in work; try again later.",
    HttpErrorCode.SERVER_BUSY: "The server has too many requests in work; try again later.",
    HttpErrorCode.STARTING: "The models are loading; try again later.",
    HttpErrorCode.STOPPING: "The server is stopping; try again at another one.",
    HttpErrorCode.UNAVAILABLE: "A service that is needed cannot be reached; try again later.",
    HttpErrorCode.TIMEOUT: "The request took longer than this server waits.",
    HttpErrorCode.INTERNAL: "Something is wrong here; the server's log says where.",
    HttpErrorCode.TOO_MANY_NOTES: "The request has more notes than this server takes at once.",
    HttpErrorCode.POLICY_NOT_OFFERED: "The request names a policy that this server does not offer.",
    HttpErrorCode.NOTE_FAILED: "The note did not pass: {reason}.",
    HttpErrorCode.NOT_OFFERED: "This server does not offer that.",
}
ERROR_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "description": "Why a request failed; nothing of the request is in it.",
    "required": ["error", "code"],
    "properties": {
        "error": {"type": "string", "description": "A sentence for people."},
        "code": {"enum": [str(code) for code in HttpErrorCode], "description": "For programs."},
        "fields": {
            "type": "array",
            "description": "What does not fit the schema.",
            "items": {
                "type": "object",
                "required": ["place", "problem"],
                "properties": {
                    "place": {
                        "type": "string",
                        "description": "Names of the schema and numbers; ? for any other name.",
                    },
                    "problem": {"type": "string", "description": "Such as missing."},
                },
            },
        },
    },
}
"""The form of every error in an OpenAPI document."""
_OF_STATUS = {
    HTTPStatus.BAD_REQUEST: HttpErrorCode.UNREADABLE,
    HTTPStatus.NOT_FOUND: HttpErrorCode.NOT_FOUND,
    HTTPStatus.METHOD_NOT_ALLOWED: HttpErrorCode.METHOD_NOT_ALLOWED,
}


class HttpRefusal(Exception):
    """A request is refused; raised by a route, answered by a handler of ``answer_errors``."""

    def __init__(
        self, status: HTTPStatus, code: HttpErrorCode, *, retry_after: int | None = None
    ) -> None:
        """Name status and code; the sentence is that of the code.

        Args:
            status: The HTTP status.
            code: Why.
            retry_after: Seconds after which to try again.
        """
        super().__init__(code)
        self.status = status
        self.code = code
        self.retry_after = retry_after


def error_body(code: HttpErrorCode, fields: Sequence[Mapping[str, str]] = ()) -> bytes:
    """Return the body of an error: a sentence, a code, and which fields are wrong."""
    body: dict[str, object] = {"error": SENTENCES[code], "code": code}
    return orjson.dumps(body | ({"fields": fields} if fields else {}))


def error_response(
    status: HTTPStatus,
    code: HttpErrorCode,
    *,
    fields: Sequence[Mapping[str, str]] = (),
    retry_after: int | None = None,
) -> Response:
    """Return the reply of an error."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(error_body(code, fields), status, headers, JSON)


async def send_error(
    scope: Scope,
    receive: Receive,
    send: Send,
    status: HTTPStatus,
    code: HttpErrorCode,
    *,
    retry_after: int | None = None,
) -> None:
    """Answer a request with an error, below any framework."""
    await error_response(status, code, retry_after=retry_after)(scope, receive, send)


def answer_errors(app: FastAPI) -> None:
    """Let an app answer errors with the bodies of this module, which echo nothing.

    FastAPI's own body of a validation error holds the input, and its places may hold keys of it:
    here a place has numbers and names of the schema, and any other name is shown as ``?``. The
    form of several that a request was taken for is left out: its sender has not written it.
    """
    schema: _SchemaNames | None = None

    async def invalid(request: Request, error: Exception) -> Response:
        nonlocal schema
        schema = schema or _SchemaNames.of(app.openapi())
        return _answer_invalid(request, cast("RequestValidationError", error), schema)

    async def refused(_request: Request, error: Exception) -> Response:
        refusal = cast("HttpRefusal", error)
        return error_response(refusal.status, refusal.code, retry_after=refusal.retry_after)

    async def failed(_request: Request, error: Exception) -> Response:
        raised = cast("HTTPException", error)
        status = HTTPStatus(raised.status_code)
        code = _OF_STATUS.get(status, HttpErrorCode.UNREADABLE)
        response = error_response(status, code)
        if "Allow" in (raised.headers or {}):
            response.headers["Allow"] = (raised.headers or {})["Allow"]
        return response

    async def broken(_request: Request, _error: Exception) -> Response:
        return error_response(HTTPStatus.INTERNAL_SERVER_ERROR, HttpErrorCode.INTERNAL)

    app.add_exception_handler(Exception, broken)
    app.add_exception_handler(ClientDisconnect, _answer_nobody)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HttpRefusal, refused)
    app.add_exception_handler(HTTPException, failed)


async def _answer_nobody(_request: Request, _error: Exception) -> Response:
    return Response(status_code=CLIENT_GONE)


MOST_MISTAKES = 20
"""Fields that a reply names."""


def _says_json(request: Request) -> bool:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == JSON or (kind.startswith("application/") and kind.endswith("+json"))


@dataclass(frozen=True, slots=True)
class _SchemaNames:
    """What a document of OpenAPI declares."""

    names: Collection[str]
    """Of properties and parameters."""
    forms: Collection[str]
    """Of whole bodies."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Self:
        return cls(_list_names(document), set(document.get("components", {}).get("schemas", {})))


def _answer_invalid(
    request: Request, error: RequestValidationError, schema: _SchemaNames
) -> Response:
    mistakes = error.errors()
    if mistakes[0]["loc"][0] == "body" and not _says_json(request):
        return error_response(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, HttpErrorCode.NOT_JSON)
    if any(mistake["type"] == "json_invalid" for mistake in mistakes):
        return error_response(HTTPStatus.BAD_REQUEST, HttpErrorCode.UNREADABLE)
    fields = [_describe(mistake, schema) for mistake in mistakes[:MOST_MISTAKES]]
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    return error_response(status, HttpErrorCode.INVALID_REQUEST, fields=fields)


def _describe(mistake: Mapping[str, Any], schema: _SchemaNames) -> dict[str, str]:
    parts = [_name_part(part, schema.names) for part in mistake["loc"] if part not in schema.forms]
    return {"place": ".".join(parts), "problem": str(mistake["type"])}


def _name_part(part: object, names: Collection[str]) -> str:
    if isinstance(part, int) or part in names:
        return str(part)
    return "?"


def _list_names(schema: object) -> set[str]:
    """List the names of all properties and parameters that a document of OpenAPI declares."""
    if isinstance(schema, list):
        return {name for item in cast("list[object]", schema) for name in _list_names(item)}
    if not isinstance(schema, dict):
        return set()
    table = cast("dict[str, object]", schema)
    properties = table.get("properties")
    found = set(cast("dict[str, object]", properties)) if isinstance(properties, dict) else set()
    if isinstance(table.get("in"), str) and isinstance(table.get("name"), str):
        found |= {str(table["in"]), str(table["name"])}
    return found.union({"body"}, *(_list_names(value) for value in table.values()))
