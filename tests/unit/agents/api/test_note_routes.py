"""``/v1``: what notes become, what is refused, and what no reply may hold."""

import json
from typing import Any

import httpx
import jsonschema
import pytest

from deidstream.schemas.contracts import CONTRACTS
from support.api_site import NOTE, TEXT, post, with_api

DEIDENTIFY, FIND = "/v1/deidentify", "/v1/find"
TOKEN = "k" * 20
SECRETS = ("Vanterpool", "4471098")


def test_a_note_comes_back_as_the_records_of_the_topics() -> None:
    reply = post(DEIDENTIFY, {"note": NOTE})
    assert reply.status_code == 200
    body = reply.json()
    jsonschema.validate(body["note"], CONTRACTS["notes.anonymized"])
    jsonschema.validate(body["risk"], CONTRACTS["notes.risk"])
    assert (body["status"], "replacements" in body) == ("anonymized", False)
    assert not any(secret in reply.text for secret in SECRETS)


def test_notes_of_a_patient_agree_in_one_request() -> None:
    texts = ["Seen by Dr. Quentin Vanterpool.", "Called Dr. Quentin Vanterpool."]
    notes = [{"note_id": str(n), "patient_id": "p", "text": text} for n, text in enumerate(texts)]
    results = post(DEIDENTIFY, {"notes": notes}).json()["results"]
    first, second = (
        result["note"]["text"].removesuffix(".").split("Dr. ")[1] for result in results
    )
    assert first == second != "Quentin Vanterpool"


def test_a_text_alone_counts_as_a_patient_of_its_own() -> None:
    results = post(DEIDENTIFY, {"notes": [{"text": TEXT}, {"text": TEXT + " Again."}]}).json()
    patients = {result["note"]["patient_id"] for result in results["results"]}
    assert len(patients) == 2


WRONG: list[tuple[dict[str, Any], str, str | None]] = [
    ({"note_id": "n", "patient_id": "p"}, "MISSING_FIELD", "text"),
    ({"note_id": "n", "patient_id": "p", "text": 7}, "WRONG_TYPE", "text"),
    ({"note_id": "n", "patient_id": "p", "text": "  "}, "EMPTY_TEXT", "text"),
    ({"note_id": "n", "patient_id": "p", "text": "a\0b"}, "BAD_UNICODE", "text"),
    ({"note_id": "n", "text": "a"}, "MISSING_FIELD", "patient_id"),
    ({"text": "a", "tenant": ["x"]}, "WRONG_TYPE", "tenant"),
    ({"text": "a", "known": {"names": [7]}}, "WRONG_TYPE", "known.names"),
]


@pytest.mark.parametrize(("note", "reason", "field"), WRONG)
def test_a_wrong_note_fails_with_its_reason(
    note: dict[str, Any], reason: str, field: str | None
) -> None:
    reply = post(DEIDENTIFY, {"note": note})
    assert (reply.status_code, reply.json()["code"]) == (422, "NOTE_FAILED")
    assert (reply.json()["reason"], reply.json().get("field")) == (reason, field)


def test_a_wrong_note_costs_only_itself() -> None:
    notes = [NOTE, *(note for note, _, _ in WRONG), NOTE]
    reply = post(DEIDENTIFY, {"notes": notes})
    assert reply.status_code == 200
    results = reply.json()["results"]
    assert [result["status"] for result in results] == [
        "anonymized",
        *["failed"] * len(WRONG),
        "anonymized",
    ]
    assert [result["reason"] for result in results[1:-1]] == [reason for _, reason, _ in WRONG]


@pytest.mark.parametrize("value", ["\ud800", float("nan"), 10**400, [[[]]] * 3])
def test_values_that_no_record_has_cost_only_their_note(value: object) -> None:
    async def ask(client: httpx.AsyncClient) -> httpx.Response:
        body = json.dumps({"notes": [{"text": value}, NOTE]}).encode()
        return await client.post(
            DEIDENTIFY, content=body, headers={"Content-Type": "application/json"}
        )

    reply = with_api(ask)
    assert [result["status"] for result in reply.json()["results"]] == ["failed", "anonymized"]


def test_a_cancelled_note_is_retracted_under_its_pseudonym() -> None:
    before = post(DEIDENTIFY, {"note": NOTE}).json()["note"]["note_id"]
    cancelled = {"note_id": "note-1", "patient_id": "patient-1", "status": "cancelled"}
    reply = post(DEIDENTIFY, {"note": cancelled}).json()
    assert (reply["status"], reply["note"]["note_id"]) == ("retracted", before)


def test_replacements_are_stated_to_those_with_the_right() -> None:
    asked = {"note": NOTE, "replacements": True}
    refused = post(DEIDENTIFY, asked)
    assert (refused.status_code, refused.json()["code"]) == (403, "NOT_PERMITTED")
    reply = post(DEIDENTIFY, asked, {"replacements": "true"}).json()
    starts = {TEXT[each["start"] : each["end"]] for each in reply["replacements"]}
    assert starts >= {"Quentin Vanterpool", "4471098"}


