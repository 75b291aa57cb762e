"""``POST /cda`` gives the de-identified document, or the reason and nothing of it."""

from typing import Any

import httpx
import pytest

from support.api_site import with_api
from support.cda_samples import V3, document_of, parse, sample


def send(body: bytes, path: str = "/cda", **how: Any) -> httpx.Response:
    """Send one body."""
    headers = {"Content-Type": "application/xml"}
    return with_api(lambda client: client.post(path, content=body, headers=headers), **how)


def test_a_document_comes_back_without_names() -> None:
    reply = send(sample("consultation_utf16"))
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("application/xml")
    assert parse(reply.content).tag == f"{V3}ClinicalDocument"
    assert "Nakagawa" not in reply.text


@pytest.mark.parametrize(
    ("body", "reason", "field"),
    [
        (b"Zyxwvutson", "BAD_DOCUMENT", "document"),
        (b"<note>Zyxwvutson</note>", "UNSUPPORTED_DOCUMENT", "document"),
        (document_of("<title>Zyxwvutson").encode(), "BAD_DOCUMENT", "document"),
        (b"<!DOCTYPE a [<!ENTITY b 'Zyxwvutson'>]><a>&b;</a>", "BAD_DOCUMENT", "document"),
        (document_of("<title/>").encode(), "EMPTY_TEXT", "text"),
        (b'<?xml version="1.0" encoding="Zyxwvutson"?><a/>', "BAD_DOCUMENT", "document"),
    ],
)
def test_what_does_not_pass_is_answered_with_its_reason(
    body: bytes, reason: str, field: str
) -> None:
    reply = send(body)
    assert reply.status_code == 422
    assert (reply.json()["reason"], reply.json()["field"]) == (reason, field)
    assert "Zyxwvutson" not in reply.text


def test_a_policy_that_is_not_offered_is_refused() -> None:
    assert send(sample("ccd_tables"), "/cda?policy=nowhere").status_code == 403


def test_a_note_of_the_interface_may_be_a_document() -> None:
    note = {"document": document_of("<title>Seen today by Dr. Okafor</title>")}
    reply = with_api(lambda client: client.post("/v1/deidentify", json={"note": note}))
    assert reply.status_code == 200
    assert reply.json()["note"]["document"].startswith("<?xml")
    assert "Okafor" not in reply.text
