"""Every decision has a status, and the index lists each with its title and its status."""

import re
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "docs/adr"
DECISIONS = sorted(FOLDER.glob("[0-9]*.md"))
STATUS = re.compile(r"^\W*Status\W+(Accepted|Superseded by \[?\d+)", re.MULTILINE)
ROW = re.compile(r"^\| (\d+) \| \[(.+)\]\((.+\.md)\) \| (\w[^|]*) \| [^|]+ \|$", re.MULTILINE)


def read_status(text: str) -> str:
    """Return the status of a decision as the index words it; nothing if it has none."""
    found = STATUS.search(text[:500])
    return found[1].lower().replace("[", "") if found else ""


def test_every_decision_has_a_status() -> None:
    assert [path.name for path in DECISIONS if not read_status(path.read_text("utf-8"))] == []


def test_the_index_lists_every_decision_with_its_title_and_status() -> None:
    listed = ROW.findall((FOLDER / "README.md").read_text("utf-8"))
    assert [file for _, _, file, _ in listed] == [path.name for path in DECISIONS]
    for number, title, file, status in listed:
        text = (FOLDER / file).read_text("utf-8")
        assert text.startswith(f"# {number}. {title}\n")
        assert file.startswith(f"{int(number):04}-")
        assert status.startswith(read_status(text))


def test_a_decision_without_a_status_is_seen() -> None:
    assert read_status("# 1. One\n\n**Context.** The status quo.\n") == ""
    assert read_status("# 1. One\n\n**Status.** Superseded by [22](x.md).\n") == "superseded by 22"