def test_a_request_may_choose_a_policy_that_is_offered() -> None:
    settings = {"policies": "redact"}
    reply = post(DEIDENTIFY, {"note": NOTE, "policy": "redact"}, settings).json()
    assert "[DATE]" in reply["note"]["text"]
    usual = post(DEIDENTIFY, {"note": NOTE}, settings).json()
    assert "[DATE]" not in usual["note"]["text"]
    other = post(DEIDENTIFY, {"note": NOTE, "policy": "kneo"}, settings)
    assert (other.status_code, other.json()["code"]) == (403, "POLICY_NOT_OFFERED")


def test_policies_are_listed() -> None:
    listed = with_api(lambda client: client.get("/v1/policies"), {"policies": "redact"}).json()
    assert (listed["default"], listed["store"]) == ("surrogate", "memory")
    assert [each["name"] for each in listed["policies"]] == ["redact"]


def test_find_returns_spans_and_replaces_nothing() -> None:
    reply = post(FIND, {"note": NOTE}).json()
    words = {TEXT[span["start"] : span["end"]]: span["label"] for span in reply["spans"]}
    assert words["4471098"] == "MEDICALRECORD"
    both = post(FIND, {"notes": [NOTE, {"text": ""}]}).json()["results"]
    assert [each["status"] for each in both] == ["found", "failed"]


def test_too_many_notes_are_refused() -> None:
    for path in (DEIDENTIFY, FIND):
        reply = post(path, {"notes": [NOTE] * 3}, {"notes": "2"})
        assert (reply.status_code, reply.json()["code"]) == (413, "TOO_MANY_NOTES")


def test_no_notes_have_no_results() -> None:
    assert post(DEIDENTIFY, {"notes": []}).json() == {"results": []}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"note": NOTE, "notes": [NOTE]},
        {"note": "Vanterpool"},
        {"notes": ["Vanterpool"]},
        {"note": NOTE, "Vanterpool": 1},
        {"note": NOTE, "policy": ["Vanterpool"]},
        ["Vanterpool"],
    ],
)
def test_a_request_of_another_form_is_refused_without_an_echo(body: object) -> None:
    reply = post(DEIDENTIFY, body)
    assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST")
    assert "Vanterpool" not in reply.text


def test_a_server_that_loads_says_so() -> None:
    reply = post(DEIDENTIFY, {"note": NOTE}, load=None)
    assert (reply.status_code, reply.json()["code"]) == (503, "STARTING")
    assert int(reply.headers["Retry-After"]) > 0
    ready = with_api(lambda client: client.get("/readyz"), load=None)
    assert (ready.status_code, ready.json()["missing"]) == (503, ["starting"])


def test_a_server_whose_redis_is_away_says_so() -> None:
    async def ask(client: httpx.AsyncClient) -> tuple[int, str, int]:
        state = client.__dict__["state"]
        state.health.record_unavailable("redis")
        reply = await client.post(DEIDENTIFY, json={"note": NOTE})
        return reply.status_code, reply.json()["code"], (await client.get("/readyz")).status_code

    assert with_api(ask) == (503, "UNAVAILABLE", 503)


def test_probes_are_open_and_metrics_are_not() -> None:
    async def ask(client: httpx.AsyncClient) -> list[int]:
        paths = ("/livez", "/readyz", "/health", "/metrics", "/v1/policies")
        return [(await client.get(path)).status_code for path in paths]

    given = {"token": TOKEN}
    assert with_api(ask, given) == [200, 200, 200, 401, 401]
    assert with_api(ask, given, token=TOKEN) == [200, 200, 200, 200, 200]


@pytest.mark.parametrize(
    ("body", "place", "problem"),
    [
        ({"text": "hello"}, "body.note", "missing"),
        ({"note": 5}, "body.note", "dict_type"),
        ({"notes": [NOTE, 5]}, "body.notes.1", "dict_type"),
        ({"notes": [NOTE], "polcy": "redact"}, "body.?", "extra_forbidden"),
    ],
)
def test_a_mistake_is_at_the_place_that_its_sender_wrote(
    body: dict[str, Any], place: str, problem: str
) -> None:
    for path in (DEIDENTIFY, FIND):
        reply = post(path, body)
        assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST")
        assert reply.json()["fields"][0] == {"place": place, "problem": problem}


def test_without_ids_a_text_of_another_name_is_missed() -> None:
    reply = post(DEIDENTIFY, {"note": {"txt": "Seen."}}).json()
    assert (reply["reason"], reply["field"]) == ("MISSING_FIELD", "text")
    cancelled = post(DEIDENTIFY, {"note": {"status": "cancelled"}}).json()
    assert (cancelled["reason"], cancelled["field"]) == ("MISSING_FIELD", "note_id")


def test_a_body_that_does_not_say_that_it_is_json_is_told_to() -> None:
    async def send(client: httpx.AsyncClient) -> httpx.Response:
        return await client.post(DEIDENTIFY, content=json.dumps({"note": NOTE}))

    reply = with_api(send)
    assert (reply.status_code, reply.json()["code"]) == (415, "NOT_JSON")
    assert "Content-Type: application/json" in reply.json()["error"]
