"""``deidstream explain``: on the terminal, as JSON, for one note or those that hold a word."""

import json
from pathlib import Path

import pytest

from deidstream.agents.cli.main import main
from deidstream.agents.runtime.policy_choice import PolicyChoice, choose_policies
from deidstream.agents.runtime.root_keys import write_key
from deidstream.agents.settings import Settings

POLICY = """\
technique = "surrogate"
recognizers = ["rules", "dictionary", "known"]
"""
NOTES = (
    ("n1", "Mr. Quentin Vanterpool left. Address: 4 Main St, Tele."),
    ("n2", "Seen by Dr. Brightwater; tele was normal."),
    ("n3", " "),
)


@pytest.fixture
def flags(tmp_path: Path) -> list[str]:
    """A file of notes, a fast policy and a key."""
    lines = [json.dumps({"note_id": n, "patient_id": "p", "text": text}) for n, text in NOTES]
    (tmp_path / "notes.jsonl").write_text("\n".join([*lines, "no note"]) + "\n")
    (tmp_path / "policy.toml").write_text(POLICY)
    write_key(tmp_path / "key")
    policy, key = str(tmp_path / "policy.toml"), str(tmp_path / "key")
    return ["explain", str(tmp_path / "notes.jsonl"), "--policy", policy, "--key-file", key]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> PolicyChoice:
    """The policy, loaded once."""
    path = tmp_path_factory.mktemp("policy") / "policy.toml"
    path.write_text(POLICY)
    return choose_policies(Settings(policy=str(path)), root=bytes(range(32)))


@pytest.fixture
def quickly(loaded: PolicyChoice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command find what is loaded."""

    def choose(_settings: Settings, *, root: bytes | None) -> PolicyChoice:
        assert root is None or len(root) == 32
        return loaded

    monkeypatch.setattr("deidstream.agents.runtime.policy_choice.choose_policies", choose)


def said(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    assert all(text not in captured.err for _, text in NOTES if text.strip())
    return captured.out


@pytest.mark.usefixtures("quickly")
def test_a_word_is_explained_wherever_it_stands(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*flags, "--word", "Tele"]) == 0
    out = said(capsys)
    assert [line for line in out.splitlines() if line.startswith("[")] == [
        "[49, 53) 'Tele': replaced",
        "[25, 29) 'tele': stays in the text, as no recognizer reported it",
    ]
    assert "rules:address.line" in out
    assert "namesakes with" in out


@pytest.mark.usefixtures("quickly")
def test_one_note_is_explained_at_an_offset(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*flags, "--note", "n1", "--at", "12", "--json"]) == 0
    (line,) = said(capsys).splitlines()
    read = json.loads(line)
    assert read["note_id"] == "n1"
    assert [place["text"] for place in read["places"]] == ["Vanterpool"]


@pytest.mark.slow
def test_the_surrogates_are_those_of_deidentify(
    flags: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main([*flags, "--json"]) == 1
    explained = [json.loads(line) for line in said(capsys).splitlines()]
    out = tmp_path / "out.jsonl"
    assert main(["deidentify", *flags[1:], "--out", str(out)]) == 1
    texts = [json.loads(line)["text"] for line in out.read_text().splitlines()]
    for note, text in zip(explained, texts, strict=False):
        for place in note["places"]:
            assert place["replacements"][0]["text"] in text
    assert [note["outcome"].get("reason") for note in explained] == [
        None,
        None,
        "EMPTY_TEXT",
        "BAD_JSON",
    ]


@pytest.mark.usefixtures("quickly")
def test_what_no_note_has_is_said_on_stderr(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*flags, "--note", "n2", "--word", "Vanterpool"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no note of the file has what is asked for" in captured.err


def test_an_offset_and_a_word_are_not_asked_for_together(flags: list[str]) -> None:
    with pytest.raises(SystemExit, match="64"):
        main([*flags, "--at", "1", "--word", "Tele"])
    with pytest.raises(SystemExit, match="64"):
        main([*flags, "--at", "-1"])


@pytest.mark.usefixtures("quickly")
def test_without_a_key_it_says_that_surrogates_differ(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*flags[:-2], "--note", "n2"]) == 0
    assert "a fresh key is used" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_refused(flags: list[str]) -> None:
    assert main([flags[0], "/nowhere.jsonl", *flags[2:]]) == 78
