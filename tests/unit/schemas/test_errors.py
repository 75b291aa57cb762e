"""An error of this project leads nobody to the text that caused it."""

import ast
import contextlib
import traceback
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from deidstream.agents.runtime.service import watch
from deidstream.schemas.errors import DeidError, InvalidNote, Reason, Stage
from deidstream.schemas.wire import decode

ROOT = Path(__file__).parents[3]
CANARY = "Zyxwvutson"
WHOLE = {"note_id": CANARY, "patient_id": CANARY, "text": CANARY}
MESSAGES = {
    "not UTF-8": CANARY.encode() + b"\xff",
    "no JSON": b'{"text": "' + CANARY.encode(),
    "a lone surrogate": b'{"text": "\\ud800 ' + CANARY.encode() + b'"}',
    "a wrong type": orjson.dumps(WHOLE | {"text": [CANARY]}),
    "a wrong list": orjson.dumps(WHOLE | {"known": {"names": {CANARY: CANARY}}}),
    "a missing field": orjson.dumps({"text": CANARY, "note_id": CANARY}),
    "a newer schema": orjson.dumps(WHOLE | {"schema": CANARY}),
}


def reachable(error: BaseException) -> Iterator[str]:
    """What a reporter of errors would find: words, arguments, attributes and earlier errors."""
    yield from (repr(error), str(error), repr(error.args), repr(vars(error)))
    yield "".join(traceback.format_exception(error, chain=True))
    for earlier in (error.__cause__, error.__context__):
        if earlier is not None:
            yield from reachable(earlier)


@pytest.mark.parametrize("name", MESSAGES)
def test_a_bad_message_is_not_in_its_error(name: str) -> None:
    with pytest.raises(InvalidNote) as caught:
        decode(MESSAGES[name])
    assert not [words for words in reachable(caught.value) if CANARY in words]


def test_a_failed_stage_does_not_keep_its_cause() -> None:
    with pytest.raises(DeidError) as caught, watch(Stage.DETECT):
        int(CANARY)
    assert caught.value.__context__ is None
    assert not [words for words in reachable(caught.value) if CANARY in words]


def test_an_ordinary_error_would_keep_it() -> None:
    def fail() -> None:
        try:
            int(CANARY)
        except ValueError:
            raise KeyError from None

    with pytest.raises(KeyError) as caught:
        fail()
    assert [words for words in reachable(caught.value) if CANARY in words]


def test_closing_contexts_accept_such_errors() -> None:
    def fail_twice() -> None:
        with contextlib.ExitStack() as stack:
            stack.callback(lambda: decode(MESSAGES["no JSON"]))
            raise ValueError(CANARY)

    with pytest.raises(InvalidNote) as caught:
        fail_twice()
    assert caught.value.reason is Reason.BAD_JSON
    assert not [words for words in reachable(caught.value) if CANARY in words]


@pytest.mark.slow  # it parses every module
def test_no_error_names_another_as_its_cause() -> None:
    named: list[str] = []
    for home in ("agents", "models", "schemas", "stream", "study"):
        for file in sorted((ROOT / home).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Raise) and node.cause is not None:
                    constant = isinstance(node.cause, ast.Constant) and node.cause.value is None
                    named += [] if constant else [f"{file.relative_to(ROOT)}:{node.lineno}"]
    assert named == []
