"""Write the report: JSON for machines, one self-contained page for people."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import orjson

from harness.rows import RowResult


def write_report(results: Sequence[RowResult], out: Path, scale: float) -> Path:
    """Write both files; return the path of the page."""
    record = {"scale": scale, "rows": [asdict(result) for result in results]}
    (out / "report.json").write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2))
    return out / "report.json"
