"""The endpoints of Presidio's two servers, in their forms (docs/api.md, ADR 51)."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body, Query, Response

from deidstream.agents.api.api_service import ApiService
from deidstream.agents.api.api_state import FindingClient, ServiceInUse, StateInUse
from deidstream.agents.api.note_requests import DEFAULT_TENANT, encode_record
from deidstream.agents.api.presidio_operators import (
    OFFERED,
    CustomOperator,
    WrongOperator,
    read_operators,
)
from deidstream.agents.api.presidio_replies import (
    ANALYZED,
    ANONYMIZED,
    NAMES,
    FoundEntity,
    describe_entity,
    describe_replaced,
    merge_found,
)
from deidstream.agents.api.presidio_requests import (
    KNOWN_FLAGS,
    AnalyzeRequest,
    AnonymizeRequest,
)
from deidstream.agents.runtime.guards.note_limits import NoteLimits
from deidstream.models.presidio.ad_hoc import (
    TooManyFound,
    UnusablePattern,
    compile_pattern,
    find_ad_hoc,
)
from deidstream.models.presidio.entity_names import SUPPORTED, name_entity
from deidstream.models.presidio.entity_spans import EntitySpan
from deidstream.models.presidio.replace_entities import ReplacedTextTooLong, replace_entities
from deidstream.models.time_budget import TimeBudget, within_time
from deidstream.schemas.errors import OutOfTime, Reason, Rejected
from deidstream.schemas.span import Span
from deidstream.stream.http.http_clients import HttpClient
from deidstream.stream.http.replies import JSON, HttpErrorCode, HttpRefusal, error_response
from deidstream.stream.lanes.lane import LimitedLane
from deidstream.stream.observing import metrics

ROUTER = APIRouter(tags=["Presidio"])
ENGLISH = "en"
NO_TEXT = "No text provided"
NO_MATCH = "No matching recognizers were found to serve the request."
_OUTSIDE = "Invalid analyzer result: start and end must lie within the text, in this order."
_PATTERN = "A pattern cannot be used here: look-around and back references are not offered."
_TOO_MANY = "The recognizers of the request find too much in one text."
_TOO_SLOW = "The recognizers of the request take too long."
_TOO_LONG = "The text with its entities replaced would be longer than this server returns."
_HALF = "Half of a surrogate pair is not a character."
_ANALYZE = "/analyze"
Language = Annotated[str | None, Query(description="en, or absent.")]


class _Refusal(Exception):
    """A request is refused with a sentence of Presidio's."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence

    def response(self) -> Response:
        body = {"error": self.sentence, "code": HttpErrorCode.INVALID_REQUEST}
        return Response(orjson.dumps(body), self.status, media_type=JSON)


@ROUTER.post(_ANALYZE, summary="Find entities", responses={200: ANALYZED})
async def analyze(
    service: ServiceInUse,
    state: StateInUse,
    client: FindingClient,
    asked: Annotated[AnalyzeRequest, Body()],
) -> Response:
    """Find the PHI of a text, or of several, under the names that Presidio gives to entities.

    The policy is that of the client's one tenant, or of the tenant `default`.
    """
    texts = asked.text if isinstance(asked.text, list) else [asked.text]
    if len(texts) > state.settings.api.notes:
        raise HttpRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HttpErrorCode.TOO_MANY_NOTES)
    try:
        _check_analyze(asked)
        found = await _find(service, texts, _tenant_of(client))
        limits = NoteLimits.read(state.settings.worker)
        results = [
            await _complete(service, limits, text, spans, asked)
            for text, spans in zip(texts, found, strict=True)
        ]
    except _Refusal as refusal:
        return refusal.response()
    body: object = results if isinstance(asked.text, list) else results[0]
    return Response(orjson.dumps(body, option=orjson.OPT_SORT_KEYS), media_type=JSON)


@ROUTER.get("/recognizers", summary="List the recognizers", responses={200: NAMES})
async def recognizers(
    service: ServiceInUse, _client: FindingClient, language: Language = None
) -> Response:
    """List the recognizers of the policy in force."""
    if language not in {None, ENGLISH}:
        return _Refusal(HTTPStatus.BAD_REQUEST, NO_MATCH).response()
    return Response(orjson.dumps(service.choice.default.stamp.recognizers), media_type=JSON)


@ROUTER.get("/supportedentities", summary="List the entities", responses={200: NAMES})
async def supported_entities(_client: FindingClient, language: Language = None) -> Response:
    """List the entities that /analyze may return."""
    if language not in {None, ENGLISH}:
        return _Refusal(HTTPStatus.BAD_REQUEST, NO_MATCH).response()
    return Response(orjson.dumps(SUPPORTED), media_type=JSON)


@ROUTER.post("/anonymize", summary="Replace entities", responses={200: ANONYMIZED})
async def anonymize(
    service: ServiceInUse,
    state: StateInUse,
    _client: FindingClient,
    asked: Annotated[AnonymizeRequest, Body()],
) -> Response:
    """Replace the entities that a request names, by the operators that it names.

    Nothing is verified: a name that the request does not state stays. POST /v1/deidentify is what
    de-identifies notes.
    """
    try:
        operators = read_operators(asked.anonymizers)
    except CustomOperator as custom:
        return _Refusal(HTTPStatus.BAD_REQUEST, str(custom)).response()
    except WrongOperator as wrong:
        return _Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, str(wrong)).response()
    spans = [result.span() for result in asked.analyzer_results]
    if any(span.start > span.end or span.end > len(asked.text) for span in spans):
        return _Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, _OUTSIDE).response()
    most = state.settings.api.body_bytes
    try:
        replaced = await service.lane.run(replace_entities, asked.text, spans, operators, most)
        return Response(orjson.dumps(describe_replaced(replaced)), media_type=JSON)
    except ReplacedTextTooLong:
        return _Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LONG).response()
    except orjson.JSONEncodeError:
        return _Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, _HALF).response()


