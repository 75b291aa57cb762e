"""The path and the engine, measured in this process."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.demo.demo import sample_notes
from deidstream.schemas.errors import MissingArtefact
from deidstream.schemas.wire import decode, encode_note
from deidstream.study.bench.bench_notes import cut_groups, read_bench_notes, repeat_notes
from deidstream.study.bench.in_process import Round, summarise_path
from deidstream.study.bench.metric_samples import MetricSamples
from deidstream.study.bench.timed_parts import PartClock


def test_repeated_notes_differ_in_ids_and_turns_in_patients() -> None:
    notes = sample_notes()[:3]
    repeated = repeat_notes(notes, 7, "r")
    assert len({note.note_id for note in repeated}) == 7
    assert repeated[0].text == repeated[3].text
    assert repeated[0].patient_id != repeated[3].patient_id


def test_groups_hold_every_note_once_and_in_order() -> None:
    notes = repeat_notes(sample_notes(), 7, "r")
    groups = cut_groups(notes, 3)
    assert list(map(len, groups)) == [3, 3, 1]
    assert [decode(value) for group in groups for value in group] == notes


def test_notes_of_a_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_bytes(b"\n".join(map(encode_note, sample_notes()[:4])))
    assert read_bench_notes(path, 2) == sample_notes()[:2]


@pytest.mark.parametrize("content", ["", "no note\n"])
def test_a_file_without_notes_is_refused_and_not_quoted(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(content)
    with pytest.raises(MissingArtefact) as refused:
        read_bench_notes(path)
    assert "no note\n" not in str(refused.value)


def a_round(seconds: float) -> Round:
    return Round(seconds, 1.0, MetricSamples({}), {}, 0, 0, None)


def test_without_a_tagger_there_is_no_ratio() -> None:
    path = summarise_path([a_round(1.0), a_round(2.0), a_round(4.0)], notes=8, pieces=800)
    assert path.engine_ratio is None
    assert path.engine_cpu_share is None
    assert (path.notes_per_second.least, path.notes_per_second.median) == (2, 4)


def test_passes_of_several_threads_are_added_up_apart_from_the_rest_of_the_tagger() -> None:
    clock = PartClock()

    def add_passes() -> None:
        for _ in range(2_000):
            clock.add_passes(8, 0.25)

    threads = [threading.Thread(target=add_passes) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    clock.add("tagger", 2_500.0)
    assert clock.positions == 64_000
    assert clock.seconds == {"passes": 2_000.0, "tagger": 500.0}


@pytest.mark.parametrize("flag", ["--json", "--flame"])
def test_an_output_without_a_folder_is_refused_before_anything_is_measured(
    tmp_path: Path, flag: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", flag, str(tmp_path / "none" / "file")]) == 78
    assert "there is no such folder" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_measures_and_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, flame = tmp_path / "bench.json", tmp_path / "flame.svg"
    words = ["bench", "--most", "3", "--rounds", "2", "--json", str(kept), "--flame", str(flame)]
    assert main(words) == 0
    record: dict[str, Any] = json.loads(kept.read_bytes())
    path = record["path"]
    assert 0 < path["engine_ratio"]["median"] < 1.5
    assert record["batches"]["padding"] >= 1
    assert {"passes", "tagger", "rules", "dictionary", "known", "rest"} == record[
        "detection"
    ].keys()
    assert sum(cost["share"] for cost in record["stages"].values()) == pytest.approx(1, abs=0.01)
    assert "deidstream" in flame.read_text()
    assert "ratio to the engine" in capsys.readouterr().out

    path["engine_ratio"]["median"] *= 10
    kept.write_text(json.dumps(record))
    assert main(["bench", "--most", "3", "--rounds", "1", "--compare", str(kept)]) == 1
