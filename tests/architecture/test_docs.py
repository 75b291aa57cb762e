"""The pages hold no example that nothing runs, and no link that leads nowhere."""

import ast
import re
from pathlib import Path

import pytest

from deidstream.agents.cli.main import parser
from deidstream.agents.runtime.root_keys import write_key
from support.page_commands import unknown_words

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
RUN_BY = {
    "README.md": "tests/architecture/test_docs.py",
    "docs/archive.md": "tests/contract/test_clusters.py",
    "docs/python.md": "tests/unit/agents/test_deidentifier.py",
    "docs/explain.md": "tests/unit/agents/test_deidentifier.py",
    "docs/merges.md": "tests/property/test_merged_patients.py",
}
"""Pages with examples in Python, and the tests that run them."""
EXAMPLE = re.compile(r"```python\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_every_page_with_python_is_run_by_a_test() -> None:
    with_python = {name_of(page) for page in PAGES if EXAMPLE.search(page.read_text("utf-8"))}
    assert with_python == {page for page in RUN_BY if (ROOT / page).exists()}
    for page in with_python:
        assert Path(page).name in (ROOT / RUN_BY[page]).read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_on_a_page_is_python(page: Path) -> None:
    for example in EXAMPLE.findall(page.read_text("utf-8")):
        ast.parse(example)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    links = (link for link in LINK.findall(page.read_text("utf-8")) if "://" not in link)
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.slow
def test_the_example_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_key(tmp_path / "root.key")
    monkeypatch.chdir(tmp_path)
    (example,) = EXAMPLE.findall((ROOT / "README.md").read_text("utf-8"))
    exec(example, {})  # noqa: S102 - the page's own lines
    printed = capsys.readouterr().out
    assert "was seen on" in printed
    assert "Smith" not in printed


FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:^|[`/ ])deidstream ([a-z0-9][^`\n]*)", re.MULTILINE)
INLINE = re.compile(r"`deidstream ([a-z0-9][^`]*)`")
STANDS_FOR_ANY = re.compile(r"\[.*?\]|\.\.\.|…|\s#.*")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "SECURITY.md"], ids=name_of)
def test_commands_on_a_page_exist(page: Path) -> None:
    wrong: list[str] = []
    known = parser()
    text = page.read_text("utf-8")
    fenced = [line for block in FENCED.findall(text) for line in COMMAND.findall(block)]
    for line in (*fenced, *INLINE.findall(FENCED.sub("", text))):
        words = STANDS_FOR_ANY.sub(" ", line).split()
        if unknown := unknown_words(known, words):
            wrong.append(f"{line}: {unknown}")
    assert wrong == []


def test_a_command_that_does_not_exist_is_seen() -> None:
    assert unknown_words(parser(), ["vault", "explode"]) == "explode"
    assert unknown_words(parser(), ["keys", "rotate", "--now"]) == "--now"
    assert unknown_words(parser(), ["keys", "rotate", "--yes"]) == ""
