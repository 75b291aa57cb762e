"""What is said of advisories: found, none found, or nothing compared."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from advisories import compare, judge

CLEAN = {"name": "one", "version": "1.0", "vulns": []}
BROKEN = {"name": "two", "version": "2.0", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}
SKIPPED = {"name": "three", "skip_reason": "not found"}


def answer(*rows: dict[str, Any]) -> str:
    return json.dumps({"dependencies": rows, "fixes": []})


def test_a_vulnerability_fails_and_is_named() -> None:
    code, lines = judge(1, answer(CLEAN, BROKEN, SKIPPED), "")
    assert code == 1
    assert "two 2.0: CVE-1, fixed in 2.1" in lines
    assert lines[-1] == "audit: 2 compared, 1 found"
    assert "audit: not compared: three (not found)" in lines


def test_none_found_passes() -> None:
    assert judge(0, answer(CLEAN), "") == (0, ["audit: 1 compared, 0 found"])


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("", "requests.exceptions.ConnectionError: Max retries exceeded"),
        ("", "error: Failed to fetch: `https://registry.example/pip-audit/`"),
        (answer(SKIPPED), ""),
    ],
)
def test_where_nothing_is_compared_it_says_so(said: str, complaint: str) -> None:
    code, (line,) = judge(1, said, complaint)
    assert code == 0
    assert "NOTHING WAS COMPARED" in line


@pytest.mark.parametrize("code", [0, 1])
def test_any_other_failure_fails(code: int) -> None:
    assert judge(code, "", "ERROR: requirement without a hash")[0] != 0


def test_the_lock_is_given_to_the_tool(tmp_path: Path) -> None:
    tool = tmp_path / "tool.py"
    tool.write_text(f"import sys\nprint({answer(BROKEN)!r} if 'the-lock' in sys.argv else '')")
    assert compare([sys.executable, str(tool)], Path("the-lock"))[0] == 1
