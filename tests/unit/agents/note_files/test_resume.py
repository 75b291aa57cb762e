"""A run that was cut off goes on: nothing twice, nothing lost, and nothing of two kinds."""

# pyright: reportPrivateUsage=false

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from deidstream.agents.cli.arguments import settings_from
from deidstream.agents.note_files import files as module
from deidstream.agents.note_files import resume
from deidstream.agents.note_files.files import Files, deidentify
from deidstream.agents.note_files.note_source import InputNote
from deidstream.agents.note_files.open_notes import Reading
from deidstream.agents.runtime.policy_choice import PolicyChoice, choose_policies
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.runtime.service import Service
from deidstream.schemas.errors import InvalidSettings
from deidstream.schemas.outcome import Outcome
from deidstream.stream.redis.memory_store import MemorySurrogateStore
from support.tenants import RULES

NOTES = 12
ROW = '{0},p{1},W{0},"Ms. Rosalind Achterberg (MRN: 55128{0:02}) was seen on 03/{2:02}/2024."\n'
CSV = "note_id,patient_id,WARD,text\n" + "".join(
    ROW.format(n, n % 3, n + 1) if n % 5 != 4 else f"{n},p,W{n},\n" for n in range(NOTES)
)


@pytest.fixture(scope="module")
def choices(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, PolicyChoice]:
    """The policies, each with a key of its own; each is loaded once."""
    folder, made = tmp_path_factory.mktemp("choices"), dict[str, PolicyChoice]()

    def choose(name: str) -> PolicyChoice:
        if name not in made:
            technique, _, key = name.partition(" ")
            policy, key_file = folder / f"{technique}.toml", folder / f"{key}.key"
            policy.write_text(RULES.format(technique))
            if not key_file.exists():
                write_key(key_file)
            flags = {"policy": str(policy), "key.file": str(key_file)}
            made[name] = choose_policies(settings_from(flags))
        return made[name]

    for name in ("surrogate", "surrogate other", "redact"):
        choose(name)
    return made


@pytest.fixture(autouse=True)
def _saved_after_every_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resume, "EVERY_SECONDS", 0.0)
    monkeypatch.setattr(module, "CHUNK", 2)


def run(given: Files, choice: PolicyChoice, store: MemorySurrogateStore | None = None) -> int:
    own, kept = choice.tenant_pipelines(), store or MemorySurrogateStore()
    return asyncio.run(deidentify(given, choice.settings, choice.default, kept, own))


def cut_off(
    given: Files, choice: PolicyChoice, monkeypatch: pytest.MonkeyPatch, *, after: int
) -> None:
    """Run until so many chunks have been written, and then write some bytes more."""
    calls = iter(range(NOTES))
    whole = module.run_notes

    async def some(service: Service, notes: Sequence[InputNote]) -> list[Outcome]:
        if next(calls) == after:
            raise KeyboardInterrupt
        return await whole(service, notes)

    with monkeypatch.context() as patch:
        patch.setattr(module, "run_notes", some)
        with pytest.raises(KeyboardInterrupt):
            run(given, choice)
    for path in given.outputs():
        with path.with_name(f"{path.name}.partial").open("ab") as file:
            file.write(b"half a rec")


