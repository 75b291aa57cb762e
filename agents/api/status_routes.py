"""``/livez``, ``/readyz`` and ``/metrics``, with the bodies of the worker's own port."""

from collections.abc import Mapping
from http import HTTPStatus

import orjson
from fastapi import APIRouter, Request, Response

from deidstream.agents.api.api_clients import ClientRight
from deidstream.agents.api.api_state import StateInUse, require_right
from deidstream.stream.http.admission import client_of
from deidstream.stream.http.replies import JSON
from deidstream.stream.observing import metrics

ROUTER = APIRouter(tags=["Status"])
_VERDICT = {"application/json": {"schema": {"type": "object"}}}
_PLAIN = {"text/plain": {"schema": {"type": "string"}}}


@ROUTER.get(
    "/livez",
    summary="Whether there is progress",
    responses={200: {"content": _VERDICT}, 503: {"description": "None.", "content": _VERDICT}},
)
async def livez(state: StateInUse) -> Response:
    """Answer 200 while notes make progress, or no note waits."""
    return _verdict(state.health.alive(), state.health.describe_life())


@ROUTER.get(
    "/readyz",
    summary="Whether notes would be taken now",
    responses={200: {"content": _VERDICT}, 503: {"description": "No.", "content": _VERDICT}},
)
async def readyz(state: StateInUse) -> Response:
    """Answer 200 once models are loaded and Redis can be reached."""
    return _verdict(state.health.ready(), state.health.describe_readiness())


@ROUTER.get(
    "/metrics", summary="Metrics in Prometheus' text form", responses={200: {"content": _PLAIN}}
)
async def expose(request: Request) -> Response:
    """State the metrics of this process; needs the right `metrics`."""
    require_right(client_of(request.scope), ClientRight.METRICS)
    return Response(metrics.exposition(), media_type="text/plain")


def _verdict(good: bool, body: Mapping[str, object]) -> Response:  # noqa: FBT001 - the answer itself
    status = HTTPStatus.OK if good else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(orjson.dumps(body) + b"\n", status, media_type=JSON)
