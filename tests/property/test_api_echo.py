"""Whatever JSON arrives, no reply is a fault of ours, and no refusal says anything of it."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.api_site import api_client

SECRET = "Featherstonehaugh"
PATHS = ("/v1/deidentify", "/v1/find", "/analyze", "/anonymize", "/deanonymize")
NAMES = (
    *("note", "notes", "text", "tenant", "known", "names", "policy", "replacements", "status"),
    *("language", "entities", "analyzer_results", "anonymizers", "DEFAULT", "type", "start", "end"),
    *("ad_hoc_recognizers", "patterns", "regex", "allow_list", "supported_entity", SECRET),
)
WORDS = st.sampled_from(
    [SECRET, "", "en", "replace", "mask", "0", f"{SECRET}(", "\x00", "cancelled"]
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=4)
    ),
    max_leaves=12,
)


async def answers(body: bytes) -> list[tuple[int, str]]:
    async with api_client({"policies": "redact"}) as client:
        headers = {"Content-Type": "application/json"}
        replies = [await client.post(path, content=body, headers=headers) for path in PATHS]
        return [(reply.status_code, reply.text) for reply in replies]


@pytest.mark.slow  # five requests an example
@given(VALUES)
def test_arbitrary_json_is_answered_and_not_echoed(value: Any) -> None:
    body = json.dumps(value).encode()
    for status, text in asyncio.run(answers(body)):
        assert status < 500
        assert status == 200 or SECRET not in text


@pytest.mark.slow  # five requests an example
@given(st.binary(max_size=40))
def test_arbitrary_bytes_are_refused(body: bytes) -> None:
    for status, text in asyncio.run(answers(body + SECRET.encode())):
        assert 400 <= status < 500
        assert SECRET not in text