def make_files(folder: Path, name: str) -> Files:
    folder.mkdir()
    (folder / "in.csv").write_text(CSV)
    return Files(
        folder / "in.csv",
        folder / name,
        folder / "risk",
        folder / "audit",
        folder / "quarantine",
        crosswalk=folder / "who.csv",
        reading=Reading(keep=() if name.endswith("jsonl") else ("WARD",)),
    )


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv", "out.parquet", "out.csv.gz"])
@pytest.mark.parametrize("after", [[0], [1], [3, 1], [6]])
def test_outputs_are_those_of_a_run_that_was_not_cut_off(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    choices: Mapping[str, PolicyChoice],
    name: str,
    after: Sequence[int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    choice = choices["surrogate"]
    whole, parts = make_files(tmp_path / "whole", name), make_files(tmp_path / "parts", name)
    stores = MemorySurrogateStore(), MemorySurrogateStore()
    assert run(whole, choice, stores[0]) == 1
    said = capsys.readouterr().err
    for chunks in after:
        if chunks < NOTES // 2:
            cut_off(parts, choice, monkeypatch, after=chunks)
        parts = replace(parts, resume=True)
    assert not parts.out.exists()
    assert run(parts, choice, stores[1]) == 1
    assert stores[0] == stores[1]
    for one, other in zip(whole.outputs(), parts.outputs(), strict=True):
        assert one.read_bytes() == other.read_bytes(), one.name
    names = {path.name for path in (whole.notes, *whole.outputs())}
    assert {path.name for path in (tmp_path / "parts").iterdir()} == names
    assert parts.crosswalk is not None
    assert parts.crosswalk.stat().st_mode & 0o777 == 0o600
    again = capsys.readouterr().err
    for line in ("12 notes: 10 anonymized (", "2 x EMPTY_TEXT at decode, field text (first in row"):
        assert line in said
        assert line in again


def test_surrogates_go_on_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choices: Mapping[str, PolicyChoice]
) -> None:
    given = make_files(tmp_path / "in", "out.csv")
    cut_off(given, choices["surrogate"], monkeypatch, after=3)
    kept = given.out.with_name("out.csv.resume-surrogates")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert (
        b"Achterberg" not in kept.read_bytes() + given.out.with_name("out.csv.resume").read_bytes()
    )
    kept.write_bytes(kept.read_bytes()[:-1])
    with pytest.raises(InvalidSettings, match="resume-surrogates is not as"):
        run(replace(given, resume=True), choices["surrogate"])


def assert_refused(given: Files, choice: PolicyChoice, said: str) -> None:
    folder = given.notes.parent
    before = sorted((path.name, path.stat().st_size) for path in folder.iterdir())
    with pytest.raises(InvalidSettings, match=said) as refused:
        run(replace(given, resume=True), choice)
    assert "Achterberg" not in str(refused.value)
    assert sorted((path.name, path.stat().st_size) for path in folder.iterdir()) == before


def test_another_run_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choices: Mapping[str, PolicyChoice]
) -> None:
    given, choice = make_files(tmp_path / "in", "out.csv"), choices["surrogate"]
    cut_off(given, choice, monkeypatch, after=3)
    assert_refused(given, choices["redact"], "not the same as in that run: the policies")
    assert_refused(given, choices["surrogate other"], "not the same as in that run: the key")
    assert_refused(replace(given, reading=Reading()), choice, "how the input is read")
    assert_refused(replace(given, risk=None), choice, "the outputs")
    run(replace(given, resume=True), choice)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("in.csv", ("Rosalind", "Rosamund"), "does not begin with the notes"),
        ("in.csv", (CSV[150:], ""), "does not begin with the notes"),
        ("out.csv.partial", ("green", "great"), "out.csv.partial is not as"),
        ("out.csv.partial", ("W0", ""), "out.csv.partial is not as"),
        ("out.csv.resume", ('"format": 1', '"format": 0'), "another version"),
        ("out.csv.resume", ("{", ""), "another version"),
    ],
)
def test_files_that_have_changed_are_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    choices: Mapping[str, PolicyChoice],
    name: str,
    change: tuple[str, str],
    said: str,
) -> None:
    given, choice = make_files(tmp_path / "in", "out.csv"), choices["surrogate"]
    cut_off(given, choice, monkeypatch, after=3)
    path = given.notes.with_name(name)
    assert change[0] in path.read_text()
    path.write_text(path.read_text().replace(*change, 1))
    assert_refused(given, choice, said)


def test_without_the_flag_all_is_done_anew_and_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    choices: Mapping[str, PolicyChoice],
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = make_files(tmp_path / "in", "out.parquet")
    cut_off(given, choices["surrogate"], monkeypatch, after=2)
    assert run(given, choices["surrogate"]) == 1
    assert "--resume goes on with one" in capsys.readouterr().err
    assert pq.read_metadata(given.out).num_rows == NOTES


def test_nothing_is_kept_under_a_key_that_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choices: Mapping[str, PolicyChoice]
) -> None:
    choice = choices["surrogate"]
    unkept = replace(choice.settings, key=replace(choice.settings.key, file=""))
    given = make_files(tmp_path / "in", "out.jsonl")
    cut_off(given, replace(choice, settings=unkept), monkeypatch, after=2)
    assert not list((tmp_path / "in").glob("*.resume*"))


def test_what_is_kept_has_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, choices: Mapping[str, PolicyChoice]
) -> None:
    given = make_files(tmp_path / "in", "out.jsonl")
    cut_off(given, choices["surrogate"], monkeypatch, after=4)
    saved = json.loads(given.out.with_name("out.jsonl.resume").read_bytes())
    assert saved["notes"] == 8
    assert saved["tally"]["failed"] == {"EMPTY_TEXT at decode, field text": 1}
