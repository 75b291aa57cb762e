"""Policies by name or path, with the lists beside them."""

import hashlib
import os
from pathlib import Path

import pytest

from deidstream.agents.policy_review import show
from deidstream.agents.policy_review.show import notices
from deidstream.agents.runtime import policy_files as policies
from deidstream.agents.runtime.policy_files import PolicyFiles, find_policy, policy_path
from deidstream.schemas.errors import InvalidPolicy
from deidstream.schemas.label import PhiLabel

POLICY = """\
technique = "surrogate"
recognizers = ["dictionary"]
allow_files = ["lists/allow.txt"]
[dictionaries]
HOSPITAL = ["lists/wards.txt"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "wards.txt").write_text("Quillfeather Unit\n")
    (tmp_path / "lists" / "allow.txt").write_text("Zellig sign\n")
    path = tmp_path / "site.toml"
    path.write_text(POLICY)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(InvalidPolicy) as caught:
        find_policy(str(path))
    return str(caught.value)


def test_a_shipped_policy_has_no_path() -> None:
    assert policy_path("surrogate") is None
    assert find_policy("surrogate").name == "surrogate"


def test_a_policy_is_read_with_the_lists_beside_it(file: Path) -> None:
    policy = find_policy(str(file))
    assert policy.name == "site"
    assert policy.deny == {PhiLabel.HOSPITAL: ("Quillfeather Unit",)}
    assert policy.allow == ("Zellig sign",)


def test_the_digest_is_the_policys_and_changes_with_each_file(file: Path) -> None:
    seen = {find_policy(str(file)).sha256}
    assert seen == {PolicyFiles.gather(file).digest}
    for changed in ("lists/wards.txt", "lists/allow.txt", "site.toml"):
        path = file.parent / changed
        path.write_text(path.read_text() + "# more\n")
        seen.add(find_policy(str(file)).sha256)
    assert len(seen) == 4


def test_the_digest_can_be_had_by_sha256sum(file: Path) -> None:
    def line(path: str, name: str) -> str:
        return f"{hashlib.sha256((file.parent / path).read_bytes()).hexdigest()}  {name}\n"

    lists = ("lists/allow.txt", "lists/wards.txt")
    rows = line("site.toml", "-") + "".join(line(path, path) for path in lists)
    assert find_policy(str(file)).sha256 == hashlib.sha256(rows.encode()).hexdigest()


def test_a_missing_file_is_told(file: Path, tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "nothing.toml")
    (tmp_path / "lists" / "wards.txt").unlink()
    assert refusal(file) == (
        "site.toml:5: dictionaries.HOSPITAL: lists/wards.txt: there is no such file"
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (".", "it is a folder"),
        ("", "has an empty item"),
        ("nul\0l", "there is no such file"),
        ("/dev/null", "it is not a regular file"),
    ],
)
def test_what_is_no_file_is_told(file: Path, name: str, said: str) -> None:
    file.write_text(POLICY.replace("lists/wards.txt", name.replace("\0", "\\u0000")))
    assert refusal(file).startswith("site.toml:5: dictionaries.HOSPITAL: ")
    assert said in refusal(file)


def test_a_policy_that_is_no_file_is_told(tmp_path: Path) -> None:
    assert "it is a folder, not a file; the shipped policies are" in refusal(tmp_path)
    assert "it is not a regular file" in refusal(Path("/dev/null"))


def test_a_pipe_is_not_read(file: Path, tmp_path: Path) -> None:
    (tmp_path / "lists" / "wards.txt").unlink()
    os.mkfifo(tmp_path / "lists" / "wards.txt")
    assert "it is not a regular file" in refusal(file)


def test_a_file_that_is_too_large_is_not_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "MOST_BYTES", 12)
    assert "more than 12 bytes" in refusal(file)


def test_what_cannot_be_had_differs_from_what_is_empty(file: Path) -> None:
    wards = file.parent / "lists" / "wards.txt"
    wards.write_text("")
    empty = PolicyFiles.gather(file).digest
    wards.unlink()
    assert PolicyFiles.gather(file).digest != empty
    file.unlink()
    assert PolicyFiles.gather(file).digest


def test_nothing_of_the_files_is_shown(file: Path) -> None:
    assert "Quillfeather" not in repr(PolicyFiles.gather(file))


def test_what_lists_hold_is_counted_and_doubted(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def noticed() -> list[str]:
        return list(notices(PolicyFiles.gather(file), find_policy(str(file))))

    assert noticed() == ["lists/allow.txt: 1 term", "lists/wards.txt: 1 term"]
    (file.parent / "lists" / "wards.txt").write_text("# none yet\n\n")
    (file.parent / "lists" / "allow.txt").write_text("one\ntwo\nthree\n")
    assert noticed() == [
        "lists/allow.txt: 3 terms",
        "lists/wards.txt: holds no term. Is that intended?",
    ]
    monkeypatch.setattr(show, "MANY_ALLOWED", 2)
    assert noticed()[2].startswith("3 terms are allowed: whatever is found and is one of them")


def test_a_policy_is_read_with_what_it_extends(file: Path) -> None:
    (file.parent / "own").mkdir()
    own = file.parent / "own" / "mine.toml"
    own.write_text('extends = "../site.toml"\nredact_style = "xxx"\n')
    policy = find_policy(str(own))
    assert (policy.name, policy.redact_style) == ("mine", "xxx")
    assert policy.deny == {PhiLabel.HOSPITAL: ("Quillfeather Unit",)}
    assert policy.sha256 == PolicyFiles.gather(own).digest
    (file.parent / "lists" / "wards.txt").write_text("Ward 4\n")
    changed = find_policy(str(own))
    file.write_text(POLICY + "[ages]\ncap = 80\n")
    assert find_policy(str(own)).ages.cap == 80
    assert len({policy.sha256, changed.sha256, find_policy(str(own)).sha256}) == 3
    file.unlink()
    assert refusal(own).startswith("mine.toml:1: extends: there is no such file; the shipped")
