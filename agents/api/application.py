"""Make the app of the interface: its routes, its errors, and the document that describes it."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, FastAPI

from deidstream.agents.api import docs_page, note_routes, status_routes
from deidstream.agents.api.api_state import ApiState
from deidstream.agents.api.note_replies import NOTE_SCHEMAS
from deidstream.stream.http.replies import ERROR_SCHEMA, JSON, answer_errors
from deidstream.stream.observing.health import PROBE_PATHS

DESCRIPTION = """\
De-identification of clinical notes on request, by the pipeline, the policies and the surrogates of
the worker. A note that does not pass every stage comes back as a reason, without text. No error
holds anything of a request.
"""
_REF = "#/components/schemas/ErrorReply"
_COMMON_ERRORS = {
    "400": "The body cannot be read.",
    "401": "No known token.",
    "403": "The client may not do that.",
    "413": "The body is too large, or has too many notes.",
    "415": "The body does not say that it is JSON.",
    "422": "The request does not fit the schema.",
    "429": "This client has too many requests in work.",
    "500": "A fault of the server.",
    "503": "Too many requests in work, models load, or Redis cannot be reached.",
    "504": "The request took too long.",
}
"""Errors of every route that needs a token."""
OPEN_PATHS = PROBE_PATHS | {"/health"} | docs_page.DOCS_PATHS
"""Routes that need no token."""


def make_app(state: ApiState, routers: Iterable[APIRouter] = ()) -> FastAPI:
    """Make the app; wrap it with ``stream.http.protection.protect`` before it is served.

    Args:
        state: What its routes share; the service may be added later.
        routers: Routes beside ``/v1`` and the status.
    """
    app = FastAPI(
        title="deidstream",
        summary="De-identification of clinical notes",
        description=DESCRIPTION,
        version=version("deidstream"),
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        separate_input_output_schemas=False,
    )
    app.state.api = state
    answer_errors(app)
    for router in (note_routes.ROUTER, *routers, status_routes.ROUTER, docs_page.ROUTER):
        app.include_router(router)
    make_document = app.openapi

    def describe() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _complete(make_document())
        return app.openapi_schema

    app.openapi = describe  # type: ignore[method-assign]  # as FastAPI documents it
    return app


def _complete(document: dict[str, Any]) -> dict[str, Any]:
    """Add what FastAPI cannot know: replies that are bytes, errors of all routes, the token."""
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for generated in ("HTTPValidationError", "ValidationError"):
        schemas.pop(generated, None)
    schemas |= {**NOTE_SCHEMAS, "PolicyList": note_routes.POLICY_SCHEMA, "ErrorReply": ERROR_SCHEMA}
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    for path, operations in document["paths"].items():
        for operation in operations.values():
            if path in OPEN_PATHS:
                operation["security"] = []
            else:
                _add_errors(operation["responses"], has_body="requestBody" in operation)
    return document


def _add_errors(responses: dict[str, Any], *, has_body: bool) -> None:
    for status, description in _COMMON_ERRORS.items():
        declared = responses.get(status, {})
        generated = "HTTPValidationError" in str(declared)
        if status in {"415", "422"} and not has_body and not declared:
            continue
        if not declared or generated:
            content = {JSON: {"schema": {"$ref": _REF}}}
            responses[status] = {"description": description, "content": content}
    for status in ("429", "503"):
        seconds = {
            "description": "Seconds after which to try again.",
            "schema": {"type": "integer"},
        }
        responses[status]["headers"] = {"Retry-After": seconds}
