"""Every record that is named in our words is one that the installed libraries log."""

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from deidstream.stream.observing.third_party_events import WORDINGS, Wording

SOURCES = {"aiokafka": "aiokafka.client", "faust": "mode.services"}
"""Loggers that are not named after their module."""
METHODS = {"warning", "error", "exception", "critical"}


def functions(logger: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    found = importlib.util.find_spec(SOURCES.get(logger, logger))
    assert found
    assert found.origin
    for node in ast.walk(ast.parse(Path(found.origin).read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def templates(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node
        if call and cast("ast.Attribute", call.func).attr in METHODS and call.args:
            yield str(getattr(call.args[0], "value", ""))


@pytest.mark.parametrize("wording", WORDINGS, ids=lambda w: f"{w.function}: {w.begins}")
def test_the_library_still_logs_it(wording: Wording) -> None:
    said = [
        template
        for function in functions(wording.logger)
        if function.name == wording.function
        for template in templates(function)
    ]
    assert any(template.startswith(wording.begins) for template in said)
