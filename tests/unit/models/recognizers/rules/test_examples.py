"""Every rule finds its own examples, exactly, and passes over its counterexamples."""

import re

import pytest

from deidstream.models.recognizers.rules.recognizer import BUILT_IN
from deidstream.models.recognizers.rules.rule import Rule, compile_rule

_MARK = re.compile(r"\[\[|\]\]")
FOUND = [pytest.param(r, e, id=f"{r.id}-{n}") for r in BUILT_IN for n, e in enumerate(r.found)]
PASSED = [pytest.param(r, e, id=f"{r.id}-{n}") for r in BUILT_IN for n, e in enumerate(r.passed)]


def found_by(rule: Rule, text: str) -> list[str]:
    data = text.encode()
    return [data[start:end].decode() for start, end in compile_rule(rule).spans(data)]


def marked(example: str) -> tuple[str, list[tuple[int, int]]]:
    pieces = _MARK.split(example)
    text = "".join(pieces)
    bounds = [len("".join(pieces[:n])) for n in range(1, len(pieces))]
    return text, list(zip(bounds[::2], bounds[1::2], strict=True))


@pytest.mark.parametrize(("rule", "example"), FOUND)
def test_a_rule_finds_what_its_example_marks(rule: Rule, example: str) -> None:
    text, expected = marked(example)
    assert found_by(rule, text) == [text[start:end] for start, end in expected]


@pytest.mark.parametrize(("rule", "example"), PASSED)
def test_a_rule_passes_over_its_counterexample(rule: Rule, example: str) -> None:
    assert found_by(rule, example) == []
