"""The notebook of the documentation runs on a table, and is kept without its outputs."""

import base64
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from support.output_records import SampleNote, changes_of
from support.table_sites import opened, parquet_site

NOTEBOOK = Path(__file__).parents[2] / "docs/notebooks/outputs_by_month.ipynb"
LABELS = ("DATE", "PATIENT", "DOCTOR", "HOSPITAL", "AGE", "PHONE", "MEDICALRECORD", "CITY")
PNG = b"\x89PNG"
read_notebook: Any = nbformat.read
"""It has no types."""


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of 200 notes with entities."""
    draw = random.Random(5)
    changes = [
        replace(
            change, row=change.row | {"entities": {label: draw.randint(0, 9) for label in LABELS}}
        )
        for change in changes_of([SampleNote(number) for number in range(200)])
        if change.row is not None
    ]
    with opened(parquet_site(tmp_path / "table")) as table:
        table.apply(changes, {})
    monkeypatch.setenv("NOTES", str(tmp_path / "table"))
    monkeypatch.delenv("DEIDSTREAM_KAFKA_BROKERS", raising=False)


def test_it_is_kept_without_outputs() -> None:
    cells: list[Any] = read_notebook(NOTEBOOK, as_version=4)["cells"]
    assert [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []


@pytest.mark.slow
@pytest.mark.usefixtures("notes")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_it_ends_with_a_plot(tmp_path: Path) -> None:
    notebook: Any = read_notebook(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    *_, last = notebook["cells"]
    (picture,) = [out["data"] for out in last["outputs"] if "image/png" in out.get("data", {})]
    drawn = base64.b64decode(picture["image/png"])
    (tmp_path / "plot.png").write_bytes(drawn)
    assert drawn.startswith(PNG)
    assert "200" in str(notebook["cells"][3]["outputs"])
