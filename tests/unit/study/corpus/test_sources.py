"""The TOML file of sources: what it declares, and every mistake in it."""

from pathlib import Path

import pytest

from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.label import PhiLabel
from deidstream.study.corpus.sources import (
    NameSource,
    ProseSource,
    SpanSource,
    ValueList,
    read_sources,
)
from support.filling import write_prose

ROOT = Path(__file__).parents[4]
OURS = ROOT / "training" / "sources.toml"
UNKNOWN = "unknown key (docs/corpus.md explains each)"
FORMS = "must be one of prose, names, spans"
LEAST = '[sources.ours]\nform = "prose"\npath = "notes.jsonl"\nshare = 1\n'


def write(folder: Path, text: str) -> Path:
    (folder / "notes.jsonl").touch()
    file = folder / "sources.toml"
    file.write_text(text)
    return file


def mistakes(folder: Path, text: str) -> list[str]:
    file = write(folder, text)
    with pytest.raises(InvalidSettings) as refused:
        read_sources(file)
    return [line.removeprefix(f"{file}") for line in str(refused.value).splitlines()]


def test_sources_are_read_in_their_order_with_paths_from_the_file(tmp_path: Path) -> None:
    read = read_sources(write_prose(tmp_path, [], {}))
    assert list(read.sources) == ["transcripts", "dialogs", "visits", "queries"]
    transcripts, dialogs, visits, queries = read.sources.values()
    assert isinstance(transcripts, ProseSource)
    assert transcripts.path == (tmp_path / "transcripts.jsonl.xz",)
    assert transcripts.splits is not None
    assert transcripts.splits.path == (tmp_path / "one_task.jsonl", tmp_path / "other_task.jsonl")
    assert isinstance(dialogs, ProseSource)
    assert (dialogs.text, dialogs.spoken) == (("note",), ("dialogue",))
    assert dialogs.only == {"split": ("train", "valid")}
    assert isinstance(visits, NameSource)
    assert isinstance(queries, SpanSource)
    assert queries.labels["GP"] == "DOCTOR"


def test_a_labelled_source_needs_few_keys(tmp_path: Path) -> None:
    file = write(tmp_path, LEAST.replace("prose", "spans"))
    source = read_sources(file).sources["ours"]
    assert isinstance(source, SpanSource)
    assert (source.text, source.spans, source.label) == ("text", "spans", "type")
    assert source.labels == {label.value: label.value for label in PhiLabel}


def test_paths_may_count_from_another_folder(tmp_path: Path) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    for folder in (data, elsewhere):
        folder.mkdir()
    write(data, "")
    (elsewhere / "sources.toml").write_text(LEAST + '[lists]\nhospitals.path = "notes.jsonl"\n')
    read = read_sources(elsewhere / "sources.toml", data)
    assert read.sources["ours"].path == (data / "notes.jsonl",)
    assert read.lists.hospitals == (ValueList(path=data / "notes.jsonl"),)


