"""Archive, feed, replay and correction in any interleaving give one table, with the newest."""

import random
from pathlib import Path

import pytest

from support.output_records import Versions, export_into
from support.table_sites import duckdb_site, opened, outputs

INTERLEAVINGS = 200


@pytest.mark.slow  # as many interleavings as the documentation promises, each in a table of its own
def test_every_interleaving_gives_the_newest(tmp_path: Path) -> None:
    versions, seen = Versions.make(25), set[str]()
    for number in range(INTERLEAVINGS):
        folder = tmp_path / str(number)
        folder.mkdir()
        mixed, site = random.Random(number), duckdb_site(folder)
        with opened(site) as table:
            export_into(table, versions.interleave(mixed), mixed)
        assert outputs(site.read()) == versions.newest()
        seen.add(repr(site.read()))
    assert len(seen) == 1
