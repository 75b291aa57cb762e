"""The shipped census lists, which nothing beside the caller's script can replace."""

import sys
from pathlib import Path

import pytest

from deidstream.models.phi.names.name_lists import census


def test_a_file_called_names_beside_the_callers_script_is_not_imported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "names.py").write_text("raise RuntimeError('a file of the caller was run')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "names", raising=False)
    census.cache_clear()
    assert census().female["mary"] == 2.629


def test_every_list_is_read_whole_and_the_most_frequent_name_first() -> None:
    lists = census()
    assert (len(lists.female), len(lists.male), len(lists.family)) == (4275, 1219, 88799)
    assert [next(iter(some)) for some in (lists.female, lists.male, lists.family)] == [
        "mary",
        "james",
        "smith",
    ]
    assert lists.family["aalderink"] == 0.0
