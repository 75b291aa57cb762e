"""The cells of a study: what is taken over, and what the file holds."""

from pathlib import Path

from deidstream.study.comparison.cells import FILE, Cells, TechniqueRun
from deidstream.study.measures.measure import Figure

SETTINGS = {"seed": 1, "versions": {"numpy": "2"}}


def test_a_study_goes_on_where_it_was(tmp_path: Path) -> None:
    first = Cells.open(tmp_path, SETTINGS)
    first.runs["MNr"] = TechniqueRun(3, 0.5, 0.6)
    first.seconds, first.processor_seconds = 2.5, 3.5
    first.add("MNr", "SMR", Figure(0.5, 4, 0.2, 0.8))
    first.add("MNr", "JSC", None)
    again = Cells.open(tmp_path, SETTINGS)
    assert again.missing("MNr", ["SMR", "JSC", "LR"]) == ["LR"]
    assert again.missing("ShS", ["SMR"]) == ["SMR"]
    assert again.figures == {"MNr": {"SMR": Figure(0.5, 4, 0.2, 0.8), "JSC": None}}
    assert (again.seconds, again.processor_seconds) == (2.5, 3.5)
    assert again.runs["MNr"] == TechniqueRun(3, 0.5, 0.6)


def test_cells_of_other_settings_are_dropped(tmp_path: Path) -> None:
    Cells.open(tmp_path, SETTINGS).add("MNr", "SMR", None)
    assert Cells.open(tmp_path, {**SETTINGS, "seed": 2}).figures == {}


def test_the_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    Cells.open(tmp_path, SETTINGS).add("MNr", "SMR", None)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
