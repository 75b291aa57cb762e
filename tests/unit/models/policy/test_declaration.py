"""What a policy file may hold."""

from typing import Any

import pytest

from deidstream.models.policy.declaration import check_table
from deidstream.models.policy.toml_lines import TomlMistake

LEAST: dict[str, Any] = {"technique": "surrogate", "recognizers": ["rules"]}


@pytest.mark.parametrize("value", [False, "0.5"])
def test_a_threshold_is_a_number(value: object) -> None:
    file, mistakes = check_table(LEAST | {"thresholds": {"PATIENT": value}})
    wrong = TomlMistake(("thresholds", "PATIENT"), "must be a number from 0.0 to 1.0")
    assert mistakes == [wrong]
    assert "PATIENT" not in file.thresholds
