"""The tables of the pages are those that the recorded figures give."""

import re
from pathlib import Path

import orjson
import pytest
from performance_tables import MARKED, PAGES, RESULTS, TABLES, fill

from deidstream.study.bench.bench_figures import encode_figures
from support.bench import bench_figures


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_agrees_with_the_figures(page: Path) -> None:
    text = page.read_text()
    assert fill(text, RESULTS) == text, "run: python benchmarks/performance_tables.py"


def test_every_table_is_on_a_page_and_every_marker_is_one_of_a_table() -> None:
    marked = [name for page in PAGES for name in MARKED.findall(page.read_text())]
    opened = [name for page in PAGES for name in re.findall(r"<!-- table: ", page.read_text())]
    named = {match[1] for page in PAGES for match in MARKED.finditer(page.read_text())}
    assert len(marked) == len(opened)
    assert named == TABLES.keys()


def test_figures_that_change_change_the_page(tmp_path: Path) -> None:
    page = "a\n<!-- table: in-process -->\nold\n<!-- end -->\nb\n"
    (tmp_path / "in_process.json").write_bytes(encode_figures(bench_figures(0.7)))
    filled = fill(page, tmp_path)
    assert "| ratio to the engine | 0.70 [0.65 to 0.75] |" in filled
    assert filled.startswith("a\n")
    assert filled.endswith("<!-- end -->\nb\n")
    assert fill(filled, tmp_path) == filled
    assert fill(filled, tmp_path / "none") != filled


@pytest.mark.parametrize("name", ["worker", "loads", "stages"])
def test_the_tables_of_a_bench_are_written(tmp_path: Path, name: str) -> None:
    file, write = TABLES[name]
    (tmp_path / file).write_bytes(encode_figures(bench_figures(0.7)))
    assert write(orjson.loads((tmp_path / file).read_bytes())).count("|") > 10
