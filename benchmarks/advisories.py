"""Compare requirements.lock with published advisories, where their service can be reached.

    python benchmarks/advisories.py PIP-AUDIT...     the command of pip-audit, with its options

Exits with 1 for a vulnerability, and with 0 and a message where nothing could be compared.
"""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parents[1] / "requirements.lock"
SECONDS = 300
_UNREACHED = re.compile(
    r"ConnectionError|ConnectTimeout|ReadTimeout|NameResolution|Max retries|Could not connect"
    r"|[Ff]ailed to (?:fetch|resolve|connect)|timed out|error sending request|dns error"
    r"|not found in the package registry|No solution found"
)


def judge(code: int, said: str, complaint: str) -> tuple[int, list[str]]:
    """Exit status and what to say, from the status, output and errors of pip-audit."""
    try:
        rows: list[dict[str, Any]] = json.loads(said)["dependencies"]
    except (ValueError, KeyError, TypeError):
        if _UNREACHED.search(complaint):
            why = "pip-audit or its service of advisories cannot be reached"
            return 0, [f"audit: NOTHING WAS COMPARED: {why}"]
        return code or 2, [complaint.strip()[-2_000:], "audit: pip-audit failed"]
    skipped = [row for row in rows if "skip_reason" in row]
    if rows and len(skipped) == len(rows):
        return 0, ["audit: NOTHING WAS COMPARED: the service knows none of these packages"]
    lines = [f"audit: not compared: {row['name']} ({row['skip_reason']})" for row in skipped]
    found = [
        f"{row['name']} {row['version']}: {one['id']}, fixed in "
        f"{', '.join(one.get('fix_versions', ())) or 'no version'}"
        for row in rows
        for one in row.get("vulns", ())
    ]
    compared = len(rows) - len(skipped)
    return int(bool(found)), [*lines, *found, f"audit: {compared} compared, {len(found)} found"]


def compare(tool: Sequence[str], lock: Path) -> tuple[int, list[str]]:
    options = ["--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json"]
    command = [*tool, *options, "--requirement", str(lock)]
    try:
        ran = subprocess.run(  # noqa: S603 - the command of our Makefile
            command, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return 0, [f"audit: NOTHING WAS COMPARED: no answer within {SECONDS} s"]
    return judge(ran.returncode, ran.stdout, ran.stderr)


def main(tool: Sequence[str]) -> int:
    code, lines = compare(tool, LOCK)
    print("\n".join(lines))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
