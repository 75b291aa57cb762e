"""What a policy file may hold."""

from typing import Any

import jsonschema
import pytest

from deidstream.models.policy.declaration import check_table, policy_schema
from deidstream.models.policy.toml_lines import TomlMistake

LEAST: dict[str, Any] = {"technique": "surrogate", "recognizers": ["rules"]}


@pytest.mark.parametrize("value", [False, "0.5"])
def test_a_threshold_is_a_number(value: object) -> None:
    file, mistakes = check_table(LEAST | {"thresholds": {"PATIENT": value}})
    wrong = TomlMistake(("thresholds", "PATIENT"), "must be a number from 0.0 to 1.0")
    assert mistakes == [wrong]
    assert "PATIENT" not in file.thresholds


@pytest.mark.parametrize(
    ("file", "right"),
    [
        ({}, False),
        (LEAST, True),
        ({"extends": "surrogate"}, True),
        ({"extends": "surrogate", "technique": "magic"}, False),
        (LEAST | {"patterns": {"case": {"pattern": "x", "label": "IDNUM"}}}, True),
        (LEAST | {"patterns": {"case": {"pattern": "x"}}}, False),
    ],
)
def test_the_schema_wants_what_is_required(file: dict[str, Any], *, right: bool) -> None:
    assert jsonschema.Draft202012Validator(policy_schema()).is_valid(file) is right
