"""``/fhir``: de-identify one FHIR resource; errors are resources too, and quote nothing."""

import asyncio
from http import HTTPStatus
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response

from deidstream.agents.api.api_service import TENANT
from deidstream.agents.api.api_state import (
    DeidentifyingClient,
    ServiceInUse,
    require_permitted,
    state_of,
)
from deidstream.agents.api.fhir_requests import FhirRequest
from deidstream.schemas.errors import InvalidNote, Reason, Rejected
from deidstream.schemas.json_schema import resource
from deidstream.schemas.outcome import Failed, Outcome
from deidstream.stream.http.replies import JSON, HttpErrorCode, HttpRefusal

ROUTER = APIRouter(tags=["FHIR"])
FHIR_JSON = "application/fhir+json"
_ROUTE = "/fhir"
_CODES = {
    Reason.UNSUPPORTED_RESOURCE: "not-supported",
    Reason.SEVERAL_PATIENTS: "not-supported",
    Reason.REWRITTEN_RESOURCE: "not-supported",
    Reason.TOO_LARGE: "too-long",
    Reason.OUTPUT_TOO_LARGE: "too-long",
    Reason.TOO_SLOW: "too-costly",
    Reason.MISSING_FIELD: "required",
}
"""Issue types of FHIR (R4, value set issue-type) by reason; any other reason is ``processing``."""
_ADVICE = {
    Reason.SEVERAL_PATIENTS: "an entry is about several patients: send what it holds one by one",
    Reason.UNSUPPORTED_RESOURCE: "docs/fhir.md lists the types that are read",
    Reason.REWRITTEN_RESOURCE: "choose a policy that does not exchange sentences (?policy=)",
}
_OUTCOME = {
    "type": "object",
    "description": "An OperationOutcome; its issue has the reason, nothing of the request.",
    "required": ["resourceType", "issue"],
    "properties": {"resourceType": {"const": "OperationOutcome"}, "issue": {"type": "array"}},
}
_RESOURCE = resource("The de-identified resource, or an OperationOutcome where it was taken back.")
_REPLIES: dict[int | str, dict[str, Any]] = {
    200: {"description": "The resource.", "content": {FHIR_JSON: {"schema": _RESOURCE}}},
    422: {
        "description": "It did not pass.",
        "content": {
            FHIR_JSON: {"schema": _OUTCOME},
            JSON: {"schema": {"$ref": "#/components/schemas/ErrorReply"}},
        },
    },
}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            name: {"schema": resource("A resource of R4 or R5.")} for name in (FHIR_JSON, JSON)
        },
    }
}


@ROUTER.post(
    _ROUTE,
    summary="De-identify one FHIR resource",
    response_class=Response,
    responses=_REPLIES,
    openapi_extra=_BODY,
)
async def deidentify_resource(
    request: Request,
    service: ServiceInUse,
    client: DeidentifyingClient,
    tenant: Annotated[str, Query(description="Whose keys and policy apply.")] = "default",
    policy: Annotated[str | None, Query(description="A policy that is offered.")] = TENANT,
) -> Response:
    """De-identify a resource as the worker does.

    A Bundle of several patients is taken apart by patient, and answered in its order.
    """
    require_permitted(client, service, tenant=tenant, policy=policy)
    try:
        asked = await asyncio.to_thread(FhirRequest.read, await request.body(), tenant)
    except InvalidNote as invalid:
        return _answer(Failed.by(invalid))
    if len(asked.parts) > state_of(request).settings.api.notes:
        raise HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HttpErrorCode.TOO_MANY_NOTES)
    outcomes = await service.deidentify(asked.records, route=_ROUTE, policy=policy)
    return _answer(await asyncio.to_thread(asked.join, outcomes))


def _answer(made: bytes | Outcome) -> Response:
    if isinstance(made, bytes):
        return Response(made, media_type=FHIR_JSON)
    if isinstance(made, Failed):
        body = describe_issue(made)
        return Response(body, HTTPStatus.UNPROCESSABLE_ENTITY, media_type=FHIR_JSON)
    return Response(_write_issue("information", "deleted", "RETRACTED"), media_type=FHIR_JSON)


def describe_issue(failed: Failed | Rejected) -> bytes:
    """Return the OperationOutcome of a resource that did not pass: codes alone."""
    fault = failed.fault if isinstance(failed, Failed) else None
    words = " ".join(filter(None, (failed.reason, fault)))
    diagnostics = "; ".join(filter(None, (f"stage {failed.stage}", _ADVICE.get(failed.reason))))
    return _write_issue("error", _CODES.get(failed.reason, "processing"), words, diagnostics)


def _write_issue(severity: str, code: str, words: str, diagnostics: str = "") -> bytes:
    issue: dict[str, object] = {"severity": severity, "code": code, "details": {"text": words}}
    issue |= {"diagnostics": diagnostics} if diagnostics else {}
    return orjson.dumps({"resourceType": "OperationOutcome", "issue": [issue]})
