"""A request with thousands of mistakes is told of a few, for each costs memory."""

from typing import Any

import pytest

from support.api_site import post

MANY = 1_000
NUMBERS = [1] * MANY
FIELDS = {f"field{number}": 1 for number in range(MANY)}
WRONG: list[tuple[str, Any]] = [
    ("/v1/deidentify", {"notes": NUMBERS}),
    ("/v1/deidentify", FIELDS),
    ("/v1/find", {"notes": NUMBERS}),
    ("/analyze", {"language": "en", "text": NUMBERS}),
    ("/analyze", {"language": "en", "text": "a", "entities": NUMBERS}),
    ("/analyze", {"language": "en", "text": "a", "ad_hoc_recognizers": NUMBERS}),
    ("/anonymize", {"text": "", "analyzer_results": NUMBERS}),
    ("/anonymize", {"text": "", "analyzer_results": [], "anonymizers": FIELDS}),
]


@pytest.mark.parametrize(("path", "body"), WRONG)
def test_lists_and_objects_end_at_their_first_mistake(path: str, body: Any) -> None:
    reply = post(path, body)
    assert (reply.status_code, reply.json()["code"]) == (422, "INVALID_REQUEST")
    assert len(reply.json()["fields"]) < 6
    assert "field1" not in reply.text
