"""``/cda``: de-identify one clinical document; it comes back as one, or the reason does."""

import asyncio
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response

from deidstream.agents.api.api_service import TENANT
from deidstream.agents.api.api_state import DeidentifyingClient, ServiceInUse, require_permitted
from deidstream.agents.api.note_replies import describe_outcome
from deidstream.agents.api.note_routes import respond
from deidstream.models.messages.cda.parse_document import read_bytes
from deidstream.schemas.errors import InvalidNote
from deidstream.schemas.outcome import Anonymized, Failed, Outcome

ROUTER = APIRouter(tags=["CDA"])
XML = "application/xml"
_ROUTE = "/cda"
_XML_TYPES = (XML, "text/xml", "application/hl7-v3+xml")
_REPLIES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The document.",
        "content": {XML: {"schema": {"type": "string", "description": "De-identified, in XML."}}},
    },
    422: {
        "description": "It did not pass.",
        "content": {
            "application/json": {
                "schema": {
                    "anyOf": [
                        {"$ref": "#/components/schemas/FailedReply"},
                        {"$ref": "#/components/schemas/ErrorReply"},
                    ]
                }
            }
        },
    },
}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            name: {"schema": {"type": "string", "description": "A document of CDA R2 in XML."}}
            for name in _XML_TYPES
        },
    }
}


@ROUTER.post(
    _ROUTE,
    summary="De-identify one clinical document (CDA R2, C-CDA)",
    response_class=Response,
    responses=_REPLIES,
    openapi_extra=_BODY,
)
async def deidentify_document(
    request: Request,
    service: ServiceInUse,
    client: DeidentifyingClient,
    tenant: Annotated[str, Query(description="Whose keys and policy apply.")] = "default",
    policy: Annotated[str | None, Query(description="A policy that is offered.")] = TENANT,
) -> Response:
    """De-identify a document as the worker does; it is in the character set that it states."""
    require_permitted(client, service, tenant=tenant, policy=policy)
    try:
        record = await asyncio.to_thread(_write_record, await request.body(), tenant)
    except InvalidNote as invalid:
        return _answer(Failed.by(invalid))
    (outcome,) = await service.deidentify([record], route=_ROUTE, policy=policy)
    return _answer(outcome)


def _write_record(body: bytes, tenant: str) -> bytes:
    return orjson.dumps({"document": read_bytes(body), "tenant": tenant})


def _answer(outcome: Outcome) -> Response:
    if isinstance(outcome, Anonymized) and outcome.note.document is not None:
        return Response(outcome.note.document.encode(), media_type=XML)
    return respond([describe_outcome(outcome, replacements=False)], many=False)
