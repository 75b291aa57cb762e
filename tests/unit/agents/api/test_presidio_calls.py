"""A client of Presidio's servers is served when its URLs change and nothing else.

Requests and shapes follow the end-to-end tests of Presidio 2.2; texts and names are ours.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from support.api_server import api_server

HEADERS = {"Content-Type": "application/json"}
TEXT = "Patient: Quentin Vanterpool, DL 001653363 AL, phone (617) 555-0101."


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with api_server() as served:
        yield served


def call(url: str, path: str, data: object) -> tuple[int, Any]:
    body = data if isinstance(data, str) else json.dumps(data)
    reply = requests.post(f"{url}/{path}", data=body.encode(), headers=HEADERS, timeout=20)
    return reply.status_code, reply.json()


def read(url: str, path: str) -> tuple[int, Any]:
    reply = requests.get(f"{url}/{path}", timeout=20)
    return reply.status_code, reply.json()


def found(url: str, **more: Any) -> dict[str, str]:
    status, results = call(url, "analyze", {"text": TEXT, "language": "en", **more})
    assert status == 200
    return {TEXT[each["start"] : each["end"]]: each["entity_type"] for each in results}


def test_a_text_has_a_list_of_entities(url: str) -> None:
    status, results = call(url, "analyze", {"text": TEXT, "language": "en"})
    assert status == 200
    keys = {"entity_type", "start", "end", "score", "analysis_explanation"}
    assert all(set(each) == keys for each in results)
    assert all(each["analysis_explanation"] is None for each in results)
    assert found(url)["001653363"] == "US_DRIVER_LICENSE"
    assert found(url)["(617) 555-0101"] == "PHONE_NUMBER"


def test_several_texts_have_a_list_of_lists(url: str) -> None:
    status, results = call(url, "analyze", {"text": [TEXT, "", "Call me."], "language": "en"})
    assert status == 200
    assert [isinstance(each, list) for each in results] == [True] * 3
    assert results[0]
    assert results[1:] == [[], []]


def test_entities_and_scores_are_filtered(url: str) -> None:
    assert set(found(url, entities=["PHONE_NUMBER"]).values()) == {"PHONE_NUMBER"}
    assert found(url, score_threshold=1.1) == {}
    assert "(617) 555-0101" not in found(url, allow_list=["(617) 555-0101"])
    matched = found(url, allow_list=[r"\(617\).*"], allow_list_match="regex")
    assert "(617) 555-0101" not in matched
    assert found(url, correlation_id="123", trace="1") == found(url)


def test_the_decision_is_explained(url: str) -> None:
    asked = {"text": TEXT, "language": "en", "return_decision_process": True}
    _, results = call(url, "analyze", asked)
    explained = results[0]["analysis_explanation"]
    assert set(explained) == {
        "recognizer",
        "pattern_name",
        "pattern",
        "original_score",
        "score",
        "textual_explanation",
        "score_context_improvement",
        "supportive_context_word",
        "validation_result",
    }
    assert explained["recognizer"] in {"rules", "dictionary", "known", "sweep"}


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"text": "", "language": "en"}, "No text provided"),
        ({"text": [], "language": "en"}, "No text provided"),
        ({"text": "a", "language": "zz"}, "No matching recognizers were found to serve"),
        ({"text": "a", "language": "en", "entities": ["ABC"]}, "No matching recognizers"),
    ],
)
def test_wrong_requests_are_answered_in_presidios_words(
    url: str, asked: dict[str, Any], sentence: str
) -> None:
    status, reply = call(url, "analyze", asked)
    assert (status, reply["error"][: len(sentence)]) == (400, sentence)


def test_recognizers_of_the_request_are_used(url: str) -> None:
    zip_code = {
        "name": "Zip code Recognizer",
        "supported_language": "en",
        "patterns": [{"name": "weak", "regex": r"(\b\d{9}\b)", "score": 0.01}],
        "context": ["zip"],
        "supported_entity": "NINE",
    }
    assert found(url, ad_hoc_recognizers=[zip_code], entities=["NINE"]) == {"001653363": "NINE"}
    words = {"supported_entity": "TITLE", "deny_list": ["phone", "patient"], "name": "t"}
    assert found(url, ad_hoc_recognizers=[words], entities=["TITLE"]) == {
        "Patient": "TITLE",
        "phone": "TITLE",
    }


def test_patterns_that_may_run_for_ever_are_refused(url: str) -> None:
    for regex in (r"(?=a)b", r"(a)\1", "("):
        own = {"supported_entity": "X", "patterns": [{"regex": regex, "score": 0.5}]}
        asked = {"text": TEXT, "language": "en", "ad_hoc_recognizers": [own]}
        status, reply = call(url, "analyze", asked)
        assert (status, "pattern" in reply["error"]) == (400, True)


def test_the_lists_are_lists_of_names(url: str) -> None:
    for path in ("recognizers", "supportedentities", "anonymizers", "deanonymizers"):
        status, names = read(url, path)
        assert (status, all(isinstance(name, str) for name in names)) == (200, True)
    assert {"PERSON", "DATE_TIME", "US_SSN"} <= set(read(url, "supportedentities?language=en")[1])
    assert read(url, "supportedentities?language=he")[0] == 400
    assert read(url, "supportedentities?unknown=input")[0] == 200
    assert requests.get(f"{url}/health", timeout=5).text.endswith("is up")


HELLO = "hello world, my name is Jane Doe. My number is: 034453334"
NAME = {"start": 24, "end": 32, "score": 0.8, "entity_type": "NAME"}
PHONE = {"start": 48, "end": 57, "score": 0.95, "entity_type": "PHONE_NUMBER"}


def anonymize(url: str, **asked: Any) -> tuple[int, Any]:
    return call(url, "anonymize", asked)


def test_entities_are_replaced_from_the_end_to_the_start(url: str) -> None:
    parts = [
        NAME,
        {"start": 24, "end": 28, "score": 0.8, "entity_type": "FIRST_NAME"},
        {"start": 29, "end": 32, "score": 0.6, "entity_type": "LAST_NAME"},
        PHONE,
    ]
    operators = {
        "DEFAULT": {"type": "replace", "new_value": "ANONYMIZED"},
        "PHONE_NUMBER": {"type": "mask", "masking_char": "*", "chars_to_mask": 4, "from_end": True},
    }
    assert anonymize(url, text=HELLO, anonymizers=operators, analyzer_results=parts) == (
        200,
        {
            "text": "hello world, my name is ANONYMIZED. My number is: 03445****",
            "items": [
                {
                    "operator": "mask",
                    "entity_type": "PHONE_NUMBER",
                    "start": 50,
                    "end": 59,
                    "text": "03445****",
                },
                {
                    "operator": "replace",
                    "entity_type": "NAME",
                    "start": 24,
                    "end": 34,
                    "text": "ANONYMIZED",
                },
            ],
        },
    )


def test_without_operators_the_entity_stands_in_brackets(url: str) -> None:
    _, reply = anonymize(url, text=HELLO, analyzer_results=[NAME, PHONE])
    assert reply["text"] == "hello world, my name is <NAME>. My number is: <PHONE_NUMBER>"
    assert anonymize(url, text="", analyzer_results=[]) == (200, {"text": "", "items": []})


@pytest.mark.parametrize(
    ("name", "location", "text"),
    [
        ("keep", "replace", "I'm George Washington<LOCATION>"),
        ("replace", "keep", "I'm <NAME>Washington Square Park"),
        ("keep", "keep", "I'm George WashingtonWashington Square Park"),
    ],
)
def test_entities_that_overlap_in_part(url: str, name: str, location: str, text: str) -> None:
    _, reply = anonymize(
        url,
        text="I'm George Washington Square Park",
        anonymizers={"NAME": {"type": name}, "LOCATION": {"type": location}},
        analyzer_results=[
            {"start": 4, "end": 21, "score": 0.8, "entity_type": "NAME"},
            {"start": 11, "end": 33, "score": 0.8, "entity_type": "LOCATION"},
        ],
    )
    assert reply["text"] == text


def test_hashes_take_a_salt(url: str) -> None:
    def hashed(**parameters: str) -> str:
        operators = {"DEFAULT": {"type": "hash", **parameters}}
        _, reply = anonymize(url, text=HELLO, anonymizers=operators, analyzer_results=[NAME])
        return str(reply["items"][0]["text"])

    salt = "0123456789abcdef"
    assert hashed(salt=salt) == hashed(salt=salt) != hashed(hash_type="sha512", salt=salt)
    assert hashed() != hashed()


@pytest.mark.parametrize(
    ("operator", "status"),
    [
        ({"type": "custom", "new_value": "lambda x: x"}, 400),
        ({"type": "encrypt", "key": "1111111111111111"}, 422),
        ({"type": "mask", "masking_char": "**", "chars_to_mask": 4, "from_end": True}, 422),
        ({"type": "mask", "masking_char": "*", "from_end": True}, 422),
        ({"type": "hash", "hash_type": "md5"}, 422),
        ({"type": "hash", "salt": "short"}, 422),
        ({"type": ["x"]}, 422),
        ({}, 422),
    ],
)
def test_wrong_operators_are_refused(url: str, operator: dict[str, Any], status: int) -> None:
    found_status, reply = anonymize(
        url, text=HELLO, anonymizers={"DEFAULT": operator}, analyzer_results=[NAME]
    )
    assert (found_status, isinstance(reply["error"], str)) == (status, True)


def test_entities_past_the_end_are_refused(url: str) -> None:
    status, reply = anonymize(url, text="short", analyzer_results=[NAME])
    assert (status, "within the text" in reply["error"]) == (422, True)


def test_what_no_reply_can_hold_is_refused(url: str) -> None:
    replacing = {"DEFAULT": {"type": "replace", "new_value": "\ud800"}}
    assert anonymize(url, text="a\ud800", analyzer_results=[])[0] == 422
    assert anonymize(url, text=HELLO, analyzer_results=[NAME], anonymizers=replacing)[0] == 422
    ends = [{"start": 2 * n, "end": 2 * n + 1, "score": 1, "entity_type": "X"} for n in range(99)]
    long = {"DEFAULT": {"type": "replace", "new_value": "x" * 60_000}}
    status, reply = anonymize(url, text="a," * 99, analyzer_results=ends, anonymizers=long)
    assert (status, "longer" in reply["error"]) == (413, True)


def test_recognizers_that_find_too_much_are_refused(url: str) -> None:
    own = {"supported_entity": "X", "patterns": [{"regex": ".", "score": 0.5}] * 4}
    asked = {"text": "a b " * 2_000, "language": "en", "ad_hoc_recognizers": [own]}
    status, reply = call(url, "analyze", asked)
    assert (status, "too much" in reply["error"]) == (422, True)


def test_what_was_replaced_is_not_brought_back(url: str) -> None:
    status, reply = call(url, "deanonymize", {"text": "x", "deanonymizers": {}})
    assert (status, reply["code"]) == (403, "NOT_OFFERED")


def test_what_analyze_returns_anonymize_takes(url: str) -> None:
    _, results = call(url, "analyze", {"text": TEXT, "language": "en"})
    _, reply = anonymize(url, text=TEXT, analyzer_results=results)
    assert "Vanterpool" not in reply["text"]
    assert "<PHONE_NUMBER>" in reply["text"]
