"""Spark and Ray, for real: their outputs are those of one process, and their notebooks run."""

# Neither is in the lock, since clusters bring them: make nightly installs them.
# pyright: reportMissingImports=false, reportUnknownParameterType=false

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from nbclient import NotebookClient

from deidstream.agents import Deidentifier
from deidstream.agents.settings import ModelSettings, Settings
from support.archives import ArchiveSite, make_rows, write_parquet

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # sockets to the JVM
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning"),  # pandas
]
NOTES = 60
PARTITIONS = 4
PAGE = Path(__file__).parents[2] / "docs/archive.md"
NOTEBOOKS = Path(__file__).parents[2] / "docs/notebooks"
read_notebook: Any = nbformat.read
"""It has no types."""
SETTINGS = Settings(model=ModelSettings(engine="torch"))
"""Outputs name what made them: engines of one kind here and there."""


@pytest.fixture
def site(tmp_path: Path) -> ArchiveSite:
    return ArchiveSite.make(tmp_path)


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [row | {"ward": row["note_id"][-1]} for row in make_rows(NOTES)]
    made[7]["text"] = None
    return made


def expected(site: ArchiveSite, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    policy, key = site.folder / "rules.toml", site.folder / "root.key"
    with Deidentifier.load(policy, key=key, settings=SETTINGS) as door:
        made = door.deidentify_table(pa.Table.from_pylist(rows), keep=["ward"])
    return in_order(made.to_pylist())


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: str(row["output_id"]))


def run_example(site: ArchiveSite, name: str, given: dict[str, Any]) -> Any:
    """Run the example of a library on docs/archive.md, and return its outputs."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    (block,) = [each for each in blocks if f"agents.{name}" in each]
    for shown, real in {
        '"/keys/root.key"': repr(str(site.folder / "root.key")),
        '"surrogate"': repr(str(site.folder / "rules.toml")),
        "actors=8": "actors=2",
        'keep=["ward"]': 'keep=["ward"], settings=SETTINGS',
    }.items():
        block = block.replace(shown, real)
    names = {**given, "SETTINGS": SETTINGS}
    exec(block, names)  # noqa: S102 - the example of our own page
    return names["outputs"]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    sql = importlib.import_module("pyspark.sql")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master("local[2]")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": str(PARTITIONS),
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
    }.items():
        builder = builder.config(name, value)
    opened = builder.getOrCreate()
    yield opened
    opened.stop()


def test_spark_makes_the_same_outputs(
    session: Any, site: ArchiveSite, rows: list[dict[str, Any]]
) -> None:
    names = ("note_id", "patient_id", "text", "ward")
    notes = session.createDataFrame(
        [tuple(row[name] for name in names) for row in rows],
        ", ".join(f"{name} string" for name in names),
    )
    notes.repartition(5).createOrReplaceTempView("notes")
    outputs = run_example(site, "spark", {"spark": session})
    assert outputs.rdd.getNumPartitions() == PARTITIONS
    wanted = expected(site, rows)
    assert in_order([row.asDict() for row in outputs.collect()]) == wanted
    stored = [row.asDict() for row in session.table("deidentified").collect()]
    assert in_order(stored) == [row for row in wanted if row["status"] == "anonymized"]
    assert [row.reason for row in session.table("quarantine").collect()] == ["MISSING_FIELD"]


@pytest.fixture
def data(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    found = importlib.import_module("ray")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    found.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield found.data
    found.shutdown()


def test_ray_makes_the_same_outputs(
    data: Any, site: ArchiveSite, rows: list[dict[str, Any]]
) -> None:
    notes = data.from_arrow([pa.Table.from_pylist(rows[:31]), pa.Table.from_pylist(rows[31:])])
    outputs = run_example(site, "ray", {"notes": notes})
    assert in_order(outputs.take_all()) == expected(site, rows)


@pytest.mark.parametrize("name", ["archive_on_spark", "archive_on_ray"])
def test_the_notebook_runs(
    name: str, site: ArchiveSite, rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook: Any = read_notebook(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    cells = notebook["cells"]
    assert [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []
    out = site.folder / "outputs"
    for variable, value in {
        "NOTES": write_parquet(site.folder / "notes.parquet", rows),
        "KEY": site.folder / "root.key",
        "POLICY": site.folder / "rules.toml",
        "OUT": out,
        "PYSPARK_PYTHON": sys.executable,
        "RAY_USAGE_STATS_ENABLED": "0",
    }.items():
        monkeypatch.setenv(variable, str(value))
    NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(site.folder)}}
    ).execute()
    made = pq.read_table(out).to_pylist()
    wanted = expected(site, rows)
    assert sorted(str(row["text"]) for row in made) == sorted(str(row["text"]) for row in wanted)
    assert sum(row["status"] == "quarantined" for row in made) == 1