@ROUTER.get("/anonymizers", summary="List the operators", responses={200: NAMES})
async def anonymizers(_client: FindingClient) -> Response:
    """List the operators of /anonymize."""
    return Response(orjson.dumps(OFFERED), media_type=JSON)


@ROUTER.post("/deanonymize", summary="Not offered", status_code=403)
async def deanonymize(_client: FindingClient) -> Response:
    """Refuse: what was replaced can be re-identified by those entitled only, by another way."""
    return error_response(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_OFFERED)


@ROUTER.get("/deanonymizers", summary="List the operators of /deanonymize", responses={200: NAMES})
async def deanonymizers(_client: FindingClient) -> Response:
    """List none."""
    return Response(b"[]", media_type=JSON)


@ROUTER.get(
    "/health",
    summary="Whether the server runs",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def health() -> Response:
    """Answer that it does; /readyz says whether it takes texts."""
    return Response("deidstream is up", media_type="text/plain")


def _check_analyze(asked: AnalyzeRequest) -> None:
    if not asked.text:
        raise _Refusal(HTTPStatus.BAD_REQUEST, NO_TEXT)
    if asked.language != ENGLISH:
        raise _Refusal(HTTPStatus.BAD_REQUEST, NO_MATCH)
    own = {one.supported_entity for one in asked.ad_hoc_recognizers or ()}
    if asked.entities and not own.union(SUPPORTED).intersection(asked.entities):
        raise _Refusal(HTTPStatus.BAD_REQUEST, NO_MATCH)


def _tenant_of(client: HttpClient) -> str:
    """Return the tenant of a client's texts, as no request of Presidio names one."""
    if client.tenants is None or DEFAULT_TENANT in client.tenants:
        return DEFAULT_TENANT
    if len(client.tenants) != 1:
        raise HttpRefusal(HTTPStatus.FORBIDDEN, HttpErrorCode.NOT_PERMITTED)
    (tenant,) = client.tenants
    return tenant


async def _find(
    service: ApiService, texts: Sequence[str], tenant: str
) -> list[Sequence[tuple[EntitySpan, Span]]]:
    """Find the PHI of texts together; a blank one has none."""
    written = [place for place, text in enumerate(texts) if text.strip()]
    values = [encode_record({"text": texts[place], "tenant": tenant}) for place in written]
    found: list[Sequence[tuple[EntitySpan, Span]]] = [()] * len(texts)
    for place, spans in zip(written, await service.find(values), strict=True):
        if isinstance(spans, Rejected):
            metrics.count("deid_api_notes_total", _ANALYZE, "failed")
            sentence = f"The text cannot be analyzed: {Reason(spans.reason)}."
            raise _Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, sentence)
        metrics.count("deid_api_notes_total", _ANALYZE, "found")
        found[place] = [
            (EntitySpan(span.start, span.end, name_entity(span), span.score), span)
            for span in spans
        ]
    return found


async def _complete(
    service: ApiService,
    limits: NoteLimits,
    text: str,
    found: Sequence[tuple[EntitySpan, Span]],
    asked: AnalyzeRequest,
) -> Sequence[dict[str, object]]:
    """Add what the request's own recognizers find, and drop what it does not ask for."""
    lane = LimitedLane(service.lane, TimeBudget(limits.seconds or float("inf")))
    try:
        extra = await lane.run(_find_ad_hoc, text, asked)
        kept = await lane.run(_drop_allowed, text, merge_found(found, extra), asked)
    except UnusablePattern:
        raise _Refusal(HTTPStatus.BAD_REQUEST, _PATTERN) from None
    except TooManyFound:
        raise _Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, _TOO_MANY) from None
    except OutOfTime:
        raise _Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, _TOO_SLOW) from None
    explain = bool(asked.return_decision_process)
    return [describe_entity(each, explain=explain) for each in kept]


def _find_ad_hoc(text: str, asked: AnalyzeRequest) -> list[EntitySpan]:
    flags = asked.regex_flags & KNOWN_FLAGS
    return find_ad_hoc((one.recognizer() for one in asked.ad_hoc_recognizers or ()), text, flags)


def _drop_allowed(
    text: str, found: Iterable[FoundEntity], asked: AnalyzeRequest
) -> list[FoundEntity]:
    """Drop entities that were not asked for, score too low, or are on the allow list."""
    allowed = asked.allow_list or []
    pattern: Any = None
    if allowed and asked.allow_list_match == "regex":
        union = "|".join(f"(?:{each})" for each in allowed)
        pattern = compile_pattern(union, asked.regex_flags & KNOWN_FLAGS)
    exact = frozenset(allowed) if pattern is None else frozenset[str]()
    wanted = frozenset(asked.entities) if asked.entities else None
    least = asked.score_threshold or 0.0

    def is_wanted(span: EntitySpan) -> bool:
        word = text[span.start : span.end]
        known = wanted is None or span.entity in wanted
        is_allowed = word in exact or (pattern is not None and pattern.search(word))
        return known and span.score >= least and not is_allowed

    return [(span, source) for span, source in within_time(found, every=100) if is_wanted(span)]