def test_the_sources_of_the_shipped_taggers_are_declared(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings) as refused:
        read_sources(OURS, tmp_path)
    said = str(refused.value).splitlines()
    # Nothing is wrong but that the files are not here.
    assert all(line.endswith(": there is no such file") for line in said)
    for line in said:
        path = Path(line.removesuffix(": there is no such file").rpartition(": ")[2])
        path.parent.mkdir(exist_ok=True)
        path.touch()
    shares = {name: source.share for name, source in read_sources(OURS, tmp_path).sources.items()}
    assert shares == {
        "mtsamples": 0.64,
        "mts_dialog": 0.16,
        "aci_bench": 0.12,
        "asq_phi": 0.06,
        "presidio_research": 0.02,
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LEAST + "x = 1", f":5: sources.ours.x: {UNKNOWN}"),
        ("y = 1\n" + LEAST, f":1: y: {UNKNOWN}"),
        ("", ": sources: is required"),
        ("[sources]", ":1: sources: must not be empty"),
        ("sources = 3", ":1: sources: must be a table"),
        ("sources.ours = 3", ":1: sources.ours: must be a table"),
        (LEAST.replace('"prose"', '"odd"'), f":2: sources.ours.form: {FORMS}"),
        (LEAST.replace("form", "from"), f":1: sources.ours.form: {FORMS}"),
        (LEAST.replace("share = 1", ""), ":1: sources.ours.share: is required"),
        (LEAST.replace("= 1", "= 0"), ":4: sources.ours.share: must be greater than 0"),
        (LEAST.replace("= 1", "= nan"), ":4: sources.ours.share: must be a finite number"),
        (LEAST.replace("= 1", '= "1"'), ":4: sources.ours.share: must be a valid number"),
        (LEAST.replace('"notes.jsonl"', "[]"), ":3: sources.ours.path: must not be empty"),
        (LEAST.replace('"notes.jsonl"', "[3]"), ":3: sources.ours.path: must be a string"),
        (LEAST.replace('"notes.jsonl"', "2020-01-01"), ":3: sources.ours.path: must be a string"),
        (LEAST + 'text = " "', ":5: sources.ours.text: must not be empty"),
        (LEAST + "only = 3", ":5: sources.ours.only: must be a table"),
        (LEAST + "only.split = 3", ":5: sources.ours.only.split: must be a string"),
        (LEAST + 'splits.path = "notes.jsonl"\nsplits.x = 1',
         f":6: sources.ours.splits.x: {UNKNOWN}"),
        (LEAST + 'apart_from = "ours"',
         ":5: sources.ours.apart_from: must name a source with splits"),
        (LEAST.replace("prose", "spans") + 'labels.A = "Date"',
         ':5: sources.ours.labels.A: must be a PHI label, "person", "place" or "no phi"'),
        (LEAST.replace("prose", "names") + 'patient_first = "a"',
         ":1: sources.ours.patient_last: is required"),
        (LEAST + '[lists]\nhospitals = { path = "notes.jsonl", x = 1 }',
         f":6: lists.hospitals.x: {UNKNOWN}"),
        (LEAST + '[lists]\nus_cities.path = "notes.jsonl"\nus_cities.city = "a"',
         ":6: lists.us_cities.state: is required"),
        (LEAST + "[lists]\nclinics = 3", f":6: lists.clinics: {UNKNOWN}"),
    ],
)  # fmt: skip
def test_a_mistake_has_its_line_and_key(tmp_path: Path, text: str, said: str) -> None:
    assert said in mistakes(tmp_path, text)


def test_all_mistakes_are_said_at_once(tmp_path: Path) -> None:
    text = (
        '[sources.one]\nform = "prose"\npath = ["none.jsonl", "notes.jsonl"]\nshare = -1\n'
        'apart_from = "two"\n[sources.two]\nform = "spans"\nlabels.X = "Y"\n'
        '[lists]\noccupations = { path = "none.txt" }\n'
    )
    assert mistakes(tmp_path, text) == [
        f":3: sources.one.path: {tmp_path / 'none.jsonl'}: there is no such file",
        ":4: sources.one.share: must be greater than 0",
        ":5: sources.one.apart_from: must name a source with splits",
        ":6: sources.two.path: is required",
        ":6: sources.two.share: is required",
        ':8: sources.two.labels.X: must be a PHI label, "person", "place" or "no phi"',
        f":10: lists.occupations.path: {tmp_path / 'none.txt'}: there is no such file",
    ]


def test_what_is_no_toml_or_not_there_is_refused(tmp_path: Path) -> None:
    assert mistakes(tmp_path, "[sources") == [
        ":1: not TOML: Expected ']' at the end of a table declaration"
    ]
    with pytest.raises(InvalidSettings, match=r"none\.toml: there is no such file"):
        read_sources(tmp_path / "none.toml")
