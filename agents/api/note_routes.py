"""``/v1``: de-identify notes, find PHI in them, and list the policies that may be chosen."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body, Response

from deidstream.agents.api.api_clients import ClientRight
from deidstream.agents.api.api_service import ApiService
from deidstream.agents.api.api_state import (
    ApiState,
    DeidentifyingClient,
    FindingClient,
    ServiceInUse,
    StateInUse,
    require_right,
)
from deidstream.agents.api.note_replies import (
    Reply,
    describe_failure,
    describe_outcome,
    describe_spans,
)
from deidstream.agents.api.note_requests import (
    DeidentifyMany,
    DeidentifyRequest,
    FindMany,
    FindRequest,
    encode_record,
    notes_of,
    tenant_of,
)
from deidstream.agents.runtime.span_finder import FoundPhi
from deidstream.schemas.errors import Reason, Rejected
from deidstream.stream.http.http_clients import HttpClient
from deidstream.stream.http.replies import JSON, SENTENCES, HttpErrorCode, HttpRefusal
from deidstream.stream.observing import metrics

ROUTER = APIRouter(prefix="/v1", tags=["Notes"])
DEIDENTIFY, FIND = "/v1/deidentify", "/v1/find"
_REF = "#/components/schemas/"


def _reply_schemas(*names: str) -> dict[str, Any]:
    return {"content": {JSON: {"schema": {"anyOf": [{"$ref": f"{_REF}{name}"} for name in names]}}}}


_FAILED = {
    "description": "The request does not fit the schema, or its one note did not pass.",
    **_reply_schemas("FailedReply", "ErrorReply"),
}


@ROUTER.post(
    "/deidentify",
    summary="De-identify one note or several",
    response_description="What each note became.",
    responses={
        200: _reply_schemas("DeidentifyReply", "DeidentifyReplies"),
        422: _FAILED,
    },
)
async def deidentify(
    service: ServiceInUse,
    state: StateInUse,
    client: DeidentifyingClient,
    asked: Annotated[DeidentifyRequest, Body()],
) -> Response:
    """De-identify notes as the worker does.

    The reply has for each note the records that the worker would put on notes.anonymized and
    notes.risk, or the reason for which it would quarantine it. For several notes the status is 200
    whatever becomes of each; for one that does not pass it is 422.
    """
    notes = notes_of(asked)
    if asked.replacements:
        require_right(client, ClientRight.REPLACEMENTS)
    _check(state, service, client, notes, asked.policy)
    values = [encode_record(note) for note in notes]
    outcomes = await service.deidentify(values, route=DEIDENTIFY, policy=asked.policy)
    replies = [describe_outcome(each, replacements=asked.replacements) for each in outcomes]
    return respond(replies, many=isinstance(asked, DeidentifyMany))


@ROUTER.post(
    "/find",
    summary="Find the PHI of one note or several",
    response_description="The spans of each note.",
    responses={200: _reply_schemas("FoundReply", "FindReplies"), 422: _FAILED},
)
async def find(
    service: ServiceInUse,
    state: StateInUse,
    client: FindingClient,
    asked: Annotated[FindRequest, Body()],
) -> Response:
    """Find spans of PHI, and replace nothing."""
    notes = notes_of(asked)
    _check(state, service, client, notes, asked.policy)
    values = [encode_record(note) for note in notes]
    replies = [_describe_found(each) for each in await service.find(values, asked.policy)]
    return respond(replies, many=isinstance(asked, FindMany))


def _describe_found(found: FoundPhi) -> Reply:
    if isinstance(found, Rejected):
        metrics.count("deid_api_notes_total", FIND, "failed")
        return describe_failure(found)
    metrics.count("deid_api_notes_total", FIND, "found")
    return describe_spans(found)


@ROUTER.get(
    "/policies",
    summary="List the policies that a request may choose",
    response_description="The policies.",
    responses={200: _reply_schemas("PolicyList")},
)
async def policies(service: ServiceInUse, state: StateInUse) -> Response:
    """Name the policy of tenants without one of their own, and those a request may choose."""
    choice = service.choice
    others = [name for name in service.batches if name is not None]
    body = {
        "default": choice.default.pipeline.policy.name,
        "otherwise": choice.otherwise,
        "policies": [
            {"name": name, "sha256": choice.runtimes[name].pipeline.policy.sha256}
            for name in others
        ],
        "store": state.settings.api.store,
        "key_version": choice.default.stamp.key_version,
    }
    return Response(orjson.dumps(body), media_type=JSON)


POLICY_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "description": "The policies in force.",
    "required": ["default", "otherwise", "policies", "store", "key_version"],
    "properties": {
        "default": {"type": "string", "description": "Policy of the settings."},
        "otherwise": {
            "type": "string",
            "description": "Policy of tenants without one of their own; refuse: they have none.",
        },
        "policies": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "sha256"],
                "properties": {
                    "name": {"type": "string", "description": "As a request names it."},
                    "sha256": {"type": "string", "description": "Digest of its file."},
                },
            },
        },
        "store": {
            "enum": ["redis", "memory"],
            "description": "memory: surrogates are forgotten when the process ends.",
        },
        "key_version": {"type": "integer", "description": "Version of the root key."},
    },
}


def _check(
    state: ApiState,
    service: ApiService,
    client: HttpClient,
    notes: Sequence[Mapping[str, Any]],
    policy: str | None,
) -> None:
    """Refuse a request as a whole.

    Raises:
        HttpRefusal: It has too many notes, or a policy or tenant that is not the client's.
    """
    if len(notes) > state.settings.api.notes:
        status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
        raise HttpRefusal(status, HttpErrorCode.TOO_MANY_NOTES)
    if not service.offers(policy):
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.POLICY_NOT_OFFERED)
    if not all(_may_send(client, note) for note in notes):
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)


def _may_send(client: HttpClient, note: Mapping[str, Any]) -> bool:
    tenant = tenant_of(note)
    return client.tenants is None or not isinstance(tenant, str) or tenant in client.tenants


def respond(replies: Sequence[Reply], *, many: bool) -> Response:
    """Return the reply about one note, or the results of several; one that failed alone is 422."""
    if many:
        return Response(orjson.dumps({"results": replies}), media_type=JSON)
    (reply,) = replies
    if reply["status"] != "failed":
        return Response(orjson.dumps(reply), media_type=JSON)
    sentence = SENTENCES[HttpErrorCode.NOTE_FAILED].format(reason=Reason(str(reply["reason"])))
    stated = {"error": sentence, "code": HttpErrorCode.NOTE_FAILED}
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    return Response(orjson.dumps(reply | stated), status, media_type=JSON)
